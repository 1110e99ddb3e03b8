import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { Preview, PreviewOptions } from '../connector.ts';
import { cellReader } from './cell-value.ts';
import type { PostgresqlConfig } from './config.ts';
import { executedSql, type ExecutedSql } from './error-position.ts';
import type { ExplainError } from './errors.ts';
import { queryColumn, resultColumns } from './result-columns.ts';
import { beginPreview, defaultPreviewTimeoutMs } from './session-setup.ts';
import { openSession } from './session.ts';

/** Test Query: the core SELECT in a read-only transaction of its own, capped on the server. */
export async function preview(
  config: PostgresqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  { limit, timeoutMs, signal }: PreviewOptions,
): Promise<Preview> {
  const session = await openSession(config, explain, {
    signal,
    statementTimeoutMs: timeoutMs ?? previewTimeoutMs(config),
  });
  try {
    await session.run(beginPreview, signal);
    const started = performance.now();
    const { fields, rows } = await session.texts(cappedSql(query, limit), signal);
    const durationMs = Math.round(performance.now() - started);
    const columns = await resultColumns(session, fields, signal);
    const readers = columns.map((column) => cellReader(column, config.timeZone));
    return {
      columns: columns.map(queryColumn),
      rows: rows.slice(0, limit).map((row) => readers.map((read, index) => read(row[index] ?? null))),
      truncated: rows.length > limit,
      durationMs,
    };
  } finally {
    await session.close();
  }
}

export function previewTimeoutMs(config: PostgresqlConfig): number {
  return config.statementTimeoutMs ?? defaultPreviewTimeoutMs;
}

/** One row more than `limit` tells whether there are more; PostgreSQL keeps an ORDER BY inside the core. */
export function cappedSql(query: CompiledQuery, limit: number): ExecutedSql {
  return executedSql('SELECT * FROM (\n', query.sql, `\n) AS q LIMIT ${limit + 1}`);
}
