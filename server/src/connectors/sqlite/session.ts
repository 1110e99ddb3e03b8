import { open, stat } from 'node:fs/promises';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import {
  checkTextFunction,
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
  /** Column types by zone and `table.column`, so that all queries of a session read a column in the same way. */
  readonly types: Map<string, ColumnType>;
}

/** A result column and how to read it. */
export interface ResultColumn extends ColumnType {
  readonly name: string;
  /** `json_array` does not quote texts of table functions such as `json_each`, whose columns have no declared type. */
  readonly mayBeMarkedAsJson: boolean;
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

/** Rejects files that are not databases before SQLite opens them, because it accepts an empty file as a database. */
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
 * SQLite itself fills the missing part of the last page with zeros, and returns other rows.
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

/** The result columns of a statement, without running it; expressions are typed by their first values, unless `byValues` is false. */
export async function resultColumns(
  session: Session,
  query: Pick<CompiledQuery, 'sql' | 'zones'>,
  signal: AbortSignal | undefined,
  { byValues = true }: { readonly byValues?: boolean } = {},
): Promise<readonly ResultColumn[]> {
  const { sql } = query;
  const columns = await session.reader.request('columns', { sql }, signal);
  const needsValues = byValues && columns.some(({ table }) => table === null);
  const { rows } = needsValues
    ? await session.reader.request(
        'rows',
        { sql: `SELECT * FROM (\n${sql}\n) LIMIT ${sampled}`, limit: sampled },
        signal,
      )
    : { rows: [] };
  const types: ResultColumn[] = [];
  for (const [index, column] of columns.entries()) {
    const timeZone = zoneOfResult(query, column.name, session.config.timeZone);
    const type =
      column.table === null || column.column === null
        ? expressionType(
            rows.map((row) => row[index] ?? null),
            timeZone,
          )
        : await tableColumnType(session, column, { table: column.table, column: column.column, timeZone }, signal);
    types.push({ ...type, name: column.name, mayBeMarkedAsJson: !column.type });
  }
  return types;
}

/** Number of sampled values that determine how a column is read. */
const sampled = 200;

async function tableColumnType(
  session: Session,
  { type }: SqliteColumn,
  { table, column, timeZone }: { readonly table: string; readonly column: string; readonly timeZone: string },
  signal: AbortSignal | undefined,
): Promise<ColumnType> {
  const key = `${table}.${column}`.toLowerCase();
  const read = `${timeZone} ${key}`;
  const known = session.types.get(read);
  if (known) return known;
  const name = quoteIdentifier(column);
  const sql = `SELECT ${name} FROM ${quoteIdentifier(table)} WHERE ${name} IS NOT NULL LIMIT ${sampled}`;
  const { rows } = await session.reader.request('rows', { sql, limit: sampled }, signal);
  const found = columnType(
    type ?? '',
    session.config.times.get(key),
    rows.map(([value = null]) => value),
    timeZone,
  );
  session.types.set(read, found);
  return found;
}

/**
 * The statement of an import: each row of the core SELECT as a JSON array, which a function of the reader writes to a file.
 * SQLite prints an array in a third of the time that `format` takes. Between brackets and values are zeros, so that a
 * line without escapes is a line of CSV (`rowColumns`).
 */
export function rowsStatement(
  query: CompiledQuery,
  columns: readonly Pick<ResultColumn, 'mayBeMarkedAsJson'>[],
  sample: number | undefined,
): string {
  const names = columns.map((_, index) => `c${index + 1}`);
  const cells = columns.map(({ mayBeMarkedAsJson }, index) => jsonCell(`c${index + 1}`, mayBeMarkedAsJson));
  const line = inGroups(cells, (group) => [`json_array(0, ${group.join(', ')}, 0)`]).join(" || ',' || ");
  const limit = sample === undefined ? '' : `\nLIMIT ${sample}`;
  const lines = `WITH "core rows" (${names.join(', ')}) AS (\n${query.sql}\n)\nSELECT ${line} AS line FROM "core rows"${limit}`;
  return `SELECT count(${writeRowFunction}(line)) FROM (\n${lines}\n)`;
}

/** The statement that looks for texts that are not UTF-8 in the rows of `rowsStatement`. */
export function textsStatement(query: CompiledQuery, columns: readonly unknown[], sample: number | undefined): string {
  const names = columns.map((_, index) => `c${index + 1}`);
  const checks = names.map(
    (name, index) =>
      `count(${checkTextFunction}(${index}, CASE WHEN typeof(${name}) = 'text' THEN CAST(${name} AS BLOB) END))`,
  );
  const limit = sample === undefined ? '' : `\nLIMIT ${sample}`;
  return `WITH "core rows" (${names.join(', ')}) AS (\n${query.sql}\n)\nSELECT ${checks.join(', ')} FROM (SELECT * FROM "core rows"${limit})`;
}

/** The columns of a file of rows. Those without a number are the brackets. */
export function rowColumns(
  columns: readonly ColumnType[],
): readonly { readonly name: string; readonly type: string }[] {
  const values = columns.map(({ readAs }, index) => ({ name: `c${index + 1}`, type: readAs }));
  const bracket = (name: string): { name: string; type: string } => ({ name, type: 'VARCHAR' });
  return inGroups(values, (group, number) => [bracket(`begin${number}`), ...group, bracket(`end${number}`)]);
}

function inGroups<T, R>(items: readonly T[], map: (group: readonly T[], number: number) => readonly R[]): R[] {
  const groups: R[] = [];
  for (let at = 0; at < items.length; at += mostArguments) {
    groups.push(...map(items.slice(at, at + mostArguments), at / mostArguments + 1));
  }
  return groups;
}

/** Functions of SQLite have at most 127 arguments by default. */
const mostArguments = 100;

/**
 * `json_array` would shorten numbers with a fraction, and refuse blobs. Numbers sort before texts, texts before blobs; to
 * compare is faster than to ask for the type.
 */
function jsonCell(name: string, mayBeMarkedAsJson: boolean): string {
  const text = mayBeMarkedAsJson ? `${name} || ''` : name;
  return (
    `CASE WHEN ${name} >= '' COLLATE BINARY THEN CASE WHEN ${name} >= x'' THEN lower(hex(${name})) ELSE ${text} END` +
    ` WHEN typeof(${name}) = 'real' THEN quote(${name}) ELSE ${name} END`
  );
}
