import { open, stat } from 'node:fs/promises';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import {
  openSqliteReader,
  type SqliteColumn,
  type SqliteReader,
  writeRowFunction,
} from '../../store/sqlite-reader/sqlite-reader.ts';
import { fileReadError } from '../file-read-error.ts';
import { SourceError } from '../source-error.ts';
import { columnType, expressionType, type ColumnType } from './column-type.ts';
import type { SqliteConfig } from './read-settings.ts';
import { fileFailure } from './errors.ts';

/** A reader of the file in one transaction: everything is read in the state of its first read. */
export interface Session {
  readonly config: SqliteConfig;
  readonly reader: SqliteReader;
  /** By `table.column`, so that all queries of a session read a column in the same way. */
  readonly types: Map<string, ColumnType>;
}

/** A result column and how to read it. */
export interface ResultColumn extends ColumnType {
  readonly name: string;
}

/** Opens the file. Rejects with a `SourceError`, or with the signal's reason. The caller closes the reader. */
export async function openSession(config: SqliteConfig, signal: AbortSignal | undefined): Promise<Session> {
  await checkHeader(config.path);
  try {
    const reader = await openSqliteReader(config.path, signal);
    try {
      await reader.request('snapshot', {}, signal);
    } catch (error) {
      reader.close();
      throw error;
    }
    return { config, reader, types: new Map() };
  } catch (error) {
    signal?.throwIfAborted();
    throw fileFailure(error, config.path);
  }
}

/** Tells other files from databases before SQLite does, which takes an empty file for a database. */
async function checkHeader(path: string): Promise<void> {
  let header: Buffer;
  let size: number;
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headerLength), 0, headerLength, 0);
      header = buffer.subarray(0, bytesRead);
      ({ size } = await file.stat());
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileReadError(path, error);
  }
  const refuse = (what: string, remedy: string): SourceError =>
    new SourceError('file-malformed', `${path} ${what}.`, { file: path, remedy });
  if (header.length === 0) throw refuse('is empty', 'Point path at an SQLite database file.');
  if (header.toString('latin1', 8, 12) === 'DUCK') {
    throw refuse('is a DuckDB database', 'Set kind: duckdb for this data source.');
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw refuse(
      'is not an SQLite database, or is encrypted',
      'Correct path in the data sources file, or point it at a copy without encryption.',
    );
  }
  const written = sizeInHeader(header);
  if (written === undefined || size >= written || (await isBeingWritten(path))) return;
  throw refuse(
    `is damaged or incomplete: it has ${size} of its ${written} bytes`,
    'Copy the file again, or restore it from a backup.',
  );
}

const headerLength = 100;

/**
 * The size of the file by its header (https://www.sqlite.org/fileformat.html#the_database_header), where that is valid.
 * SQLite itself reads what is missing of the last page as zeros, which are other rows.
 */
function sizeInHeader(header: Buffer): number | undefined {
  if (header.length < headerLength || header.readUInt32BE(24) !== header.readUInt32BE(92)) return undefined;
  const pageSize = header.readUInt16BE(16);
  return header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize);
}

/** A program that writes the first page before it extends the file has a journal or a write-ahead log beside it. */
async function isBeingWritten(path: string): Promise<boolean> {
  const sizes = await Promise.all(['-wal', '-journal'].map((end) => stat(`${path}${end}`).catch(() => undefined)));
  return sizes.some((found) => found !== undefined && found.size > 0);
}

/** The result columns of a statement, without running it; expressions are typed by their first values. */
export async function resultColumns(
  session: Session,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<readonly ResultColumn[]> {
  const columns = await session.reader.request('columns', { sql }, signal);
  const needsValues = columns.some(({ table }) => table === null);
  const { rows } = needsValues
    ? await session.reader.request(
        'rows',
        { sql: `SELECT * FROM (\n${sql}\n) LIMIT ${sampled}`, limit: sampled },
        signal,
      )
    : { rows: [] };
  const types: ResultColumn[] = [];
  for (const [index, column] of columns.entries()) {
    const type =
      column.table === null || column.column === null
        ? expressionType(rows.map((row) => row[index] ?? null))
        : await tableColumnType(session, column, column.table, column.column, signal);
    types.push({ ...type, name: column.name });
  }
  return types;
}

/** Number of values that tell how a column is read. */
const sampled = 200;

async function tableColumnType(
  session: Session,
  { type }: SqliteColumn,
  table: string,
  column: string,
  signal: AbortSignal | undefined,
): Promise<ColumnType> {
  const key = `${table}.${column}`.toLowerCase();
  const known = session.types.get(key);
  if (known) return known;
  const name = quoteIdentifier(column);
  const sql = `SELECT ${name} FROM ${quoteIdentifier(table)} WHERE ${name} IS NOT NULL LIMIT ${sampled}`;
  const { rows } = await session.reader.request('rows', { sql, limit: sampled }, signal);
  const found = columnType(
    type ?? '',
    session.config.times.get(key),
    rows.map(([value = null]) => value),
    session.config.timeZone,
  );
  session.types.set(key, found);
  return found;
}

/**
 * The statement of an import: each row of the core SELECT as a line of CSV, values in single quotes, which a function of
 * the reader writes to a file.
 */
export function csvStatement(query: CompiledQuery, count: number, sample: number | undefined): string {
  const names = Array.from({ length: count }, (_, index) => `c${index + 1}`);
  const line = Array.from({ length: Math.ceil(count / mostArguments) }, (_, group) =>
    formatOf(names.slice(group * mostArguments, (group + 1) * mostArguments)),
  ).join(" || ',' || ");
  const limit = sample === undefined ? '' : `\nLIMIT ${sample}`;
  const lines = `WITH "core rows" (${names.join(', ')}) AS (\n${query.sql}\n)\nSELECT ${line} AS line FROM "core rows"${limit}`;
  return `SELECT count(${writeRowFunction}(line)) FROM (\n${lines}\n)`;
}

/** SQLite allows 127 arguments. */
const mostArguments = 100;

/** `format` builds a line in one piece; `||` would copy its beginning for every cell. */
function formatOf(names: readonly string[]): string {
  return `format('${names.map(() => '%Q').join(',')}', ${names.map(csvCell).join(', ')})`;
}

/** `%Q` prints texts and integers in single quotes, and NULL. It would shorten numbers with a fraction, and cut blobs. */
function csvCell(name: string): string {
  return `CASE typeof(${name}) WHEN 'real' THEN quote(${name}) WHEN 'blob' THEN lower(hex(${name})) ELSE ${name} END`;
}
