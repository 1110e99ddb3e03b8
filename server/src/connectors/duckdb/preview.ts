import type { CompiledQuery } from '../../query/compiled-query.ts';
import { openScratch } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { Preview, PreviewOptions } from '../connector.ts';
import { queryColumn } from '../embedded/column-types.ts';
import { cappedSql, wrapPrefix } from '../embedded/preview-sql.ts';
import { inUtc } from '../embedded/times-in-utc.ts';
import { withPreviewTimeout } from '../preview-timeout.ts';
import { attach, createViewSql, neededObjects, storedObjects } from './attached-database.ts';
import type { DuckdbSource } from './duckdb-source.ts';
import { explainQueryError } from './errors.ts';

/** Runs a query over the file in a sandboxed in-memory database. Rejects with a `SourceError`. */
export async function preview(source: DuckdbSource, query: CompiledQuery, options: PreviewOptions): Promise<Preview> {
  const { config } = source;
  const { limit } = options;
  const started = performance.now();
  const path = await source.findDatabase();
  return withPreviewTimeout(options, config.statementTimeoutMs, async (signal) => {
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
        rows: inUtc(first.rows, columns, query, config.timeZone),
        durationMs: Math.round(performance.now() - started),
      };
    } finally {
      await session.close();
    }
  });
}
