import type { CompiledQuery } from '../../query/compiled-query.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import { createRowCap } from '../../store/capped-rows.ts';
import type { Preview, PreviewOptions, CellValue } from '../connector.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { type ExecutedSql, executedSql } from './error-position.ts';
import type { ExplainError } from './errors.ts';
import { type ResultColumn, queryColumn, resultColumns } from './result-columns.ts';
import { beginPreview } from './session-setup.ts';
import { type OnText, openSession } from './session.ts';
import { isoDate, utcTextReader } from '../utc-text.ts';

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
    const readers = columns.map((column) => cellReader(column, zoneOfResult(query, column.name, config.timeZone)));
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

/** Converts PostgreSQL's text of a value to the JSON value of a preview; times without zone are in `timeZone`. */
function cellReader(column: ResultColumn, timeZone: string): (text: string | null) => CellValue {
  const read = readerOf(column, timeZone);
  return (text) => (text === null ? null : read(text));
}

function readerOf({ sense, oid }: ResultColumn, timeZone: string): (text: string) => CellValue {
  switch (sense) {
    case 'boolean':
      return (text) => text === 't';
    case 'integer':
      return oid === bigintOid ? unchanged : Number;
    case 'number':
      return oid === realOid || oid === doubleOid ? finiteNumber : unchanged;
    case 'binary':
      // `\x` and hexadecimal digits, by the session's settings.
      return (text) => text.slice(2);
    case 'date':
      return isoDate;
    case 'timestamp':
      return utcTextReader(timeZone);
    default:
      return unchanged;
  }
}

const bigintOid = 20;
const realOid = 700;
const doubleOid = 701;

function unchanged(text: string): string {
  return text;
}

/** JSON has no NaN and infinities: they stay texts. */
function finiteNumber(text: string): CellValue {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
