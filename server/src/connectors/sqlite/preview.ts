import type { CompiledQuery } from '../../query/compiled-query.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import type { SqliteCell } from '../../store/sqlite-reader/sqlite-reader.ts';
import type { CellValue, Preview, PreviewOptions, QueryColumn } from '../connector.ts';
import { withPreviewTimeout } from '../preview-timeout.ts';
import { utcTextReader } from '../utc-text.ts';
import { millisecondsOf } from './column-type.ts';
import type { SqliteConfig } from './read-settings.ts';
import { queryFailure } from './errors.ts';
import { openSession, resultColumns, type ResultColumn } from './session.ts';

/** Test Query: the core SELECT, limited. Its process is ended when it takes too long. Rejects with a `SourceError`. */
export async function preview(config: SqliteConfig, query: CompiledQuery, options: PreviewOptions): Promise<Preview> {
  const started = performance.now();
  const { limit } = options;
  return withPreviewTimeout(options, config.statementTimeoutMs, async (signal) => {
    try {
      const session = await openSession(config, signal);
      try {
        const columns = await resultColumns(session, query, signal);
        const { rows, ...end } = await session.reader.request('rows', { sql: cappedSql(query, limit), limit }, signal);
        const readers = columns.map((column) => cellReader(column, zoneOfResult(query, column.name, config.timeZone)));
        return {
          columns: columns.map(queryColumn),
          ...end,
          rows: rows.map((row) => readers.map((read, index) => read(row[index] ?? null))),
          durationMs: Math.round(performance.now() - started),
        };
      } finally {
        session.reader.close();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw queryFailure(error, query, config.path);
    }
  });
}

/** One row more than `limit` shows whether there are more. */
export function cappedSql(query: CompiledQuery, limit: number): string {
  return `SELECT * FROM (\n${query.sql}\n) AS q LIMIT ${limit + 1}`;
}

export function queryColumn({ name, type, sense, zoned }: ResultColumn): QueryColumn {
  return { name, type, sense, ...(zoned !== undefined && { zoned }) };
}

/** Values that do not fit their column, which SQLite allows, are shown unchanged. */
function cellReader({ sense, times }: ResultColumn, timeZone: string): (value: SqliteCell) => CellValue {
  if (times?.storage === 'text') {
    const toUtc = utcTextReader(timeZone);
    return (value) => (typeof value === 'string' ? toUtc(plainTime(value)) : value);
  }
  const storage = times?.storage;
  if (storage !== undefined && storage !== 'date') {
    return (value) => (typeof value === 'number' ? isoTime(millisecondsOf(storage, value)) : value);
  }
  if (sense === 'integer') return (value) => (typeof value === 'number' ? String(value) : value);
  if (sense === 'boolean') return (value) => (value === 0 || value === 1 ? value === 1 : value);
  return (value) => value;
}

/** A time as `utcTextReader` reads it: with seconds, and an offset such as `+02:00`. Other texts stay unchanged. */
function plainTime(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?0* ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(
    text,
  );
  if (!match) return text;
  const [, day = '', minutes = '00:00', seconds = ':00', offset = ''] = match;
  const colons = /^z$/i.test(offset) ? '+00:00' : offset.replace(/^(...)(\d\d)$/, '$1:$2');
  return `${day} ${minutes}${seconds}${colons}`;
}

function isoTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? String(milliseconds) : time.toISOString().replace('Z', '000Z');
}
