import type { CompiledQuery } from '../../query/compiled-query.ts';
import { openScratch } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { Preview, PreviewOptions } from '../connector.ts';
import { queryColumn } from '../embedded/column-types.ts';
import { cappedSql, wrapPrefix } from '../embedded/preview-sql.ts';
import { inUtc } from '../embedded/times-in-utc.ts';
import { SourceError } from '../source-error.ts';
import { attach, createViewSql, neededObjects, storedObjects } from './attached-database.ts';
import type { DuckdbSource } from './duckdb-source.ts';
import { explainQueryError } from './errors.ts';

const defaultTimeoutMs = 60_000;

/** Runs a query over the file in a sandboxed in-memory database. Rejects with a `SourceError`. */
export async function preview(source: DuckdbSource, query: CompiledQuery, options: PreviewOptions): Promise<Preview> {
  const { config } = source;
  const { limit } = options;
  const started = performance.now();
  const path = await source.findDatabase();
  const timeoutMs = options.timeoutMs ?? config.statementTimeoutMs ?? defaultTimeoutMs;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
  const session = await openScratch();
  try {
    await attach(session, config, path, signal);
    const objects = await storedObjects(session, config);
    const needed = neededObjects(config, query, objects);
    const failed = (offset: number) => (error: unknown) => {
      if (signal.aborted) throw signal.reason;
      throw explainQueryError(
        error,
        query,
        offset,
        objects.map(({ name }) => name),
      );
    };
    for (const object of needed) await session.run(createViewSql(config, object)).catch(failed(Infinity));
    await lockDatabase(session, { files: [path], folders: [] });
    const described = await session.describe(query.sql).catch(failed(0));
    const columns = described.map(({ name, type }) => queryColumn(name, type));
    const { columns: _, ...first } = await session
      .firstRows(cappedSql(query, limit), limit, { signal })
      .catch(failed(wrapPrefix.length));
    return {
      columns,
      ...first,
      rows: inUtc(first.rows, columns, config.timeZone),
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    clearTimeout(timer);
    await session.close();
  }
}

function timedOut(milliseconds: number): SourceError {
  return new SourceError('statement-timeout', `The query took longer than ${milliseconds / 1000} s and was stopped.`, {
    remedy: 'Filter the rows with where, or set a longer statementTimeout for the data source.',
  });
}
