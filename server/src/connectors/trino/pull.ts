import { join } from 'node:path';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull } from '../connector.ts';
import { loadCsv } from '../segments/load-csv.ts';
import { describingStatement, exactStatement } from './core-statement.ts';
import { csvRows } from './csv-rows.ts';
import type { Cluster } from './preview.ts';
import { resultColumns, stagedColumns, type ResultColumn } from './result-columns.ts';
import { openTransaction, type Session, type TransactionSession } from './session.ts';

/**
 * Opens one read-only transaction. Pages are written to temporary CSV files, which DuckDB reads meanwhile; the next page
 * is asked for when there is room, so the cluster waits for a slower disk. A failed call ends the transaction.
 */
export async function openPull(
  cluster: Cluster,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  const { statementTimeoutMs } = cluster.config;
  return pullOf(await openTransaction({ ...cluster, statementTimeoutMs }, { signal }), staging);
}

/** Reads in a transaction. */
export function pullOf(session: TransactionSession, staging: StagingDatabase): Pull {
  let loads = 0;
  return {
    columnsOf: async (query, options) => stagedColumns(await describeQuery(session, query, options)),
    load(query, table, options) {
      const filePrefix = join(staging.temporaryFolder, `trino-${++loads}-`);
      return load(session, { query, table, staging, filePrefix }, options);
    },
    close: () => session.end(),
  };
}

/** The result columns of a query, of which no rows are read. */
export async function describeQuery(
  session: Session,
  query: CompiledQuery,
  { signal }: OperationOptions,
): Promise<readonly ResultColumn[]> {
  return resultColumns(await session.columnsOf(describingStatement(query), { signal }));
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
  { signal, onRows, onProgress, sample }: LoadOptions,
): Promise<LoadResult> {
  const result = await describeQuery(session, query, { signal });
  const columns = stagedColumns(result);
  const csv = csvRows(result);
  await loadCsv(
    { staging, table, columns, signal },
    {
      filePrefix,
      onRows,
      counter: csv.counter,
      async write(writer, drained) {
        for await (const { rows } of session.pages(exactStatement(query, result, sample), { signal, onProgress })) {
          if (rows.length > 0 && !writer.write(csv.print(rows))) await drained();
        }
      },
    },
  );
  return { sourceRows: csv.counter.rows(), columns, warnings: [] };
}
