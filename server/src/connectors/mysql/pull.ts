import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull } from '../connector.ts';
import { segmentWriter } from '../segments/segment-writer.ts';
import type { MysqlConfig } from './read-settings.ts';
import { exactStatement, limitedStatement } from './core-statement.ts';
import { csvLines } from './csv-line.ts';
import type { ExplainError } from './errors.ts';
import { type ResultColumn, resultColumns, stagedColumns } from './result-columns.ts';
import { beginPull } from './session-setup.ts';
import { openSession, type Session } from './session.ts';
import { createStagedTable, dropStagedTable, stageSegment, type StagingTarget } from './stage-segment.ts';

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

/** Characters that are written at once. */
const chunkLength = 256 * 1024;

async function load(
  session: Session,
  { query, table, staging, filePrefix }: LoadTarget,
  { signal, onRows, sample }: LoadOptions,
): Promise<LoadResult> {
  const result = await describeQuery(session, query, signal);
  const columns = stagedColumns(result);
  const target: StagingTarget = { staging, table, columns, signal };
  await createStagedTable(target);
  const lines = csvLines(result);
  const writer = segmentWriter({
    pathOf: (number) => `${filePrefix}${number}.csv`,
    take: (segment) => stageSegment(target, segment),
    onRows,
  });
  // Listened to from the start: a failure may come while rows are read.
  const written = finished(writer);
  written.catch(() => undefined);
  let sourceRows = 0;
  let pending = '';
  try {
    const drained = (): Promise<void> => Promise.race([once(writer, 'drain').then(() => undefined), written]);
    await session.eachRow(
      exactStatement(query, result, sample),
      {
        onRow(row) {
          sourceRows += 1;
          pending += lines.line(row);
          if (pending.length < chunkLength) return true;
          const isReady = writer.write(Buffer.from(pending, 'utf8'));
          pending = '';
          return isReady || drained();
        },
      },
      signal,
    );
    writer.end(Buffer.from(pending, 'utf8'));
    await written;
    return { sourceRows, columns, warnings: zeroDateWarnings(lines.zeroDates) };
  } catch (error) {
    writer.destroy();
    await written.catch(() => undefined);
    await dropStagedTable(target);
    throw error;
  }
}

function zeroDateWarnings(zeroDates: ReadonlyMap<string, number>): readonly string[] {
  return [...zeroDates].map(
    ([name, count]) => `${name} has ${count} zero dates (0000-00-00), which are no times: they are NULL in the graph.`,
  );
}
