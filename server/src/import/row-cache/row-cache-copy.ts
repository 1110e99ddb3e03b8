import { copyFile, constants, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteIdentifier } from '../../query/quote.ts';
import type { BuildDatabase } from '../../store/duckdb-store.ts';
import { attachRowsSql, rowsDatabase, useRowsSql } from '../build/staging-steps.ts';
import { renameCopySql } from '../../connectors/cached-copy.ts';

/** Thrown when an import whose staged rows began as a copy of the row cache has to start over without it. */
export class RowCacheCopyFailure extends Error {}

/** The name of the copy of a cached table, until it is taken. */
export function copyOf(table: string): string {
  return `${table}_kept`;
}

/** The blocks of the file of the row cache. */
export const blocksOfCacheSql =
  "SELECT total_blocks AS total, free_blocks AS free, block_size AS size FROM pragma_database_size() WHERE database_name = 'kept'";

const leaveRowsSql: readonly string[] = ['USE memory', `DETACH ${rowsDatabase}`];
const enterRowsSql = (rows?: string): readonly string[] => [attachRowsSql(rows), useRowsSql];

/** Gives the copies of cached tables their names, and drops the table that describes them. */
function prepareCopySql(tables: readonly string[], describing: string): readonly string[] {
  return [
    ...tables.map((table) => renameCopySql(table, copyOf(table))),
    `DROP TABLE IF EXISTS ${quoteIdentifier(describing)}`,
  ];
}

/** All statements of `copyRowCache`, for a plan. */
export function copyRowCacheSql(tables: readonly string[], describing: string): readonly string[] {
  return [...leaveRowsSql, ...enterRowsSql(), ...prepareCopySql(tables, describing)];
}

/**
 * Replaces the empty file of staged rows by a copy of the row cache, as a copy-on-write clone where the file system
 * supports it. Resolves to false, with an empty file, if that fails, or if most of the cache is free. Rejects with a
 * `RowCacheCopyFailure` if there cannot be an empty file either.
 * @param rows the path of the file of staged rows
 * @param tables the cached tables
 * @param describing the table that describes them
 */
export async function copyRowCache(
  staging: BuildDatabase,
  cache: string,
  rows: string,
  tables: readonly string[],
  describing: string,
): Promise<boolean> {
  const copy = join(staging.temporaryFolder, 'kept_copy.duckdb');
  try {
    const [row] = await staging.query(blocksOfCacheSql);
    // Rows are copied into a new file, which has no free blocks.
    if (isWasteful({ total: Number(row?.['total']), free: Number(row?.['free']), size: Number(row?.['size']) }))
      return false;
    await copyFile(cache, copy, constants.COPYFILE_FICLONE);
  } catch {
    await rm(copy, { force: true });
    return false;
  }
  try {
    for (const sql of leaveRowsSql) await staging.run(sql);
    await rename(copy, rows);
    for (const sql of [...enterRowsSql(rows), ...prepareCopySql(tables, describing)]) await staging.run(sql);
    return true;
  } catch {
    await enterEmptyFile(staging, copy, rows).catch((error: unknown) => {
      throw new RowCacheCopyFailure('The copy of the row cache cannot be closed.', { cause: error });
    });
    return false;
  }
}

/** Whether a file has too many free blocks to be copied again: DuckDB only cuts off those at its end. */
function isWasteful({ total, free, size }: Readonly<Record<'total' | 'free' | 'size', number>>): boolean {
  return free > total / 2 && free * size > smallWaste;
}

/** Bytes of free blocks that are tolerated. */
const smallWaste = 16 * 1024 * 1024;

async function enterEmptyFile(staging: BuildDatabase, copy: string, rows: string): Promise<void> {
  await staging.run('USE memory');
  await staging.run(`DETACH DATABASE IF EXISTS ${rowsDatabase}`);
  await rm(copy, { force: true });
  await rm(rows, { force: true });
  for (const sql of enterRowsSql(rows)) await staging.run(sql);
}
