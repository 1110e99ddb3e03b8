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
  /** Overall progress, 0 to 1; absent when unknown. */
  readonly fraction?: number;
}

/** Result of an import, printed by the command line as the last line (docs/semantics.md#153-import-summary). */
export interface ImportSummary {
  readonly type: 'summary';
  readonly status: 'imported' | 'failed' | 'cancelled';
  /** Absolute path of the store; absent unless imported, and with `engine: source`. */
  readonly store?: string;
  /** The schema with the graph, with `engine: source`. */
  readonly schema?: string;
  readonly elements: readonly ElementCounts[];
  readonly relationships: readonly { readonly name: string; readonly pairs: number }[];
  readonly totals: GraphTotals;
  readonly warnings: readonly string[];
  readonly durationMs: number;
  /** Report of each step of the plan, in order; absent unless imported. */
  readonly steps?: readonly StepReport[];
  /** Set for `--sample` and `--since`. */
  readonly slice?: { readonly sample?: number; readonly since?: string };
  readonly error?: Failure;
  /** The phase in which it failed or was cancelled. */
  readonly failedStep?: ImportStep;
}

/** An executed step of the plan. */
export interface StepReport {
  /** Name as in `entity-graph plan`. */
  readonly name: string;
  readonly durationMs: number;
  /** Rows of the created table. */
  readonly rows?: number;
  /** The rows come from the row cache, not from the source. */
  readonly isUnchanged?: boolean;
}

export interface ElementCounts {
  readonly activityName: string;
  readonly rows: number;
  readonly events: number;
  readonly entities: number;
  readonly rowsWithoutStart: number;
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
