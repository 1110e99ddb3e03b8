import type { Failure } from './query-results.ts';

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
  readonly rows?: number;
  /** Of the whole import, 0 to 1; absent when unknown. */
  readonly fraction?: number;
}

/** The last line of an import, whatever its outcome. The command line prints it (docs/semantics.md#153-import-summary). */
export interface ImportSummary {
  readonly type: 'summary';
  readonly status: 'imported' | 'failed' | 'cancelled';
  /** Absolute path of the graph store; absent unless imported, and with `engine: source`. */
  readonly store?: string;
  /** The schema of the source in which the graph was built, with `engine: source`. */
  readonly schema?: string;
  readonly elements: readonly ElementCounts[];
  readonly entities: readonly MasterDataCounts[];
  readonly relationships: readonly { readonly name: string; readonly pairs: number }[];
  readonly totals: GraphTotals;
  readonly warnings: readonly string[];
  readonly durationMs: number;
  /** What each step of the plan did, in order; absent unless imported. */
  readonly steps?: readonly StepReport[];
  /** Set for `--sample` and `--since`. */
  readonly slice?: { readonly sample?: number; readonly since?: string };
  readonly error?: Failure;
  /** The step at which it failed or was cancelled. */
  readonly failedStep?: ImportStep;
}

/** A step of the plan that has run. */
export interface StepReport {
  /** As `entity-graph plan` calls it. */
  readonly name: string;
  readonly durationMs: number;
  /** Rows of the table that it made. */
  readonly rows?: number;
  /** They are those of the import before: the source was not asked for them again. */
  readonly isUnchanged?: boolean;
}

export interface ElementCounts {
  readonly activityName: string;
  readonly rows: number;
  readonly events: number;
  readonly entities: number;
  readonly rowsWithoutStart: number;
  readonly rowsWithoutKey: number;
  /** What its rows name; absent where they name nothing. */
  readonly correlatesWith?: readonly { readonly entityType: string; readonly qualifier: string }[];
}

/** Of an entry of `entities`. */
export interface MasterDataCounts {
  readonly name: string;
  readonly rows: number;
  readonly entities: number;
  readonly rowsWithoutKey: number;
}

export interface GraphTotals {
  readonly events: number;
  readonly entities: number;
  readonly correlations: number;
  readonly relations: number;
  readonly directlyFollows: number;
}

export type ImportMessage = ImportProgress | ImportSummary;
