import type {
  CauseValue,
  CausesAnswer,
  DottedChart,
  EntityCases,
  EntityFlow,
  FilterComparison,
  MeasureAnswer,
  MeasureHistogram,
  PropertyValues,
  StepsAnswer,
  TypedProperty,
} from '../../../protocol/analysis.ts';
import type {
  ChangedMap,
  BrokenBy,
  ComparedEntities,
  DraftChoicesView,
  EntityHit,
  EntityTimeline,
  EventDistribution,
  FilteredRule,
  GraphFilter,
  GraphOverview,
  MapEdgeView,
  MapParams,
  NumberPart,
  PathCondition,
  ProcessMapView,
  PropertyDistribution,
  RuleDetails,
  SavedFilters,
  ShownNumber,
  SnippetKind,
  VariantCondition,
  VariantsView,
} from '../../../protocol/event-graph.ts';
import type { DraftAnswer } from '../../../protocol/first-draft.ts';
import type { Finding, FindingFix, FindingsAnswer } from '../../../protocol/findings.ts';
import type { ChangeKind, ChangePart } from '../../../protocol/graph-changes.ts';
import type { GraphDiff } from '../../../protocol/graph-diff.ts';
import type { MeasureResult } from '../../../protocol/measures.ts';
import type { Failure, QueryTarget } from '../../../protocol/query-results.ts';
import type { ConditionDraft, DraftSubject } from './condition-draft.ts';
import type { Brush } from './brush.ts';

/** An asynchronously loaded value. */
export type Loaded<T> =
  | {
      readonly kind: 'loading';
      /** In the clock of `performance.now()`. */ readonly since: number;
      readonly before?: T;
      /** It takes so long that progress is shown, with a way to cancel it. */ readonly isSlow?: true;
    }
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: Failure };

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** A number whose events, entities, rows and SQL can be shown. */
export interface OpenNumber {
  readonly kind: 'number';
  readonly number: ShownNumber;
  /** What it counts, in a few words. */
  readonly title: string;
  /** The number is of the whole graph, regardless of the filter. */
  readonly isOfAll?: boolean;
}

/** What is to be explained: a long throughput time, or a condition. */
export type OutcomeChoice =
  { readonly kind: 'median' | 'p90' } | { readonly kind: 'condition'; readonly condition: GraphFilter };

/** What goes with an outcome, and its condition. */
export interface ExplainedOutcome extends CausesAnswer {
  readonly outcome: GraphFilter;
}

/** The subject of a menu. */
export type MenuSubject =
  | { readonly kind: 'export' }
  | { readonly kind: 'snippets' }
  | { readonly kind: 'sourceRows'; readonly target: QueryTarget }
  | { readonly kind: 'violation'; readonly of: BrokenBy; readonly rule: string }
  /** An activity of the map, by its name there. */
  | { readonly kind: 'activity'; readonly activity: string }
  | { readonly kind: 'path'; readonly path: MapEdgeView }
  /** Events in a part of the time. */
  | { readonly kind: 'period'; readonly number: OpenNumber; readonly period: Pick<GraphFilter, 'from' | 'to'> }
  | OpenNumber;

export interface EventGraphState {
  /** The name of a tab in `tabs.ts`. */
  readonly tab: string;
  readonly overview?: Loaded<GraphOverview>;
  readonly filter: GraphFilter;
  /** Earlier filters, the last one at the end. */
  readonly filtersBefore: readonly GraphFilter[];
  /** How many entities of its type the filter leaves; absent without conditions. */
  readonly matching?: Loaded<number>;
  /** The properties of the entities of its type. */
  readonly properties?: Loaded<readonly TypedProperty[]>;
  readonly savedFilters?: Loaded<SavedFilters>;
  /** What is open below the filter. */
  readonly filterPanel?: 'condition' | 'saved';
  readonly draft?: ConditionDraft;
  readonly draftValues?: Loaded<PropertyValues>;
  readonly draftHits?: Loaded<readonly EntityHit[]>;
  readonly draftSearch: string;
  /** Keys of the entities that were chosen for a condition, by id: filters have ids only. */
  readonly entityKeys: Readonly<Record<number, string>>;
  /** A saved filter that is about to be deleted or replaced, once the user confirms it. */
  readonly doubtedFilter?: { readonly name: string; readonly by: 'delete' | 'replace' };
  /** The user has chosen the entity type, or all types, on this page, so it is not the default of the map. */
  readonly hasChosenType: boolean;
  readonly mapParams: Omit<MapParams, 'filter'>;
  readonly map?: Loaded<ProcessMapView>;
  /** The variants of the filter without the chosen variant. */
  readonly variants?: Loaded<VariantsView>;
  readonly showsAllVariants: boolean;
  readonly zoom: number;
  /** The map is fitted into its place whenever that or the map changes, until the user zooms. */
  readonly isFitted: boolean;
  /** Index of an activity or a path in the view's list. */
  readonly chosen?: { readonly kind: 'node' | 'edge'; readonly index: number };
  /** Pixels; absent: by the size of the page. */
  readonly sideWidth?: number;
  readonly search: string;
  readonly hits?: Loaded<readonly EntityHit[]>;
  readonly timeline?: Loaded<EntityTimeline>;
  /** Names of the properties whose values timelines show; absent until the user chooses some. */
  readonly shownValues?: readonly string[];
  /** A number that could not be opened, or another request that failed. */
  readonly failure?: Failure;
  readonly events?: Loaded<EventDistribution>;
  readonly property?: { readonly element: number; readonly name: string };
  readonly values?: Loaded<PropertyDistribution>;
  /** The name of the measure that the tab Measures shows. */
  readonly measure: string;
  readonly writtenMeasures?: Loaded<readonly MeasureResult[]>;
  readonly histogram?: Loaded<MeasureHistogram>;
  readonly measureGroups?: Loaded<readonly MeasureAnswer[]>;
  /** A dimension of `measures`. */
  readonly measureBy: string;
  /** Places of the chosen columns of the distribution; `to` moves. */
  readonly brushed?: Brush;
  readonly outcome: OutcomeChoice;
  readonly why?: Loaded<ExplainedOutcome>;
  readonly compare: ComparedEntities;
  /** The map shows both numbers on each path. */
  readonly isComparedOnMap: boolean;
  readonly comparison?: Loaded<FilterComparison>;
  readonly flow?: Loaded<EntityFlow>;
  readonly brushedFlow?: Brush;
  readonly dots?: Loaded<DottedChart>;
  readonly dotsTime: 'absolute' | 'relative';
  readonly brushedEvents?: Brush;
  /** A property of the entities of the type. */
  readonly valuesOf?: string;
  readonly entityValues?: Loaded<PropertyValues>;
  readonly brushedValues?: Brush;
  readonly handoverBy?: string;
  readonly handover?: Loaded<StepsAnswer>;
  readonly cases?: Loaded<EntityCases>;
  readonly caseSort: { readonly column: string; readonly isAscending: boolean };
  readonly rules?: Loaded<readonly FilteredRule[]>;
  /** The number of the chosen rule, from 1. */
  readonly chosenRule?: number;
  readonly rule?: Loaded<RuleDetails>;
  readonly findings?: Loaded<FindingsAnswer>;
  readonly diff?: Loaded<GraphDiff>;
  /** The map of the tab Changes, and the entity type that was chosen for it. */
  readonly changedMap?: Loaded<ChangedMap>;
  readonly changedType?: string;
  readonly menu?: { readonly of: MenuSubject; readonly at: MenuPlace };
  readonly announcement: string;
  /** The choices of the draft that the graph was written from. */
  readonly draftChoices?: DraftChoicesView;
  /** One of them is being changed. */
  readonly isRedrafting?: boolean;
}

export const firstState: EventGraphState = {
  tab: 'map',
  filter: {},
  filtersBefore: [],
  draftSearch: '',
  entityKeys: {},
  hasChosenType: false,
  mapParams: {},
  showsAllVariants: false,
  zoom: 1,
  isFitted: true,
  measure: 'throughput',
  measureBy: 'variant',
  outcome: { kind: 'p90' },
  compare: { kind: 'others' },
  isComparedOnMap: false,
  dotsTime: 'absolute',
  caseSort: { column: 'throughput', isAscending: false },
  search: '',
  announcement: '',
};

/** User actions in the event graph view. */
export interface EventGraphActions {
  show(tab: string): void;
  filterBy(filter: GraphFilter): void;
  /** Opens or closes the editor of conditions, or the saved filters. */
  openConditions(): void;
  openSavedFilters(): void;
  closeFilterPanel(): void;
  /** Takes the question about a saved filter back, or closes what is below the filter. */
  backOut(): void;
  chooseSubject(subject: DraftSubject): void;
  setDraft(part: Partial<ConditionDraft>): void;
  /** Searches values, or related entities. */
  searchDraft(text: string): void;
  /** Filters by the draft too. */
  applyDraft(): void;
  useSavedFilter(name: string): void;
  /** Saves the filter, or asks whether to replace the one of that name. */
  saveFilter(name: string): void;
  /** Asks whether to delete a saved filter. */
  deleteFilter(name: string): void;
  /** Deletes or replaces what was asked about. */
  confirmDoubt(): void;
  /** Brings the filter before the last change back. */
  undoFilter(): void;
  suggestRules(): void;
  /** Only entities with, or without, an activity of the map. */
  filterByActivity(activity: string, occurs: boolean): void;
  /** Only entities that take a path, or are slower there. */
  filterByPath(path: PathCondition): void;
  /** Takes all conditions back but the entity type. */
  clearFilter(): void;
  /** Shows only the entities of a variant; of all variants again without one. */
  chooseVariant(variant: VariantCondition | undefined): void;
  showAllVariants(shows: boolean): void;
  readVariants(): void;
  setMap(params: Partial<Omit<MapParams, 'filter'>>): void;
  /** @param factor 0 fits the map into its place */
  zoomBy(factor: number): void;
  choose(chosen: EventGraphState['chosen']): void;
  /** @param width 0: by the size of the page */
  widenSide(width: number): void;
  /** Shows another measure of the type. */
  chooseMeasure(name: string): void;
  groupMeasure(dimension: string): void;
  brushThroughput(brushed: EventGraphState['brushed']): void;
  /** Only entities in the chosen columns. */
  filterByThroughput(): void;
  chooseOutcome(outcome: OutcomeChoice): void;
  /** Shows what goes with an outcome. */
  explain(outcome: GraphFilter): void;
  /** Only entities with values that go with the outcome. */
  filterByCause(values: readonly CauseValue[]): void;
  compareWith(compare: ComparedEntities): void;
  compareWithSaved(name: string): void;
  /** Keeps the filter as the other side. */
  compareWithThis(): void;
  showsComparisonOnMap(shows: boolean): void;
  alignDots(time: EventGraphState['dotsTime']): void;
  brushFlow(brushed: Brush | undefined): void;
  filterByFlow(): void;
  brushEvents(brushed: Brush | undefined): void;
  /** Only entities with events in the chosen part; of one part its menu. */
  chooseEvents(at: MenuPlace): void;
  chooseEntityProperty(name: string): void;
  brushValues(brushed: Brush | undefined): void;
  filterByValues(): void;
  chooseHandover(property: string): void;
  sortCases(column: string): void;
  showMoreCases(): void;
  searchFor(text: string): void;
  openEntity(id: number): void;
  showValues(properties: readonly string[]): void;
  dismissFailure(): void;
  /** Another choice of the draft; without one, that before the last change. */
  changeDraftChoice(choice?: DraftAnswer): void;
  dismissDraftChoices(): void;
  openText(): void;
  chooseProperty(element: number, name: string): void;
  /** @param inPageColours instead of colours for paper */
  exportImage(kind: 'svg' | 'png', inPageColours: boolean): Promise<void>;
  exportRows(format: 'csv' | 'spreadsheet'): void;
  /** Exports the whole graph. */
  exportGraph(): void;
  copySnippet(kind: SnippetKind): void;
  /** @param sql a statement to start with */
  openSqlConsole(sql?: string): void;
  /** @param property the property by whose values violations are grouped; default: the most informative one */
  chooseRule(rule: number, property?: string): void;
  /** Draws the map of the tab Changes for another entity type. */
  chooseChangedType(entityType: string): void;
  /** Shows the map of the entities that break a rule. */
  mapRule(rule: NonNullable<GraphFilter['rule']>, entityType: string | undefined): void;
  /** Lists the entities with a key that contains a text. */
  findInTimeline(entityType: string, key: string): void;
  /** Shows an entity on the timeline. */
  openTimeline(entity: number): void;
  importNow(): void;
  /** Copies a graph from its source to this machine. */
  fetchGraph(): void;
  reload(): void;
  /** Cancels the running queries. A page that showed earlier answers has the filter of these again. */
  stopReading(): void;
  openNumber(open: OpenNumber, part: NumberPart): void;
  /** The rows behind a number of the changes. */
  openChangedRows(
    number: { readonly part: ChangePart; readonly kind: ChangeKind; readonly name: string },
    title: string,
  ): void;
  openSourceRows(target: QueryTarget, part: 'rows' | 'sql'): void;
  /** Says in the file that a finding is as it should be. */
  acceptFinding(finding: Finding): void;
  mendFinding(fix: FindingFix): void;
  /** Makes a test of the rows of an entity that breaks a rule. */
  createTest(targets: readonly QueryTarget[], name: string, rule: string): void;
  openMenu(of: MenuSubject, at: MenuPlace): void;
  closeMenu(): void;
}

/** The last loaded value, while another is loading. */
export function shownValue<T>(loaded: Loaded<T> | undefined): T | undefined {
  if (loaded?.kind === 'known') return loaded.value;
  return loaded?.kind === 'loading' ? loaded.before : undefined;
}
