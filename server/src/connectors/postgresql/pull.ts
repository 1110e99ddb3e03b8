import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull } from '../connector.ts';
import type { PostgresqlConfig } from './config.ts';
import { copyStatement, emptyStatement, stagedColumns } from './copy-statement.ts';
import { copyToFile } from './copy-to-file.ts';
import type { ExplainError } from './errors.ts';
import { queryColumn, resultColumns, type ResultColumn } from './result-columns.ts';
import { beginPull } from './session-setup.ts';
import { openSession, type Session } from './session.ts';
import { stageFile } from './stage-file.ts';

/**
 * Opens one repeatable-read, read-only snapshot. Rows travel as CSV (`COPY … TO STDOUT`) to a temporary file that DuckDB
 * then reads: no row becomes a JavaScript value. A failed or cancelled call ends the snapshot's transaction.
 */
export async function openPull(
  config: PostgresqlConfig,
  explain: ExplainError,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: config.statementTimeoutMs ?? 0 });
  try {
    await session.run(beginPull, signal);
  } catch (error) {
    await session.close();
    throw error;
  }
  let files = 0;
  return {
    async columnsOf(query, options) {
      return (await describeQuery(session, query, options.signal)).map(queryColumn);
    },
    async load(query, table, options) {
      const path = join(staging.temporaryFolder, `postgresql-${++files}.csv`);
      return load(session, staging, { query, table, path }, options);
    },
    close: () => session.close(),
  };
}

/** The result columns of a query, without running it. */
export async function describeQuery(
  session: Session,
  query: CompiledQuery,
  signal: AbortSignal | undefined,
): Promise<readonly ResultColumn[]> {
  const { fields } = await session.texts(emptyStatement(query), signal);
  return resultColumns(session, fields, signal);
}

interface LoadTarget {
  readonly query: CompiledQuery;
  readonly table: string;
  /** Of the temporary file. */
  readonly path: string;
}

async function load(
  session: Session,
  staging: StagingDatabase,
  { query, table, path }: LoadTarget,
  { signal, onRows, sample }: LoadOptions,
): Promise<LoadResult> {
  const result = await describeQuery(session, query, signal);
  const columns = stagedColumns(result);
  try {
    const [copied, sourceRows] = await session.copy(copyStatement(query, result, sample), signal, async (rows) => {
      const file = await copyToFile(rows, path, onRows);
      return [file, rows.rowCount] as const;
    });
    await stageFile(staging, table, path, columns, copied, signal);
    return { sourceRows, columns, warnings: [] };
  } finally {
    await rm(path, { force: true });
  }
}
