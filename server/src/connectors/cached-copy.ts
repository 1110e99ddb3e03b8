import { quoteIdentifier } from '../query/quote.ts';
import type { StagingDatabase } from '../store/staging-database.ts';
import type { OperationOptions } from './load-result.ts';

/**
 * A copy of a cached table in the staging database. A table that is renamed need not be decompressed, written and
 * compressed again.
 */
type CachedCopy = string;

export function renameCopySql(copy: CachedCopy, table: string): string {
  return `ALTER TABLE ${quoteIdentifier(copy)} RENAME TO ${quoteIdentifier(table)}`;
}

/** Counts the rows of a table (`rows`) and reads all of its blocks, whose checksums DuckDB then verifies. */
export function readRowsSql(table: string): string {
  return `SELECT count(*) AS rows, any_value(COLUMNS(*)) FROM ${quoteIdentifier(table)}`;
}

/**
 * Prevents checkpoints from merging row groups, which would read and compress all rows again. Files are staged in
 * parallel, which leaves row groups partly filled.
 */
export const keepRowGroupsSql = 'SET max_vacuum_tasks = 0';
const mergeRowGroupsSql = 'RESET max_vacuum_tasks';

/** The blocks of a dropped copy can be used after a checkpoint. The graph is written with merged row groups. */
export function dropCopySql(copy: CachedCopy): readonly string[] {
  return [`DROP TABLE IF EXISTS ${quoteIdentifier(copy)}`, keepRowGroupsSql, 'CHECKPOINT', mergeRowGroupsSql];
}

/**
 * Makes a copy the staged table. Resolves to the number of its rows; undefined, and leaves no such table, if the copy is
 * gone or damaged. Rejects with the reason of the signal, or if a damaged copy cannot be dropped.
 */
export async function takeCopy(
  staging: Pick<StagingDatabase, 'run' | 'query'>,
  copy: CachedCopy,
  table: string,
  { signal }: OperationOptions,
): Promise<number | undefined> {
  try {
    await staging.run(renameCopySql(copy, table), { signal });
    const [row] = await staging.query(readRowsSql(table), { signal });
    return Number(row?.['rows']);
  } catch {
    signal?.throwIfAborted();
    await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(table)}`);
    return undefined;
  }
}

/** Frees the room of a copy that is not taken. */
export async function dropCopy(staging: Pick<StagingDatabase, 'run'>, copy: CachedCopy): Promise<void> {
  for (const sql of dropCopySql(copy)) await staging.run(sql);
}
