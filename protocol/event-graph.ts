import type { GraphDiff } from './graph-diff.ts';
import type { GraphTotals } from './import-progress.ts';
import type { Outcome, TestQueryResult } from './query-results.ts';

/** What is asked of an imported graph: question → params and answer. */
export interface EventGraphQuestions {
  overview: { params: object; answer: GraphOverview };
  map: { params: MapParams; answer: ProcessMapView };
  findEntities: { params: { text: string; entityType?: string }; answer: readonly EntityHit[] };
  timeline: { params: { entity: number }; answer: EntityTimeline };
  events: { params: { filter: GraphFilter }; answer: EventDistribution };
  property: { params: { element: number; property: string }; answer: PropertyDistribution };
  /** One read-only statement of the user. */
  sql: { params: { sql: string; limit: number }; answer: TestQueryResult };
  /** Tables and columns, for completion. */
  tables: { params: object; answer: readonly GraphTableView[] };
}
export type EventGraphQuestion = keyof EventGraphQuestions;
export type QuestionParams<Q extends EventGraphQuestion> = EventGraphQuestions[Q]['params'];
export type QuestionAnswer<Q extends EventGraphQuestion> = EventGraphQuestions[Q]['answer'];

/** Entities that are looked at; all conditions must hold. */
export interface GraphFilter {
  readonly entityType?: string;
  /** Entities with an event in this time: ISO 8601, UTC, the end left out. */
  readonly from?: string;
  readonly to?: string;
  /** Entities with an event whose property has this value, as text. */
  readonly property?: { readonly element: number; readonly name: string; readonly value: string };
}

export interface MapParams {
  readonly filter: GraphFilter;
  /** Tells start and change events of one activity apart. */
  readonly lifecycle?: boolean;
  /** Share of activities and of paths that are shown, the most frequent ones: 0 to 1. A readable share when not given. */
  readonly activities?: number;
  readonly paths?: number;
}

/** A process map: activities, and how often and how fast one follows another within an entity. */
export interface ProcessMapView {
  /** The drawing, as the text of an SVG element; colours are the page's variables. */
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly MapNodeView[];
  readonly edges: readonly MapEdgeView[];
  readonly activities: { readonly shown: number; readonly all: number };
  readonly paths: { readonly shown: number; readonly all: number };
  /** Of entities that the filter leaves. */
  readonly entities: number;
}

export interface MapNodeView {
  readonly activity: string;
  readonly events: number;
  readonly starts: number;
  readonly ends: number;
}

export interface MapEdgeView {
  readonly source: string;
  readonly target: string;
  readonly count: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p90: number;
  /** The same in words, such as `2.3 d`. */
  readonly medianText: string;
  readonly p90Text: string;
}

export interface GraphOverview {
  readonly name: string;
  /** Absolute path of the store. */
  readonly store: string;
  /** ISO 8601, UTC: when its import began. */
  readonly imported: string;
  readonly totals: GraphTotals;
  readonly entityTypes: readonly { readonly name: string; readonly entities: number }[];
  readonly activities: readonly { readonly name: string; readonly events: number }[];
  /** Of the first and the last event; absent without events. */
  readonly from?: string;
  readonly to?: string;
  readonly elements: readonly {
    readonly number: number;
    readonly name: string;
    readonly properties: readonly string[];
  }[];
  /** What the import had to say of the data. */
  readonly warnings: readonly string[];
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
  /** More than are shown. */
  readonly truncated: boolean;
  readonly related: readonly {
    readonly id: number;
    readonly entityType: string;
    readonly key: string;
    readonly relationship: string;
  }[];
}

export interface TimelineEvent {
  /** ISO 8601, UTC, microseconds. */
  readonly time: string;
  readonly activity: string;
  readonly lifecycle: string;
  /** `self`, or the relationship or row correlation by which the event belongs here. */
  readonly qualifier: string;
  /** The entity whose event it is; absent where it has none of its own. */
  readonly entity?: { readonly id: number; readonly entityType: string; readonly key: string };
}

/** Events over time, in equal parts of it. */
export interface EventDistribution {
  /** Such as `day`. */
  readonly unit: string;
  readonly buckets: readonly { readonly start: string; readonly events: number }[];
}

export interface PropertyDistribution {
  readonly values: readonly { readonly value: string | null; readonly events: number }[];
  /** Distinct values beyond those listed. */
  readonly others: { readonly values: number; readonly events: number };
}

export interface GraphTableView {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** What the page of an event graph asks of the extension: the questions, and what only the extension can do. */
export type EventGraphPageRequests = {
  readonly [Q in EventGraphQuestion]: { params: QuestionParams<Q>; result: Outcome<QuestionAnswer<Q>> };
} & {
  /** The last import compared with the one before it. */
  readonly diff: { params: object; result: Outcome<GraphDiff> };
  /** Asks where to and writes the file. */
  readonly saveImage: { params: { name: string; kind: 'svg' | 'png'; base64: string }; result: Outcome<null> };
  readonly saveRows: { params: { name: string; text: string }; result: Outcome<null> };
  readonly openSqlConsole: { params: object; result: Outcome<null> };
  /** Puts a ready piece of code for other tools, or the path of the store, into the clipboard. */
  readonly copySnippet: { params: { kind: SnippetKind }; result: Outcome<null> };
};
/** The forms in which a graph is written into files. */
export type ExportForm = 'parquet' | 'csv' | 'ocel-json' | 'ocel-xml' | 'ocel-sqlite' | 'neo4j';

export type SnippetKind = 'path' | 'duckdb' | 'python' | 'cypher';
