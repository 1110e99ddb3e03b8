import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import type { Column } from '../../catalog/catalog.ts';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { DuckDbError } from '../../store/duckdb-store.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { SourceError } from '../source-error.ts';
import { castSql, tryCastSql } from './cast-sql.ts';
import type { Cells } from './record-source.ts';
import { maybeHalves, wholeCells } from './whole-characters.ts';

/** Where fetched records go: the database of an import, or of a preview. */
export type FetchTarget = Pick<StagingDatabase, 'run' | 'query' | 'temporaryFolder'>;

/** A segment is taken into the database when it has this many characters, while the next one is being filled. */
const segmentLength = 1024 * 1024;

/** The statement that makes the table of a data object: in the temporary schema, which ends with the connection. */
export function createTableSql(name: string, columns: readonly Column[]): string {
  const list = columns.map((column) => `${quoteIdentifier(column.name)} ${column.type}`);
  return `CREATE TEMP TABLE ${quoteIdentifier(name)} (${list.join(', ')})`;
}

export function dropTableSql(name: string): string {
  return `DROP TABLE IF EXISTS temp.${quoteIdentifier(name)}`;
}

/** Takes records into a temporary table, over files of JSON lines, some records a line, on the disk of the target. */
export interface FetchedTable {
  readonly name: string;
  add(batch: readonly Cells[], signal?: AbortSignal): Promise<void>;
  /** Takes in what is still on its way. */
  flush(signal: AbortSignal | undefined): Promise<void>;
  /** Removes the table and what is still on its way. */
  discard(): Promise<void>;
}

/** Creates the table; `name` must be unused. Rejects with `type-mismatch` when a text is no value of its column's type. */
export async function createFetchedTable(target: FetchTarget, name: string, read: ObjectRead): Promise<FetchedTable> {
  await target.run(createTableSql(name, read.columns));
  let segment: Segment | undefined;
  let segments = 0;
  let taking: Promise<void> = Promise.resolve();
  let removing: Promise<unknown> = Promise.resolve();

  /** Nobody waits for it until the table is discarded. */
  function remove(path: string): void {
    removing = Promise.all([removing, rm(path, { force: true }).catch(() => undefined)]);
  }

  /** Takes the segment in, behind the one before, without waiting for it. */
  async function take(signal: AbortSignal | undefined): Promise<void> {
    await taking;
    const full = segment;
    segment = undefined;
    if (!full) return;
    taking = takeIn(target, name, read, full, signal, remove);
    // Whoever adds or flushes next hears of a failure.
    taking.catch(() => undefined);
  }

  return {
    name,
    async add(batch, signal) {
      segment ??= openSegment(join(target.temporaryFolder, `${name} ${(segments += 1)}.jsonl`));
      const lines = linesOf(batch, read);
      for (const line of lines) segment.longest = Math.max(segment.longest, line.length);
      const text = lines.join('');
      segment.length += text.length;
      if (!segment.stream.write(text)) await drained(segment);
      if (segment.failure) throw segment.failure;
      if (segment.length > segmentLength) await take(signal);
    },
    async flush(signal) {
      await take(signal);
      await taking;
    },
    async discard() {
      const open = segment;
      segment = undefined;
      if (open) {
        open.stream.destroy();
        await finished(open.stream).catch(() => undefined);
        await rm(open.path, { force: true });
      }
      await taking.catch(() => undefined);
      await removing;
      await target.run(dropTableSql(name));
    },
  };
}

/** Records on one line: writing many at once takes a fraction of the time. */
const recordsOfLine = 64;

/** Characters; DuckDB keeps room for whole lines, so large records stand alone. */
const longLine = 1024 * 1024;

/** JSON lines, each a list of records, which are lists of texts. */
function linesOf(batch: readonly Cells[], read: ObjectRead): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < batch.length; at += recordsOfLine) {
    const part = batch.slice(at, at + recordsOfLine);
    const line = lineOf(part, read);
    if (line.length <= longLine) lines.push(line);
    else for (const cells of part) lines.push(lineOf([cells], read));
  }
  return lines;
}

function lineOf(records: readonly Cells[], read: ObjectRead): string {
  const line = JSON.stringify(records);
  return `${maybeHalves(line) ? JSON.stringify(wholeCells(records, read)) : line}\n`;
}

async function takeIn(
  target: FetchTarget,
  name: string,
  read: ObjectRead,
  { path, stream, longest }: Segment,
  signal: AbortSignal | undefined,
  remove: (path: string) => void,
): Promise<void> {
  try {
    stream.end();
    await finished(stream);
    await insert(target, name, read, path, longest, signal);
  } finally {
    remove(path);
  }
}

interface Segment {
  readonly path: string;
  readonly stream: ReturnType<typeof createWriteStream>;
  /** Characters so far. */
  length: number;
  /** Characters of the longest line. */
  longest: number;
  failure: Error | undefined;
}

function openSegment(path: string): Segment {
  const segment: Segment = { path, stream: createWriteStream(path), length: 0, longest: 0, failure: undefined };
  segment.stream.on('error', (error: NodeJS.ErrnoException) => (segment.failure = writeFailure(error)));
  return segment;
}

async function drained(segment: Segment): Promise<void> {
  await once(segment.stream, 'drain').catch(() => undefined);
  if (segment.failure) throw segment.failure;
}

async function insert(
  target: FetchTarget,
  name: string,
  read: ObjectRead,
  path: string,
  longest: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await target.run(insertSql(name, read, path, longest), { ...(signal && { signal }) });
  } catch (error) {
    throw (error instanceof DuckDbError && (await misfit(target, read, readSql(path, longest)))) || error;
  }
}

/** The statement that takes a segment in. */
export function insertSql(name: string, read: Pick<ObjectRead, 'columns'>, path: string, longest = 0): string {
  const values = read.columns.map(({ type }, index) => castSql(cellSql(index), type));
  return `INSERT INTO temp.${quoteIdentifier(name)} SELECT ${values.join(', ')} FROM ${readSql(path, longest)}`;
}

/**
 * The records of a segment as rows with one column, `cells`. DuckDB's reader of JSON keeps 64 MB of room whatever it reads; that of CSV, for which
 * each line is one text here, keeps as much as it is told to, and takes no longer.
 */
function readSql(path: string, longest: number): string {
  // A character takes up to four bytes.
  const size = Math.max(1024 * 1024, longest * 4);
  const lines = `read_csv('${path.replaceAll("'", "''")}', auto_detect = false, header = false, delim = '', quote = '', escape = '', comment = '', columns = {line: 'VARCHAR'}, max_line_size = ${size}, buffer_size = ${2 * size})`;
  return `(SELECT unnest(from_json(line, '[["VARCHAR"]]')) AS cells FROM ${lines})`;
}

function cellSql(index: number): string {
  return `cells[${index + 1}]`;
}

/** The first text that is no value of its column's type, in words. */
async function misfit(target: FetchTarget, read: ObjectRead, from: string): Promise<SourceError | undefined> {
  for (const [index, { name, type }] of read.columns.entries()) {
    if (type === 'VARCHAR') continue;
    const cell = cellSql(index);
    const key = read.columns.findIndex(({ primaryKey }) => primaryKey);
    const keySql = key < 0 ? 'NULL' : cellSql(key);
    const [row] = await target.query(
      `SELECT ${cell} AS value, ${keySql} AS key FROM ${from} WHERE ${cell} IS NOT NULL AND ${tryCastSql(cell, type)} IS NULL LIMIT 1`,
    );
    if (!row) continue;
    const record = row['key'] === null ? 'A record' : `The record ${String(row['key'])}`;
    return new SourceError(
      'type-mismatch',
      `${record} of ${read.dataObject} has "${String(row['value']).slice(0, 80)}" in ${name}, which is no ${type}.`,
      {
        remedy:
          'Correct the record at the source, leave the column out, or declare its type where endpoints have columns.',
      },
    );
  }
  return undefined;
}

function writeFailure(error: NodeJS.ErrnoException): SourceError {
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return new SourceError(
    isFull ? 'disk-full' : 'source-failed',
    isFull
      ? 'The disk is full: fetched records could not be kept.'
      : `Fetched records could not be kept: ${error.message}.`,
    { ...(isFull && { remedy: 'Free some space on the disk of the workspace, then import again.' }), cause: error },
  );
}
