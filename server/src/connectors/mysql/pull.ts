import { join } from 'node:path';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull } from '../connector.ts';
import { loadCsv } from '../segments/load-csv.ts';
import type { MysqlConfig } from './read-settings.ts';
import { exactStatement, limitedStatement } from './core-statement.ts';
import { csvRows } from './csv-rows.ts';
import type { ExplainError } from './errors.ts';
import { type ResultColumn, resultColumns, stagedColumns } from './result-columns.ts';
import { beginPull } from './session-setup.ts';
import { openSession, type Session } from './session.ts';
import { narrowWideDecimals } from '../segments/wide-decimals.ts';

/**
 * Opens one consistent, read-only snapshot. Rows are streamed into temporary CSV files, which DuckDB reads meanwhile; the
 * server waits when the disk is slower. A failed or cancelled call ends the snapshot's transaction.
 */
export async function openPull(
  config: MysqlConfig,
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
  return pullOf(session, staging);
}

/** Reads through a session in which the snapshot has begun. */
export function pullOf(session: Session, staging: StagingDatabase): Pull {
  let loads = 0;
  return {
    async columnsOf(query, options) {
      return stagedColumns(await describeQuery(session, query, options.signal));
    },
    load(query, table, options) {
      const filePrefix = join(staging.temporaryFolder, `mysql-${++loads}-`);
      return load(session, { query, table, staging, filePrefix }, options);
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
  return resultColumns(await session.columnsOf(limitedStatement(query, undefined), signal));
}

interface LoadTarget {
  readonly query: CompiledQuery;
  readonly table: string;
  readonly staging: StagingDatabase;
  /** Path prefix of the temporary files. */
  readonly filePrefix: string;
}

async function load(
  session: Session,
  { query, table, staging, filePrefix }: LoadTarget,
  { signal, onRows, sample }: LoadOptions,
): Promise<LoadResult> {
  const result = await describeQuery(session, query, signal);
  const columns = stagedColumns(result);
  const csv = csvRows(result);
  await loadCsv(
    { staging, table, columns, signal },
    {
      filePrefix,
      onRows,
      counter: csv.counter,
      async write(writer, drained) {
        await session.eachPacket(
          exactStatement(query, result, sample),
          ({ buffer, offset, end }) => {
            csv.add(buffer, offset, end - offset);
            return !csv.isFull() || writer.write(csv.take()) || drained();
          },
          signal,
        );
        writer.write(csv.take());
      },
    },
  );
  const narrowed = await narrowWideDecimals({ staging, table, columns, signal });
  const warnings = [...zeroDateWarnings(csv.zeroDates), ...narrowed.warnings];
  return { sourceRows: csv.counter.rows(), columns: narrowed.columns, warnings };
}

function zeroDateWarnings(zeroDates: ReadonlyMap<string, number>): readonly string[] {
  return [...zeroDates].map(
    ([name, count]) =>
      `${name} has ${count} zero dates (0000-00-00), which are no times: they are NULL in the graph. SQL finds them by ${name} = 0, and by ${name} IS NULL only if the column is declared NOT NULL.`,
  );
}
