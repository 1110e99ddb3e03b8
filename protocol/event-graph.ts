import type { DraftRole } from './first-draft.ts';
import type { ImportNote } from './import-notes.ts';
import type { GraphTotals } from './import-progress.ts';
import type { ImportSlice } from './import-request.ts';
import type { RuleResult } from './process-rules.ts';
import type {
  activityCondition,
  comparedEntities,
  exportFormatName,
  graphFilter,
  mapMeasure,
  mapParams,
  mapPictureParams,
  numberParams,
  numberPart,
  pathCondition,
  pathMeasure,
  shownNumber,
  snippetKind,
  typeFilter,
  valueCondition,
  variantCondition,
} from './shapes/event-graph-shapes.ts';
import type { Checked } from './shapes/shape.ts';

export type GraphFilter = Checked<typeof graphFilter>;
export type TypeFilter = Checked<typeof typeFilter>;
export type ComparedEntities = Checked<typeof comparedEntities>;
export type VariantCondition = Checked<typeof variantCondition>;
export type PathCondition = Checked<typeof pathCondition>;
export type ValueCondition = Checked<typeof valueCondition>;
export type ActivityCondition = Checked<typeof activityCondition>;
export type MapMeasure = Checked<typeof mapMeasure>;
export type PathMeasure = Checked<typeof pathMeasure>;
export type MapParams = Checked<typeof mapParams>;
export type MapPictureParams = Checked<typeof mapPictureParams>;
export type NumberParams = Checked<typeof numberParams>;
export type ShownNumber = Checked<typeof shownNumber>;
export type HistoryNumber = Extract<ShownNumber, { readonly kind: 'history' }>;
export type NumberPart = Checked<typeof numberPart>;
export type ExportFormatName = Checked<typeof exportFormatName>;
export type SnippetKind = Checked<typeof snippetKind>;

/** By name. */
export type SavedFilters = Readonly<Record<string, GraphFilter>>;

/** A query of the folder `queries` beside an entity graph. */
export interface NamedQueryView {
  readonly name: string;
  readonly description?: string | undefined;
  readonly sql: string;
}

/** Entities with the same activities in the same order. */
export interface VariantView {
  /** The place of the variant among all of its type, from 1; absent if it was not read. */
  readonly number?: number;
  readonly id: string;
  /** The first 100 of them. */
  readonly activities: readonly string[];
  readonly events: number;
  readonly entities: number;
  /** Time from the first to the last event of its entities, in milliseconds. */
  readonly median: number;
  readonly p90: number;
}

export interface VariantsView {
  /** The most frequent first. */
  readonly variants: readonly VariantView[];
  /** Number of all variants, and of the entities with events. */
  readonly all: number;
  readonly entities: number;
}

/** The text of an SVG element, with its size. */
export interface MapPicture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** A process map: activities, and frequency and duration of each directly-follows pair. Its picture has a legend at its top, and uses CSS variables of the page for colours. */
export interface ProcessMapView extends MapPicture {
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
  /** The colours of paths that show times: of the shortest and the longest on the map. Absent for counts. */
  readonly scale?: TimeScale | undefined;
  /** CSS colours of the entity types on the map. */
  readonly colours: readonly { readonly entityType: string; readonly colour: string }[];
}

/** A colour scale from no time to the longest time. */
export interface TimeScale {
  /** CSS colours in equal steps. */
  readonly colours: readonly string[];
  /** Formatted durations. */
  readonly from: string;
  readonly to: string;
}

export interface MapNodeView {
  readonly activity: string;
  /** The number on the map: distinct events, unless the map has a measure. */
  readonly count: number;
  /** The count of others, on a map that compares. */
  readonly otherCount?: number | undefined;
  /** Distinct events. */
  readonly events: number;
  /** Entities whose first and whose last event it is. */
  readonly starts: number;
  readonly ends: number;
  /** Absent for an activity whose starts have no ends. */
  readonly service?: ServiceTimeView;
}

/** The times from the starts of an activity to their ends, in milliseconds. */
export interface ServiceTimeView {
  /** Starts with an end. */
  readonly count: number;
  readonly median: number;
  readonly p90: number;
  readonly medianText: string;
  readonly p90Text: string;
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
  readonly total: number;
  /** Formatted duration, such as `2.3 d`. */
  readonly medianText: string;
  readonly p90Text: string;
  readonly totalText: string;
  /** On a map that compares. */
  readonly compared?: ComparedEdge | undefined;
}

/** The numbers of a path that others take, and the shares of both that take it, from 0 to 1; two imports have no shares. */
export interface ComparedEdge extends Pick<MapEdgeView, 'count' | EdgeTime | `${EdgeTime}Text`> {
  readonly share?: number;
  readonly otherShare?: number;
}

/** The drawing of a map with the numbers of two imports. */
export interface ChangedMap {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

type EdgeTime = 'median' | 'p90' | 'total';

/** Queries of a store: one row with the number, then the events, entities and rows that are counted. */
export interface NumberSql {
  readonly number: string;
  readonly events: string;
  readonly entities: string;
  readonly rows: string;
}

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

/** A rule, judged within the filter of the page. */
export interface FilteredRule extends RuleResult {
  /** False without conditions, and for a rule about entities of another type: it is judged for all of them. */
  readonly isFiltered: boolean;
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
    readonly buckets: readonly { readonly start: string; readonly concerned: number; readonly broken: number }[];
  };
  /** Properties that judged things have values of. */
  readonly properties: readonly string[];
  /** Values of one of them, those with most violations first; absent without properties. */
  readonly values?: {
    readonly property: string;
    readonly values: readonly { readonly value: string | null; readonly concerned: number; readonly broken: number }[];
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
  /** The property whose value was searched for, where the key was not. */
  readonly found?: { readonly property: string; readonly value: string };
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
  /** The name in SQL, quoted if it is a keyword. */
  readonly sql: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** An export that was written. */
export interface ExportedGraph {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** What the format cannot hold as the graph has it, a sentence each. */
  readonly notes: readonly string[];
}

/** What was decided when the graph of a data file was drafted. */
export interface DraftChoicesView {
  /** Path of the data file. */
  readonly file: string;
  readonly choices: readonly DraftChoiceView[];
  /** A choice was changed, which can be taken back. */
  readonly canUndo: boolean;
}

export interface DraftChoiceView {
  readonly dataObject: string;
  readonly role: DraftRole;
  readonly columns: readonly string[];
  /** Completes "chosen because it …". */
  readonly reason: string;
  /** The other columns. */
  readonly others: readonly string[];
}
