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
import { createStagedTable, dropStagedTable, stageSegment, type StagingTarget } from './stage-segment.ts';

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
  const loadTexts = loadsOf(session, staging);
  const pull = pullOf(session, staging, loadTexts);
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
function loadsOf(session: Session, staging: StagingDatabase): Pull['load'] {
  let loads = 0;
  return (query, table, options) => {
    const filePrefix = join(staging.temporaryFolder, `postgresql-${++loads}-`);
    return load(session, { query, table, staging, filePrefix }, options);
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
  let target: StagingTarget = { staging, table, columns, signal };
  await createStagedTable(target);
  const writer = segmentWriter({
    pathOf: (number) => `${filePrefix}${number}.csv`,
    take: async (segment) => {
      target = await stageSegment(target, segment);
    },
    onRows,
  });
  try {
    const sourceRows = await session.copy(copyStatement(query, result, sample), writer, signal);
    return { sourceRows, columns: target.columns, warnings: [] };
  } catch (error) {
    await closeStream(writer);
    await dropStagedTable(target);
    throw error;
  }
}
