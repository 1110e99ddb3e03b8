import type { CompiledQuery } from '../../query/compiled-query.ts';
import { createRowCap } from '../../store/capped-rows.ts';
import type { Preview, PreviewOptions } from '../connector.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { cellReader } from './cell-value.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { executedSql, type ExecutedSql } from './error-position.ts';
import type { ExplainError } from './errors.ts';
import { queryColumn, resultColumns } from './result-columns.ts';
import { beginPreview } from './session-setup.ts';
import { type OnText, openSession } from './session.ts';

/** Test Query: the core SELECT in its own read-only transaction, limited on the server. */
export async function preview(
  config: PostgresqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  { limit, timeoutMs, signal }: PreviewOptions,
): Promise<Preview> {
  const session = await openSession(config, explain, {
    signal,
    statementTimeoutMs: timeoutMs ?? serverPreviewTimeoutMs(config),
  });
  try {
    await session.run(beginPreview, signal);
    const started = performance.now();
    const cap = createRowCap<string | null>(limit);
    const onRow: OnText = (row) => cap.add(row) || cap.result().sizeLimit === undefined;
    const { fields, isStopped } = await session.eachText(cappedSql(query, limit), onRow, signal);
    const durationMs = Math.round(performance.now() - started);
    if (isStopped) await session.run(`ROLLBACK; ${beginPreview}`, signal);
    const columns = await resultColumns(session, fields, signal);
    const { rows, ...end } = cap.result();
    const readers = columns.map((column) => cellReader(column, config.timeZone));
    return {
      columns: columns.map(queryColumn),
      ...end,
      rows: rows.map((row) => readers.map((read, index) => read(row[index] ?? null))),
      durationMs,
    };
  } finally {
    await session.close();
  }
}

/** One row more than `limit` shows whether there are more; PostgreSQL keeps an ORDER BY inside the core. */
export function cappedSql(query: CompiledQuery, limit: number): ExecutedSql {
  return executedSql('SELECT * FROM (\n', query.sql, `\n) AS q LIMIT ${limit + 1}`);
}
