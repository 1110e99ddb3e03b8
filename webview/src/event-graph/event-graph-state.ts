import type { EntityCases, MeasureAnswer, MeasureHistogram } from '../../../protocol/analysis.ts';
import type {
  BrokenBy,
  EntityHit,
  EntityTimeline,
  EventDistribution,
  GraphFilter,
  GraphOverview,
  MapEdgeView,
  MapParams,
  NumberPart,
  PathCondition,
  ProcessMapView,
  PropertyDistribution,
  RuleDetails,
  ShownNumber,
  SnippetKind,
  VariantCondition,
  VariantsView,
} from '../../../protocol/event-graph.ts';
import type { GraphDiff } from '../../../protocol/graph-diff.ts';
import type { RuleResult } from '../../../protocol/process-rules.ts';
import type { Failure, QueryTarget } from '../../../protocol/query-results.ts';

/** An asynchronously loaded value. */
export type Loaded<T> =
  | {
      readonly kind: 'loading';
      /** In the clock of `performance.now()`. */ readonly since: number;
      readonly before?: T;
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

/** The subject of a menu. */
export type MenuSubject =
  | { readonly kind: 'export' }
  | { readonly kind: 'snippets' }
  | { readonly kind: 'sourceRows'; readonly target: QueryTarget }
  | { readonly kind: 'violation'; readonly of: BrokenBy; readonly rule: string }
  /** An activity of the map, by its name there. */
  | { readonly kind: 'activity'; readonly activity: string }
  | { readonly kind: 'path'; readonly path: MapEdgeView }
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
  readonly throughput?: Loaded<MeasureHistogram>;
  readonly throughputGroups?: Loaded<readonly MeasureAnswer[]>;
  /** A dimension of `measures`. */
  readonly throughputBy: string;
  /** Places of the chosen columns of the distribution; `to` moves. */
  readonly brushed?: { readonly from: number; readonly to: number };
  readonly cases?: Loaded<EntityCases>;
  readonly caseSort: { readonly column: string; readonly isAscending: boolean };
  readonly rules?: Loaded<readonly RuleResult[]>;
  /** The number of the chosen rule, from 1. */
  readonly chosenRule?: number;
  readonly rule?: Loaded<RuleDetails>;
  readonly diff?: Loaded<GraphDiff>;
  readonly menu?: { readonly of: MenuSubject; readonly at: MenuPlace };
  readonly announcement: string;
}

export const firstState: EventGraphState = {
  tab: 'map',
  filter: {},
  filtersBefore: [],
  hasChosenType: false,
  mapParams: {},
  showsAllVariants: false,
  zoom: 1,
  isFitted: true,
  throughputBy: 'variant',
  caseSort: { column: 'throughput', isAscending: false },
  search: '',
  announcement: '',
};

/** User actions in the event graph view. */
export interface EventGraphActions {
  show(tab: string): void;
  filterBy(filter: GraphFilter): void;
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
  groupThroughput(dimension: string): void;
  brushThroughput(brushed: EventGraphState['brushed']): void;
  /** Only entities in the chosen columns. */
  filterByThroughput(): void;
  sortCases(column: string): void;
  showMoreCases(): void;
  searchFor(text: string): void;
  openEntity(id: number): void;
  showValues(properties: readonly string[]): void;
  dismissFailure(): void;
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
  /** Shows the map of the entities that break a rule. */
  mapRule(rule: NonNullable<GraphFilter['rule']>, entityType: string | undefined): void;
  /** Shows an entity on the timeline. */
  openTimeline(entity: number): void;
  importNow(): void;
  /** Copies a graph from its source to this machine. */
  fetchGraph(): void;
  reload(): void;
  /** Cancels the running query. */
  stopReading(): void;
  openNumber(open: OpenNumber, part: NumberPart): void;
  openSourceRows(target: QueryTarget, part: 'rows' | 'sql'): void;
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
