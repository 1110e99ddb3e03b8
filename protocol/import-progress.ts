import type { ImportNote } from './import-notes.ts';
import type { ImportSlice } from './import-request.ts';
import type { MeasureResult } from './measures.ts';
import type { RuleResult } from './process-rules.ts';
import type { BrokenGuard, Failure, QueryTarget } from './query-results.ts';

export const importSteps = [
  'schema discovery',
  'validation',
  'data pull',
  'graph build',
  'post-load checks',
  'Import Done',
] as const;
export type ImportStep = (typeof importSteps)[number];

export interface ImportProgress {
  readonly type: 'progress';
  readonly step: ImportStep;
  readonly message: string;
  readonly rows?: number | undefined;
  /** Overall progress, 0 to 1; absent when unknown. */
  readonly fraction?: number;
  /** The graph is taking its place, which a cancellation may be too late to stop. */
  readonly isPublishing?: true;
}

/** Result of an import, printed by the command line as the last line (docs/semantics.md#153-import-summary). */
export type ImportOutcome = ImportedGraph | StoppedImport | ImportWithoutRun;

/** A graph that was built and checked, and has taken its place. */
export interface ImportedGraph extends ImportRun {
  readonly status: 'imported';
  /** Absolute path of the graph store; absent with `engine: source`. */
  readonly store?: string;
  /** The schema with the graph, with `engine: source`. */
  readonly schema?: string;
  readonly elements: readonly ElementCounts[];
  readonly entities: readonly MasterDataCounts[];
  readonly relationships: readonly RelationshipCounts[];
  readonly totals: GraphTotals;
  /** Results of `expect` of elements and entries of `entities`; absent without any, and for a sample. */
  readonly expectations?: readonly RowExpectationResult[] | undefined;
  /** Broken guards that did not stop the import; absent without any. */
  readonly guards?: readonly BrokenGuard[] | undefined;
  /** Results of the process rules; absent without any, and for a slice. */
  readonly rules?: readonly RuleResult[] | undefined;
  /** Results of the measures; absent without any, and for a slice. */
  readonly measures?: readonly MeasureResult[] | undefined;
  /** When each data source was read; only of a graph of several. */
  readonly dataSources?: readonly DataSourceRead[];
  readonly warnings: readonly string[];
  /** The warnings in parts, with the meaning of their numbers. */
  readonly notes?: readonly ImportNote[];
  /** Report of each step of the plan, in order. */
  readonly steps: readonly StepReport[];
}

/** An import that began and changed nothing. */
export interface StoppedImport extends ImportRun {
  readonly status: 'failed' | 'cancelled';
  readonly error: Failure;
  /** The step at which it ended. */
  readonly failedStep: ImportStep;
}

/**
 * An import without counts: it was refused, or cancelled while it waited, or the language server ended before it could
 * answer (`lost`).
 */
interface ImportWithoutRun {
  readonly status: 'refused' | 'cancelled before it began' | 'lost';
  readonly error: Failure;
}

/** Data of every import that ran. */
export interface ImportRun {
  readonly durationMs: number;
  /** Set for `--sample` and `--since`. */
  readonly slice?: ImportSlice;
}

/** What an import read of one data source. */
export interface DataSourceRead {
  readonly name: string;
  readonly kind: string;
  /** ISO 8601, UTC: the graph shows what the data source contained then. */
  readonly readAt: string;
  readonly rows: number;
  /** The data source could not be reached: these are rows kept from an earlier import, read at `readAt`. */
  readonly isKept?: boolean;
}

/** An executed step of the plan. */
export interface StepReport {
  /** Name as in `entity-graph plan`. */
  readonly name: string;
  readonly durationMs: number;
  /** Rows of the created table, including those that later steps add. */
  readonly rows?: number;
  /** The rows come from the row cache, not from the source. */
  readonly isUnchanged?: boolean;
  /** How many of the rows come from the row cache, where the others were read. A name of the run record, older than the term *kept rows*. */
  readonly keptRows?: number;
  /** Never set: every import builds all tables. Kept for programs that read it. */
  readonly isReused?: boolean;
  /** Never set, like `isReused`. */
  readonly builtAnew?: string;
}

/** The activities of an element that takes them from a column. */
export interface ElementActivities {
  readonly column: string;
  /** The most frequent ones, these first. */
  readonly names: readonly string[];
  /** Of all. */
  readonly count: number;
}

export interface ElementCounts {
  readonly activityName: string;
  readonly rows: number;
  readonly events: number;
  readonly entities: number;
  readonly rowsWithoutStart: number;
  readonly rowsWithoutKey: number;
  /** Of an element with an activity column. */
  readonly activities?: ElementActivities;
  /** Counts of row correlations; absent without any. */
  readonly correlatesWith?: readonly { readonly entityType: string; readonly qualifier: string }[];
}

type RowExpectationKind = 'unique' | 'notNull' | 'values' | 'rows';

/** Whether the rows of an element, or of an entry of `entities`, are as it expects (`expect`). */
export interface RowExpectationResult {
  /** The activity name, or the name of the entry. */
  readonly element: string;
  readonly isOfEntities?: true;
  readonly expectation: RowExpectationKind;
  /** Its place, from 0, among those of its kind. */
  readonly index: number;
  readonly severity: 'error' | 'warning' | 'info';
  /** None for `rows`. */
  readonly columns: readonly string[];
  /** Number of judged rows; with `unique` and `values`, rows without a value are not judged. */
  readonly judged: number;
  /** Rows that break it; 1 if the number of rows does. */
  readonly broken: number;
  readonly holds: boolean;
  /** Up to three values with their rows; with `notNull` the key of a row. */
  readonly examples: readonly { readonly value: string; readonly rows: number }[];
  /** The expected number of rows, in words. */
  readonly expected?: string;
}

/** The stored result of an expectation after an import, for the editor. */
export interface KeptExpectation extends Omit<RowExpectationResult, 'severity' | 'examples'> {
  /** The warning of the import, with its examples; absent where the expectation holds. */
  readonly warning?: string;
  /** The rows that break it; absent if the data source cannot select exactly these. */
  readonly rows?: QueryTarget;
}

/** Counts of an entry of `entities`. */
export interface MasterDataCounts {
  readonly name: string;
  readonly rows: number;
  readonly entities: number;
  /** Rows with key, where `validFrom` makes them versions of their entities. */
  readonly versions?: number;
  readonly rowsWithoutKey: number;
}

/** Counts of a relationship. */
export interface RelationshipCounts {
  readonly name: string;
  readonly pairs: number;
  /** Absent for a slice, and for an end without entities. */
  readonly source?: RelatedEntities | undefined;
  readonly target?: RelatedEntities | undefined;
}

/** How many entities of one end of a relationship are in a pair. */
export interface RelatedEntities {
  /** The element, or the entry of `entities`. */
  readonly name: string;
  /** All entities of this end. */
  readonly entities: number;
  readonly related: number;
}

export interface GraphTotals {
  readonly events: number;
  readonly entities: number;
  readonly correlations: number;
  readonly relations: number;
  readonly directlyFollows: number;
}
