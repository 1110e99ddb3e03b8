import type {
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
} from '../analysis.ts';
import type {
  ChangedMap,
  DraftChoicesView,
  EntityHit,
  EntityTimeline,
  EventDistribution,
  FilteredRule,
  GraphOverview,
  GraphTableView,
  MapPicture,
  NumberSql,
  ProcessMapView,
  PropertyDistribution,
  RuleDetails,
  SavedFilters,
  VariantsView,
} from '../event-graph.ts';
import type { FindingsAnswer } from '../findings.ts';
import type { GraphDiff } from '../graph-diff.ts';
import type { MeasureResult } from '../measures.ts';
import type { TestQueryResult } from '../query-results.ts';
import type { RuleSuggestion } from '../rule-suggestions.ts';
import { fixedElements } from '../shapes/canvas-shapes.ts';
import { draftAnswer } from '../shapes/draft-shapes.ts';
import { image } from '../shapes/image-shape.ts';
import {
  changeFields,
  comparedEntities,
  graphFilter,
  mapParams,
  mapPictureParams,
  mapWords,
  numberFields,
  numberParams,
  numberPart,
  snippetKind,
  typeFilter,
} from '../shapes/event-graph-shapes.ts';
import { queryTarget } from '../shapes/query-shapes.ts';
import { type PageRequests, type ParamsOf, type ResultOf, request } from '../shapes/request-shape.ts';
import {
  type Checked,
  type Shape,
  anything,
  choice,
  count,
  flag,
  list,
  number,
  object,
  optional,
  text,
} from '../shapes/shape.ts';

/** The language server adds the text of the file to each question; without it, rules and measures are those of the import, and no finding is accepted. */
const rulesText = { text: optional(text) };

/** Queries on an imported graph. */
export const eventGraphQuestions = {
  overview: request({}).gives<GraphOverview>(),
  map: request(mapParams).gives<ProcessMapView>(),
  mapPicture: request(mapPictureParams).gives<MapPicture>(),
  /** The variants of the entities of a filter. `lifecycle` distinguishes start events from change events. */
  variants: request({ filter: graphFilter, lifecycle: optional(flag) }).gives<VariantsView>(),
  /**
   * Measures of the entities of a filter in groups, beside those of another filter of the same type. Default measures:
   * throughput, events, rework, idle. `by`: properties, variant, day, week, month, quarter, year.
   */
  measures: request({
    filter: typeFilter,
    measures: optional(list(text)),
    by: optional(list(text)),
    compare: optional(typeFilter),
    /** Groups of an answer; the others are counted. Default: all. */
    limit: optional(count),
    ...rulesText,
  }).gives<readonly MeasureAnswer[]>(),
  /** The measures of the file, over the whole graph. */
  writtenMeasures: request(rulesText).gives<readonly MeasureResult[]>(),
  /** How many entities a filter leaves. */
  countEntities: request({ filter: typeFilter }).gives<number>(),
  /** The values of a measure in classes of equal width. */
  histogram: request({ filter: typeFilter, measure: text, bins: count, ...rulesText }).gives<MeasureHistogram>(),
  /** The entities of a filter with their measures and properties, sorted by one of them, the largest first. */
  cases: request({
    filter: typeFilter,
    sort: optional(text),
    ascending: optional(flag),
    limit: count,
    offset: optional(count),
  }).gives<EntityCases>(),
  /** The last known values of a property of the entities of a filter. `search`: only values that contain it are listed. */
  propertyValues: request({
    filter: typeFilter,
    property: text,
    bins: count,
    search: optional(text),
  }).gives<PropertyValues>(),
  /** What goes with an outcome among the entities of a filter. */
  why: request({ filter: typeFilter, outcome: typeFilter }).gives<CausesAnswer>(),
  /** The entities of a filter beside others. */
  comparison: request({ filter: typeFilter, compare: comparedEntities }).gives<FilterComparison>(),
  /** Arrivals, completions and work in progress over time. */
  flow: request({ filter: typeFilter }).gives<EntityFlow>(),
  /** Events as points in a grid. */
  dots: request({
    filter: typeFilter,
    time: choice({ absolute: true, relative: true }),
    columns: count,
    rows: count,
  }).gives<DottedChart>(),
  /** Work that goes from one value of a property of events to another. */
  handover: request({ filter: typeFilter, property: text }).gives<StepsAnswer>(),
  /** The properties of the entities of a type. */
  properties: request({ entityType: text }).gives<readonly TypedProperty[]>(),
  findEntities: request({ search: text, entityType: optional(text), filter: optional(graphFilter) }).gives<
    readonly EntityHit[]
  >(),
  timeline: request({ entity: number }).gives<EntityTimeline>(),
  events: request({ filter: graphFilter }).gives<EventDistribution>(),
  property: request({
    element: count,
    property: text,
    filter: optional(graphFilter),
  }).gives<PropertyDistribution>(),
  /** The rules of the process, judged within a filter, without violations. */
  rules: request({ filter: optional(graphFilter), ...rulesText }).gives<readonly FilteredRule[]>(),
  /**
   * The details of a rule: its number in the file, from 1, and the property by whose values violations are grouped; default:
   * the most informative one.
   */
  rule: request({
    rule: count,
    property: optional(text),
    filter: optional(graphFilter),
    ...rulesText,
  }).gives<RuleDetails>(),
  /** Suggested rules: nearly always kept, and not in the file. */
  suggestRules: request(rulesText).gives<readonly RuleSuggestion[]>(),
  /** What is odd in the data of the whole graph. */
  findings: request(rulesText).gives<FindingsAnswer>(),
  /** The SQL of a number on the page, and of the rows that it counts. */
  numberSql: request(numberParams).gives<NumberSql>(),
  /** One read-only SQL statement. */
  sql: request({ sql: text, limit: count }).gives<TestQueryResult>(),
  /** Tables and columns, for completion. */
  tables: request({}).gives<readonly GraphTableView[]>(),
  /** Code that opens the store in another tool, or its path. `file` is the path of the entity graph in a shell. */
  snippet: request({ kind: snippetKind, file: text }).gives<string>(),
};
export type EventGraphQuestion = keyof typeof eventGraphQuestions;
export type QuestionParams<Q extends EventGraphQuestion> = ParamsOf<(typeof eventGraphQuestions)[Q]>;
export type QuestionAnswer<Q extends EventGraphQuestion> = ResultOf<(typeof eventGraphQuestions)[Q]>;

export const question: Shape<EventGraphQuestion> = choice(
  Object.fromEntries(Object.keys(eventGraphQuestions).map((name) => [name, true])) as Record<EventGraphQuestion, true>,
);

const outer = object({ uri: text, question, params: anything });

/** A query with its parameters. */
export const askedQuestion: Shape<Checked<typeof outer>> = (value, name) => {
  const mistake = outer(value, name);
  if (mistake !== undefined) return mistake;
  const asked = value as Checked<typeof outer>;
  return eventGraphQuestions[asked.question].params(asked.params, name === '' ? 'params' : `${name}.params`);
};

/** Requests of an event graph view about its document, besides the queries. */
export const eventGraphDocumentRequests = {
  /** Differences between the last two imports. */
  graphDiff: request({}).outcome<GraphDiff>(),
  /** The rows behind a number of these differences. */
  changedRows: request({ ...changeFields, limit: count }).outcome<TestQueryResult>(),
  /** The process map of a type with the numbers of the last two imports. */
  changedMap: request({ entityType: text, words: mapWords }).outcome<ChangedMap>(),
  /** Filters that were saved in the state of the graph, by name. */
  savedFilters: request({}).outcome<SavedFilters>(),
  /** Saves a filter under a name; without one, deletes it. Gives all of them. */
  saveFilter: request({ name: text, filter: optional(graphFilter) }).outcome<SavedFilters>(),
};

const { suggestRules: _suggestRules, snippet: _snippet, ...questionsOfPage } = eventGraphQuestions;

/** Queries of an event graph view. */
export const eventGraphPageQuestions = questionsOfPage;

/** Requests of an event graph view to the extension. */
export const eventGraphPageRequests = {
  ...eventGraphPageQuestions,
  ...eventGraphDocumentRequests,
  /** Asks for a path and writes the file. */
  saveImage: request(image).outcome<null>(),
  saveRows: request({ name: text, text }).outcome<null>(),
  openSqlConsole: request({ sql: optional(text) }).outcome<null>(),
  /** Shows the rows that a number counts in the results grid, or its SQL in a console. */
  openNumber: request({ ...numberFields, part: numberPart, title: text }).outcome<null>(),
  /** Shows the rows behind a number of the changes in the results grid. */
  openChangedRows: request({ ...changeFields, title: text }).outcome<null>(),
  /** Queries and shows rows of a data source, or shows the query. */
  openSourceRows: request({ target: queryTarget, part: choice({ rows: true, sql: true }) }).outcome<null>(),
  /** Makes a test of all rows of an entity, in a dialog. */
  createTest: request({ targets: list(queryTarget), name: text, rule: optional(text) }).outcome<null>(),
  /** Asks why a finding is as it should be, and writes that into the file. */
  acceptFinding: request({ finding: text, element: optional(text), column: optional(text) }).outcome<null>(),
  /** Mends a finding by an edit of the file. */
  mendFinding: request({ elements: fixedElements }).outcome<null>(),
  /** The choices of the draft of this graph; null without any, or once they were dismissed. */
  draftChoices: request({}).outcome<DraftChoicesView | null>(),
  /** Drafts again with another choice, or with the one before, and imports. */
  changeDraftChoice: request({ choice: optional(draftAnswer) }).outcome<null>(),
  dismissDraftChoices: request({}).outcome<null>(),
  openText: request({}).outcome<null>(),
  /** Copies a code snippet for other tools, or the path of the store, to the clipboard. */
  copySnippet: request({ kind: snippetKind }).outcome<null>(),
};

export type EventGraphPageRequests = PageRequests<typeof eventGraphPageRequests>;
