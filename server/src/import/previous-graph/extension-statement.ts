import type { PlanStatement } from '../../query/compiled-query.ts';
import type { CountedChange } from './reuse-work.ts';

/** A statement that puts new rows into the copy, or asks whether it can take them. They run in their order. */
export interface ExtensionStatement extends PlanStatement {
  /** Whether the statement is needed, by the counts before it; absent if it always is. */
  readonly when?: ((known: KnownCounts) => boolean) | undefined;
  /** The statement answers these counts. */
  readonly counts?: readonly string[];
  /** The reason, for users, why the copy cannot take the new rows. Throws if it is not the graph of the cached rows. */
  readonly check?: (known: KnownCounts) => string | undefined;
  /** The statement changes as many rows as this one counts (`rows`). */
  readonly expected?: string;
  /** These rows, for errors. */
  readonly what?: string;
  /** The statement counts (`rows`) the rows that this step of a build creates. */
  readonly rowsOf?: string;
}

/** The latest count of a name. Throws if there is none. */
export type KnownCounts = (name: string) => number;

export function titled(
  title: string,
  statements: readonly string[],
  when?: ExtensionStatement['when'],
): readonly ExtensionStatement[] {
  return statements.map((sql) => ({ title, sql, when }));
}

/** @param what the changed rows, for errors */
export function counted(
  title: string,
  changes: readonly CountedChange[],
  what: string,
  when?: ExtensionStatement['when'],
): readonly ExtensionStatement[] {
  return changes.map((change) => ({ title, ...change, what, when }));
}
