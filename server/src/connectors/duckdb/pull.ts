import { stat } from 'node:fs/promises';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { confineDatabase } from '../../store/sandbox.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull, QueryColumn, StagedColumn } from '../connector.ts';
import { queryColumn, staging as stagedAs } from '../embedded/column-types.ts';
import { countSql, loadSql } from '../embedded/load-sql.ts';
import { mayHaveLongTexts, readTable, refuseRepeatedTexts } from '../embedded/refuse-repeated-texts.ts';
import {
  attach,
  attachedName,
  createViewSql,
  detachSql,
  dropViewSql,
  neededObjects,
  storedObjects,
  type StoredObject,
} from './attached-database.ts';
import type { DuckdbConfig } from './read-settings.ts';
import type { DuckdbSource } from './duckdb-source.ts';
import { explainQueryError } from './errors.ts';

/**
 * Attaches the file to the database of the build, read only: nobody can write to it until the pull is closed. The
 * database is sandboxed from here on. Loads run one after another.
 */
export async function openPull(
  { config, findDatabase }: DuckdbSource,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  signal?.throwIfAborted();
  const path = await findDatabase();
  await attach(staging, config, path, signal);
  const objects = await storedObjects(staging, config);
  await confine(staging, path);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(query: CompiledQuery, stop: AbortSignal | undefined, run: (work: Work) => Promise<T>) => {
    const turn = last.then(() => withViews({ config, path, objects, staging, query, signal: stop }, run));
    last = turn.catch(() => undefined);
    return turn;
  };
  let isClosed = false;
  return {
    columnsOf: (query, options) => inTurn(query, options.signal, async (work) => (await columnsOf(work)).map(staged)),
    load: (query, table, options) => inTurn(query, options.signal, (work) => load(work, table, options)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await last;
      // Fails if the database is closed already: then nothing is attached.
      await staging.run(detachSql(config)).catch(() => undefined);
    },
  };
}

interface Work {
  readonly config: DuckdbConfig;
  readonly path: string;
  readonly objects: readonly StoredObject[];
  readonly staging: StagingDatabase;
  readonly query: CompiledQuery;
  readonly signal: AbortSignal | undefined;
}

/** Views exist during one query only, because their names could conflict with tables of the graph. */
async function withViews<T>(work: Work, run: (work: Work) => Promise<T>): Promise<T> {
  const { config, staging, query, objects } = work;
  const needed = neededObjects(config, query, objects);
  try {
    for (const object of needed) await attempt(work, createViewSql(config, object), Infinity);
    return await run(work);
  } finally {
    // A failure here must not hide the original one.
    for (const object of needed) await staging.run(dropViewSql(object)).catch(() => undefined);
  }
}

const describePrefix = 'DESCRIBE ';

async function columnsOf(work: Work): Promise<readonly QueryColumn[]> {
  const rows = await attempt(work, `${describePrefix}${work.query.sql}`, describePrefix.length);
  return rows.map((row) => queryColumn(String(row['column_name']), String(row['column_type'])));
}

async function load(work: Work, table: string, { onRows, sample }: LoadOptions): Promise<LoadResult> {
  const columns = await columnsOf(work);
  if (sample === undefined) await refuseLongTexts(work, columns);
  const { sql, coreOffset } = loadSql(work.query, table, columns, sample);
  await attempt(work, sql, coreOffset);
  const [count] = await work.staging.query(countSql(table));
  const sourceRows = Number(count?.['rows'] ?? 0);
  onRows?.(sourceRows);
  return { sourceRows, columns: columns.map(staged), warnings: [] };
}

async function refuseLongTexts(work: Work, columns: readonly QueryColumn[]): Promise<void> {
  const { config, path, staging, query, objects } = work;
  const needed = neededObjects(config, query, objects);
  if (needed.length < 2) return;
  const [all] = await staging.query(
    `SELECT sum(estimated_size) AS rows FROM duckdb_tables() WHERE database_name = ${attachedName(config)}`,
  );
  if (!mayHaveLongTexts((await stat(path)).size, Number(all?.['rows'] ?? 0))) return;
  const reads = await Promise.all(needed.map(({ name }) => readTable(staging, name)));
  await refuseRepeatedTexts(staging, query, reads, columns);
}

async function attempt({ staging, signal, query, objects }: Work, sql: string, coreOffset: number) {
  try {
    return await staging.query(sql, { signal });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw explainQueryError(
      error,
      query,
      coreOffset,
      objects.map(({ name }) => name),
    );
  }
}

function staged(column: QueryColumn, index: number): StagedColumn {
  return { ...column, stagedAs: `c${index + 1}`, stagedType: stagedAs('', column.type).stagedType };
}

async function confine(staging: StagingDatabase, path: string): Promise<void> {
  const paths = { files: [path], folders: [staging.temporaryFolder] };
  if (staging.confine) return staging.confine(paths);
  const [setting] = await staging.query("SELECT current_setting('enable_external_access') AS open");
  if (setting?.['open'] === false) return;
  await confineDatabase(staging, paths);
}
