import type { GraphDiff } from './graph-diff.ts';
import type { ImportSlice } from './import-request.ts';
import type { GraphTotals } from './import-progress.ts';
import type { ImportNote, NotedInGraph } from './import-notes.ts';
import type { MapWords } from './map-words.ts';
import type { RuleResult } from './process-rules.ts';
import type { RuleSuggestion } from './rule-suggestions.ts';
import type { Outcome, QueryTarget, TestQueryResult } from './query-results.ts';

/** Queries on an imported graph: name → parameters and result. */
export interface EventGraphQuestions {
  overview: { params: object; answer: GraphOverview };
  map: { params: MapParams; answer: ProcessMapView };
  /** The variants of the entities of a filter. @param lifecycle distinguishes start events from change events */
  variants: { params: { filter: GraphFilter; lifecycle?: boolean }; answer: VariantsView };
  findEntities: { params: { text: string; entityType?: string }; answer: readonly EntityHit[] };
  timeline: { params: { entity: number }; answer: EntityTimeline };
  events: { params: { filter: GraphFilter }; answer: EventDistribution };
  property: { params: { element: number; property: string; filter?: GraphFilter }; answer: PropertyDistribution };
  /** The rules of the process, judged, without violations. The language server adds the text of the file; without it, that of the import is judged. */
  rules: { params: { text?: string }; answer: readonly RuleResult[] };
  /**
   * The details of a rule. @param rule its number in the file, from 1 @param property the property by whose values
   * violations are grouped; default: the most informative one
   */
  rule: { params: { rule: number; property?: string; text?: string }; answer: RuleDetails };
  /** Suggested rules: nearly always kept, and not in the file. */
  suggestRules: { params: { text?: string }; answer: readonly RuleSuggestion[] };
  /** The SQL of a number on the page, and of the rows that it counts. */
  numberSql: { params: NumberParams; answer: NumberSql };
  /** One read-only SQL statement. */
  sql: { params: { sql: string; limit: number }; answer: TestQueryResult };
  /** Tables and columns, for completion. */
  tables: { params: object; answer: readonly GraphTableView[] };
  /** Code that opens the store in another tool, or its path. @param file path of the entity graph in a shell */
  snippet: { params: { kind: SnippetKind; file: string }; answer: string };
}
export type EventGraphQuestion = keyof EventGraphQuestions;
export type QuestionParams<Q extends EventGraphQuestion> = EventGraphQuestions[Q]['params'];
export type QuestionAnswer<Q extends EventGraphQuestion> = EventGraphQuestions[Q]['answer'];

/** Entity filter; all conditions must hold. */
export interface GraphFilter {
  readonly entityType?: string;
  /** Entities with an event in this time range: ISO 8601, UTC, end exclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Entities with an event with this property value, as text. */
  readonly property?: { readonly element: number; readonly name: string; readonly value: string };
  /** Entities that break a rule, or whose events break it. The number is that in the table `rule`, the name is displayed. */
  readonly rule?: { readonly number: number; readonly name: string };
  /** Entities with, or without, an event of each of these activities. */
  readonly activities?: readonly ActivityCondition[];
  /** Entities of one variant. */
  readonly variant?: VariantCondition;
}

/** That the events of an entity are of some activities, in their order. */
export interface VariantCondition {
  /** A hash of the activities. */
  readonly id: string;
  /** Number of events. */
  readonly events: number;
  /** Start and change events are separate. */
  readonly lifecycle?: boolean;
}

/** Entities with the same activities in the same order. */
export interface VariantView {
  readonly id: string;
  /** The first 100 of them. */
  readonly activities: readonly string[];
  readonly events: number;
  readonly entities: number;
}

export interface VariantsView {
  /** The most frequent first. */
  readonly variants: readonly VariantView[];
  /** Number of all variants, and of the entities with events. */
  readonly all: number;
  readonly entities: number;
}

/** Whether an entity has events of an activity. */
export interface ActivityCondition {
  readonly activity: string;
  readonly occurs: boolean;
  /** The activity is named as on a map that shows start and change events separately, and means one of the two. */
  readonly lifecycle?: boolean;
}

/** Measure of a map of all entity types. */
export type MapMeasure = 'events' | 'objects' | 'pairs';

export interface MapParams {
  /** Without an entity type the map is that of all types, with a path for each of them. */
  readonly filter: GraphFilter;
  /** What a map of all types counts: distinct events (the default), distinct objects, or pairs of both. */
  readonly measure?: MapMeasure;
  /** Shows start and change events of an activity separately. */
  readonly lifecycle?: boolean;
  /** Share of the most frequent activities and paths to show, 0 to 1. Default: a readable share. */
  readonly activities?: number | undefined;
  readonly paths?: number | undefined;
  /** Language of the drawing; default: English. */
  readonly words?: MapWords;
}

/** A process map: activities, and frequency and duration of each directly-follows pair. */
export interface ProcessMapView {
  /** The text of an SVG element with a legend at its top; it uses CSS variables of the page for colours. */
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** Sentences that describe the counts, and the height of the legend in the drawing, in pixels. */
  readonly legend: { readonly sentences: readonly string[]; readonly height: number };
  readonly nodes: readonly MapNodeView[];
  readonly edges: readonly MapEdgeView[];
  readonly activities: { readonly shown: number; readonly all: number };
  readonly paths: { readonly shown: number; readonly all: number };
  /** Distinct entities that the filter leaves, and their distinct events. */
  readonly entities: number;
  readonly events: number;
  /** The measure of the counts. Absent: distinct events and rows of `directly_follows`, of one entity type. */
  readonly measure?: MapMeasure | undefined;
  /** CSS colours of the entity types on the map. */
  readonly colours: readonly { readonly entityType: string; readonly colour: string }[];
}

export interface MapNodeView {
  readonly activity: string;
  /** The number on the map: distinct events, unless the map has a measure. */
  readonly count: number;
  /** Distinct events. */
  readonly events: number;
  /** Entities whose first and whose last event it is. */
  readonly starts: number;
  readonly ends: number;
}

export interface MapEdgeView {
  readonly source: string;
  readonly target: string;
  /** On a map of all types: the type of the entities on the path. */
  readonly entityType?: string;
  /** Rows of `directly_follows`, unless the map has a measure. */
  readonly count: number;
  /** Durations of the rows of `directly_follows`, in milliseconds. */
  readonly median: number;
  readonly p90: number;
  /** Formatted duration, such as `2.3 d`. */
  readonly medianText: string;
  readonly p90Text: string;
}

/** A number that the page shows, of the map or the distributions of a filter. */
export interface NumberParams extends Omit<MapParams, 'activities' | 'paths' | 'words'> {
  readonly number: ShownNumber;
}

export type ShownNumber =
  /** At an activity of the map: its count, its distinct events, the entities whose first or last event it is. */
  | { readonly kind: 'node'; readonly activity: string; readonly number: 'count' | 'events' | 'starts' | 'ends' }
  | {
      readonly kind: 'path';
      readonly source: string;
      readonly target: string;
      readonly entityType?: string;
      readonly number: 'count' | 'median' | 'p90';
    }
  /** All entities of the filter, and all their events. */
  | { readonly kind: 'entities' }
  | { readonly kind: 'events' }
  /** Events in a part of the time, as `EventDistribution` has them. */
  | { readonly kind: 'time'; readonly unit: string; readonly start: string }
  | { readonly kind: 'value'; readonly element: number; readonly property: string; readonly value: string | null }
  /** Rows of a whole table. */
  | { readonly kind: 'total'; readonly total: keyof GraphTotals }
  /** The events of one entity. */
  | { readonly kind: 'entity'; readonly id: number }
  | { readonly kind: 'event'; readonly id: number }
  /** All violations of a rule, by its number in the table `rule`. */
  | { readonly kind: 'broken'; readonly rule: number }
  /** The values of a property that are not shown: their number, or the number of their events. */
  | {
      readonly kind: 'otherValues';
      readonly element: number;
      readonly property: string;
      readonly shown: readonly (string | null)[];
      readonly number: 'values' | 'events';
    }
  /** Rows of a table of the graph. */
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'entityType'; readonly entityType: string }
  | { readonly kind: 'relationship'; readonly relationship: string }
  /** In a warning of the import. */
  | NotedInGraph
  | HistoryNumber;

/** The values that a property of an entity had, one after the other. */
export interface HistoryNumber {
  readonly kind: 'history';
  readonly entity: number;
  readonly property: string;
}

/** Queries of a store: one row with the number, then the events, entities and rows that are counted. */
export interface NumberSql {
  readonly number: string;
  readonly events: string;
  readonly entities: string;
  readonly rows: string;
}

/** The part of a number to open: rows in the grid of results, or its SQL in a console. */
export type NumberPart = 'events' | 'entities' | 'rows' | 'sql';

export interface GraphOverview {
  readonly name: string;
  /** Absolute path of the store. */
  readonly store: string;
  /** Start of the import: ISO 8601, UTC. */
  readonly imported: string;
  /** What the import was limited to; absent for the whole graph. */
  readonly slice?: ImportSlice | undefined;
  readonly totals: GraphTotals;
  /** The colour is a CSS colour, the same wherever the type is shown. */
  readonly entityTypes: readonly { readonly name: string; readonly entities: number; readonly colour: string }[];
  /** The type that a process map shows first; absent without entities. */
  readonly mapEntityType?: string | undefined;
  readonly activities: readonly { readonly name: string; readonly events: number }[];
  /** Times of the first and the last event; absent without events. */
  readonly from?: string;
  readonly to?: string;
  readonly elements: readonly {
    readonly number: number;
    readonly name: string;
    readonly properties: readonly string[];
  }[];
  /** Findings of the import about the data. */
  readonly notes: readonly ImportNote[];
  /** How many rules the import has judged. */
  readonly rules: number;
}

/** A judged rule with its violations by entity, time and values of properties. */
export interface RuleDetails {
  readonly result: RuleResult;
  /** In words. */
  readonly expectations: readonly string[];
  readonly violations: readonly BrokenBy[];
  /** By the time of judged events, or of the first event of judged entities. */
  readonly trend: {
    readonly unit: string;
    readonly buckets: readonly { readonly start: string; readonly judged: number; readonly broken: number }[];
  };
  /** Properties that judged things have values of. */
  readonly properties: readonly string[];
  /** Values of one of them, those with most violations first; absent without properties. */
  readonly values?: {
    readonly property: string;
    readonly values: readonly { readonly value: string | null; readonly judged: number; readonly broken: number }[];
    /** How many there are besides. */
    readonly others: number;
  };
  /** The number of the same rule in the table `rule`: its violations can be a filter. Absent if it was changed since the import. */
  readonly imported?: number | undefined;
}

export interface BrokenBy {
  /** Absent for an event without an entity. */
  readonly entity?: { readonly id: number; readonly entityType: string; readonly key: string } | undefined;
  readonly event?: number | undefined;
  /** The text of the violation. */
  readonly detail: string;
  /** The entries with rows of its entity: elements that make its events, and entries of `entities`. */
  readonly rows: readonly { readonly kind: 'element' | 'entities'; readonly name: string }[];
}

export interface EntityHit {
  readonly id: number;
  readonly entityType: string;
  readonly key: string;
  readonly events: number;
}

export interface EntityTimeline {
  readonly entity: EntityHit;
  readonly events: readonly TimelineEvent[];
  /** Whether there are more than shown. */
  readonly truncated: boolean;
  /** Values of its properties over time (docs/semantics.md#105-values-over-time), up to the last event shown. */
  readonly values: EntityValues;
  readonly related: readonly {
    readonly id: number;
    readonly entityType: string;
    readonly key: string;
    readonly relationship: string;
  }[];
}

export interface EntityValues {
  /** All properties in the order of their tables, with the number of values that one after the other were valid. */
  readonly properties: readonly { readonly name: string; readonly changes: number }[];
  /** In order of time. */
  readonly changes: readonly ValueChange[];
}

export interface ValueChange {
  readonly property: string;
  /** Id of the event; absent for a value of master data. */
  readonly event?: number | undefined;
  /** Since when a value of master data holds, ISO 8601, UTC; absent where it was there before any event. */
  readonly time?: string | undefined;
  /** Absent for the first value. */
  readonly before?: string | undefined;
  readonly after: string;
}

export interface TimelineEvent {
  readonly id: number;
  /** ISO 8601, UTC, microseconds. */
  readonly time: string;
  readonly activity: string;
  readonly lifecycle: string;
  /** `self`, or the relationships by which the event belongs here. */
  readonly qualifier: string;
  /** The own entity of the event; absent if it has none. */
  readonly entity?: { readonly id: number; readonly entityType: string; readonly key: string };
}

/** Events by activity, and over time, in equal parts of it. */
export interface EventDistribution {
  readonly activities: readonly { readonly name: string; readonly events: number }[];
  /** Interval name, such as `day`. */
  readonly unit: string;
  readonly buckets: readonly { readonly start: string; readonly events: number }[];
}

export interface PropertyDistribution {
  readonly values: readonly { readonly value: string | null; readonly events: number }[];
  /** Number of further distinct values. */
  readonly others: { readonly values: number; readonly events: number };
}

export interface GraphTableView {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Requests of the event graph view: the queries, and functions of the extension. */
export type EventGraphPageRequests = {
  readonly [Q in Exclude<EventGraphQuestion, 'suggestRules' | 'snippet'>]: {
    params: QuestionParams<Q>;
    result: Outcome<QuestionAnswer<Q>>;
  };
} & {
  /** Differences between the last two imports. */
  readonly diff: { params: object; result: Outcome<GraphDiff> };
  /** Asks for a path and writes the file. */
  readonly saveImage: { params: { name: string; kind: 'svg' | 'png'; base64: string }; result: Outcome<null> };
  readonly saveRows: { params: { name: string; text: string }; result: Outcome<null> };
  readonly openSqlConsole: { params: { sql?: string }; result: Outcome<null> };
  /** Shows the rows that a number counts in the results grid, or its SQL in a console. */
  readonly openNumber: {
    params: NumberParams & { readonly part: NumberPart; readonly title: string };
    result: Outcome<null>;
  };
  /** Queries and shows rows of a data source, or shows the query. */
  readonly openSourceRows: {
    params: { readonly target: QueryTarget; readonly part: 'rows' | 'sql' };
    result: Outcome<null>;
  };
  /** Makes a test of all rows of an entity, in a dialog. */
  readonly createTest: {
    params: { readonly targets: readonly QueryTarget[]; readonly name: string; readonly rule?: string };
    result: Outcome<null>;
  };
  /** Copies a code snippet for other tools, or the path of the store, to the clipboard. */
  readonly copySnippet: { params: { kind: SnippetKind }; result: Outcome<null> };
};
/** An export that was written. */
export interface ExportedGraph {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** What the format cannot hold as the graph has it, a sentence each. */
  readonly notes: readonly string[];
}

/** Export formats. */
export type ExportFormatName =
  'parquet' | 'csv' | 'ocel-json' | 'ocel-xml' | 'ocel-sqlite' | 'neo4j' | 'xes' | 'csv-log';

export type SnippetKind = 'path' | 'duckdb' | 'python' | 'cypher';
