import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import { openScratch, type DuckDbSession } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { Preview, PreviewOptions } from '../connector.ts';
import { queryColumn } from '../csv/column-types.ts';
import { cappedSql, inUtc, wrapPrefix } from '../csv/preview.ts';
import { SourceError } from '../source-error.ts';
import { openPartialFetch } from './partial-fetch.ts';
import { placedQueryError, readFinder, withoutSecrets } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';

const defaultTimeoutMs = 60_000;

/**
 * Runs a query on fetched records in a database of its own, in memory. Of the data object that leads the query only as
 * many records are fetched as it takes to fill the preview, and of those that it relates to the ones that belong to them;
 * tables joined by SQL are fetched whole.
 */
export async function previewFetched(
  source: RecordSource,
  query: CompiledQuery,
  options: PreviewOptions,
): Promise<Preview> {
  const started = performance.now();
  const timeoutMs = options.timeoutMs ?? source.statementTimeoutMs ?? defaultTimeoutMs;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-'));
  const session = await openScratch({ temporaryFolder: folder });
  try {
    const reads = await readFinder(source)(query, { signal });
    await lockDatabase(session, { files: [], folders: [folder] });
    const result = await fill({ source, query, session, folder, signal, limit: options.limit }, reads);
    const columns = result.columns.map(({ name, type }) => queryColumn(name, type));
    return {
      columns,
      rows: inUtc(result.rows.slice(0, options.limit), columns, source.timeZone),
      truncated: result.rows.length > options.limit,
      durationMs: Math.round(performance.now() - started),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw withoutSecrets(error, source);
  } finally {
    clearTimeout(timer);
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly source: RecordSource;
  readonly query: CompiledQuery;
  readonly session: DuckDbSession;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly limit: number;
}

/** Fetches more and more of the data objects until the preview is full. */
async function fill({ source, query, session, folder, signal, limit }: Work, reads: readonly ObjectRead[]) {
  const target = {
    run: session.run.bind(session),
    query: session.query.bind(session),
    temporaryFolder: folder,
  };
  let wanted = limit + 1;
  const fetch = await openPartialFetch({ source, target, signal, wanted }, reads);
  try {
    for (;;) {
      const isEnd = await fetch.more(wanted);
      const result = await session.table(cappedSql(query, limit), { signal }).catch(async (error: unknown) => {
        throw await placedQueryError(error, source, query, wrapPrefix.length);
      });
      if (isEnd || result.rows.length > limit) {
        // Types as the core query has them, without what the cap around it may change.
        return { columns: await session.describe(query.sql), rows: result.rows };
      }
      wanted *= 8;
    }
  } finally {
    await fetch.close();
  }
}

function timedOut(milliseconds: number): SourceError {
  return new SourceError('statement-timeout', `The query took longer than ${milliseconds / 1000} s and was stopped.`, {
    remedy: 'Filter the rows with where, or set a longer statementTimeout for the data source.',
  });
}
