import type { BuildDatabase } from '../../store/duckdb-store.ts';
import type { ImportJob } from '../import-job.ts';
import type { PulledPlan } from '../pull-plan.ts';
import type { RowCache } from '../row-cache/row-cache.ts';

export interface ReuseWork {
  readonly staging: BuildDatabase;
  readonly job: Pick<ImportJob, 'plan' | 'sources' | 'request' | 'folder' | 'signal' | 'progress' | 'previousGraph'>;
  readonly rows: RowCache;
  readonly pulled: PulledPlan;
  /** See `graphKey`. */
  keyOf(rows: KeyedRows): string;
}

/** Staged rows, for their key. */
export type KeyedRows = Pick<PulledPlan, 'elements' | 'entities' | 'relationships'>;

/** The reason, for users, why the graph has to be built anew. */
export interface Refusal {
  readonly reason: string;
}

export function run({ staging, job: { signal } }: ReuseWork, sql: string): Promise<number | undefined> {
  return staging.run(sql, { signal });
}

/** Runs a query of counts. @returns the count of a name; throws if there is none, as it must not pass for 0 */
export async function counts(work: ReuseWork, sql: string): Promise<(name: string) => number> {
  const [row] = await query(work, sql);
  return (name) => countIn(row, name);
}

/** @param row of an answer. Throws if it has no number of that name. */
export function countIn(row: Readonly<Record<string, unknown>> | undefined, name: string): number {
  const value = row?.[name];
  const count = value === undefined || value === null ? NaN : Number(value);
  if (Number.isNaN(count)) throw new Error(`A statement did not count ${name}.`);
  return count;
}

/** A statement that changes rows, and how many it has to change. */
export interface CountedChange {
  readonly sql: string;
  /** Counts them, as `rows`. */
  readonly expected: string;
}

/** Rejects if another number of rows than expected was changed. @param what the rows, for the error */
export async function runCounted(work: ReuseWork, { sql, expected }: CountedChange, what: string): Promise<void> {
  const rows = (await counts(work, expected))('rows');
  const written = await run(work, sql);
  if (written !== rows) throw new Error(`${written} rows of ${what} were written instead of ${rows}.`);
}

export function query({ staging, job: { signal } }: ReuseWork, sql: string) {
  return staging.query(sql, { signal });
}
