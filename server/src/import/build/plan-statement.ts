import type { PlanStatement } from '../../query/compiled-query.ts';

/** A step without a result table: statements that count, check or publish. */
export interface StatementsStep {
  /** Unique in its plan, such as `counts_1` or `checks`. */
  readonly name: string;
  /** Description, for progress and reports. */
  readonly title: string;
  readonly statements: readonly PlanStatement[];
}

/** Placeholder in a plan for a value known at run time only. */
export const runValue = '…';
