/** The result of a process rule on an imported graph (docs/semantics.md#17-process-rules). */
export interface RuleResult {
  readonly name: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly judged: number;
  /** Those that have what the expectations count from: kept + broken + pending + undecided. */
  readonly concerned: number;
  readonly kept: number;
  readonly broken: number;
  /** Neither kept nor broken yet: a deadline has not passed. */
  readonly pending: number;
  readonly undecided: number;
  /** kept / (kept + broken); null when nothing is decided. */
  readonly share: number | null;
  /** The share that must keep it. */
  readonly atLeast: number;
  readonly holds: boolean;
  /** The statement that judges it; empty if it could not be made. */
  readonly sql: string;
  readonly violations: readonly RuleViolation[];
  /** Why it could not be judged. */
  readonly error?: string;
}

export interface RuleViolation {
  /** Null for an event without an entity. */
  readonly entity: { readonly type: string; readonly key: string } | null;
  /** Id of the judged event. */
  readonly event?: number;
  /** The text of the violation. */
  readonly detail: string;
  /** How many violations this one stands for, such as rows with the same value; default: one. */
  readonly count?: number;
}
