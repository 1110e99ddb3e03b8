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

/** A statement that creates a table or view of a graph, or adds rows to one. */
export interface GraphStatement {
  readonly name: string;
  readonly sql: string;
  /** The created table, as SQL; absent for views, and for statements that add rows. */
  readonly table?: string;
  /** The name of the statement that created the table to which this one adds rows. */
  readonly partOf?: string;
}

/** The name of the statement that adds rows of one of several parts. @param index from 0, which creates the table */
export function nameOfPart(name: string, index: number): string {
  return index === 0 ? name : `${name}_part_${index + 1}`;
}
