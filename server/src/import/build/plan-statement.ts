import type { PlanStatement } from '../../query/compiled-query.ts';

/** A step that makes nothing: statements that count, check or put things in their place, one after the other. */
export interface StatementsStep {
  /** Unique in its plan, such as `counts_1` or `checks`. */
  readonly name: string;
  /** What it does, for progress and reports. */
  readonly title: string;
  readonly statements: readonly PlanStatement[];
}

/** What stands in a plan for a value that only the run knows. */
export const runValue = '…';
