import { join } from 'node:path';
import { closeStream } from '../../files/close-stream.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull } from '../connector.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { copyStatement, emptyStatement, stagedColumns } from './copy-statement.ts';
import type { ExplainError } from './errors.ts';
import { openFingerprints } from './fingerprint.ts';
import { newMarks, renewRows } from './renew-rows.ts';
import { readUnusedWatermarks } from './unused-watermarks.ts';
import { type Watermark, watermarkOf } from './watermark.ts';
import { resultColumns, type ResultColumn } from './result-columns.ts';
import { beginPull } from './session-setup.ts';
import { segmentWriter } from '../segments/segment-writer.ts';
import { narrowWideDecimals } from '../segments/wide-decimals.ts';
import { openSession, type Session } from './session.ts';
import { type SecondConnection, type SessionRead, secondConnection } from './two-connections.ts';
import { createStagedTable, dropStagedTable } from '../segments/stage-segment.ts';
import { stageSegment, type StagingTarget } from './stage-segment.ts';

/**
 * Opens one repeatable-read, read-only snapshot. Rows are transferred as CSV (`COPY … TO STDOUT`) through temporary
 * files read by DuckDB, without JavaScript values per row. A failed or cancelled call ends the snapshot's transaction.
 */
export async function openPull(
  config: PostgresqlConfig,
  explain: ExplainError,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: config.statementTimeoutMs ?? 0 });
  let warnings: readonly string[];
  try {
    await session.run(beginPull, signal);
    warnings = config.incremental ? await readUnusedWatermarks(session, config, signal) : [];
  } catch (error) {
    await session.close();
    throw error;
  }
  const fingerprints = openFingerprints(session);
  const second = config.pullConnections > 1 ? secondConnection(session, config, explain) : undefined;
  const loadTexts = loadsOf(session, staging, second);
  const pull = {
    ...pullOf(session, staging, loadTexts),
    close: async () => void (await Promise.all([session.close(), second?.close()])),
  };
  if (!config.incremental) return pull;
  const watermarks = new Map<CompiledQuery, Promise<Watermark | undefined>>();
  const watermark = (query: CompiledQuery, stop: AbortSignal | undefined): Promise<Watermark | undefined> => {
    const known = watermarks.get(query) ?? watermarkOf(session, config, fingerprints, query, stop);
    watermarks.set(query, known);
    return known;
  };
  return {
    ...pull,
    warnings,
    // With a watermark, its newest value shows changes without scanning all rows.
    fingerprint: async (query, { signal: stop }) =>
      (await watermark(query, stop)) ? undefined : fingerprints.of(query, stop),
    async load(query, table, options) {
      const found = options.sample === undefined ? await watermark(query, options.signal) : undefined;
      if (!found) return pull.load(query, table, options);
      const marks = await newMarks(found, options.signal);
      const { cached } = options;
      const columns = cached && (await pull.columnsOf(query, options));
      const renewed =
        columns && (await renewRows({ staging, table, columns, watermark: found, cached, loadTexts }, options));
      return { ...(renewed ?? (await pull.load(query, table, options))), marks };
    },
  };
}

/** Reads through a session in which the snapshot has begun. */
export function pullOf(session: Session, staging: StagingDatabase, loadTexts = loadsOf(session, staging)): Pull {
  return {
    async columnsOf(query, options) {
      return stagedColumns(await describeQuery(session, query, options.signal));
    },
    async load(query, table, options) {
      const loaded = await loadTexts(query, table, options);
      return { ...loaded, ...(await narrowWideDecimals({ staging, table, ...loaded, signal: options.signal })) };
    },
    close: () => session.close(),
  };
}

/** Stages the rows of queries, with numbers that may have more than 38 digits as texts. */
function loadsOf(session: Session, staging: StagingDatabase, second?: SecondConnection): Pull['load'] {
  let loads = 0;
  return async (query, table, options) => {
    const filePrefix = join(staging.temporaryFolder, `postgresql-${++loads}-`);
    const result = await describeQuery(session, query, options.signal);
    const split = options.sample === undefined ? await second?.split(query, options.signal) : undefined;
    const { reads, note } = split ?? { reads: [{ session, query }] };
    if (note !== undefined) options.onProgress?.(note);
    return load({ reads, result, table, staging, filePrefix }, options);
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
  /** Parts of the rows, read at the same time. */
  readonly reads: readonly SessionRead[];
  readonly result: readonly ResultColumn[];
  readonly table: string;
  readonly staging: StagingDatabase;
  /** Path prefix of the temporary files. */
  readonly filePrefix: string;
}

async function load(
  { reads, result, table, staging, filePrefix }: LoadTarget,
  { signal, onRows, sample }: LoadOptions,
): Promise<LoadResult> {
  let target: StagingTarget = { staging, table, columns: stagedColumns(result), signal, hasPlainTexts: true };
  await createStagedTable(target);
  let staged: Promise<void> = Promise.resolve();
  const rows = reads.map(() => 0);
  const failed = new AbortController();
  const either = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const copies = reads.map(async ({ session, query }, index) => {
    const writer = segmentWriter({
      pathOf: (number) => `${filePrefix}${number}${index === 0 ? '' : '-second'}.csv`,
      // A segment may change the columns, so that those of both connections are staged in turn.
      take: (segment) => (staged = staged.then(async () => void (target = await stageSegment(target, segment)))),
      onRows: (number) => {
        rows[index] = number;
        onRows?.(rows.reduce((sum, each) => sum + each, 0));
      },
    });
    try {
      return await session.copy(copyStatement(query, result, sample), writer, either);
    } catch (error) {
      failed.abort(error);
      await closeStream(writer);
      throw error;
    }
  });
  try {
    const counts = await Promise.all(copies);
    const sourceRows = counts.reduce((sum, each) => sum + each, 0);
    return { sourceRows, columns: target.columns, warnings: [] };
  } catch (error) {
    await Promise.allSettled(copies);
    await dropStagedTable(target);
    throw error;
  }
}
