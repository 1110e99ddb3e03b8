import { join } from 'node:path';
import type { Column } from '../../catalog/catalog.ts';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { Cells, JsonPage, JsonShape } from './record-source.ts';
import { type SegmentFile, openSegmentFile } from './segment-file.ts';
import { type FetchTarget, type SegmentKind, loadSegment } from './load-segment.ts';

/** Segment size in characters; a segment is loaded while the next one is filled. */
const segmentLength = 1024 * 1024;

/** The statement that creates the table of a data object in the temporary schema. */
export function createTableSql(name: string, columns: readonly Column[]): string {
  const list = columns.map((column) => `${quoteIdentifier(column.name)} ${column.type}`);
  return `CREATE TEMP TABLE ${quoteIdentifier(name)} (${list.join(', ')})`;
}

export function dropTableSql(name: string): string {
  return `DROP TABLE IF EXISTS temp.${quoteIdentifier(name)}`;
}

/**
 * Loads records into a temporary table through files of JSON lines with several records each, on the disk of the
 * target.
 */
export interface FetchedTable {
  readonly name: string;
  add(batch: readonly Cells[], signal?: AbortSignal): Promise<void>;
  /** Adds a page of records without parsing it. */
  addJson(page: JsonPage, shape: JsonShape, signal?: AbortSignal): Promise<void>;
  /** Loads the pending records. */
  flush(signal: AbortSignal | undefined): Promise<void>;
  /** Deletes all records, including pending ones. */
  empty(): Promise<void>;
  /** Drops the table and pending records. */
  discard(): Promise<void>;
}

/** Creates the table; `name` must be unused. Rejects with `type-mismatch` when a text does not fit its column type. */
export async function createFetchedTable(target: FetchTarget, name: string, read: ObjectRead): Promise<FetchedTable> {
  await target.run(createTableSql(name, read.columns));
  let segment: { readonly kind: SegmentKind; readonly file: SegmentFile } | undefined;
  let segments = 0;
  let taking: Promise<void> = Promise.resolve();
  let removing: Promise<unknown> = Promise.resolve();

  /** Queues the segment for loading. */
  async function take(signal: AbortSignal | undefined): Promise<void> {
    await taking;
    const full = segment;
    segment = undefined;
    if (!full) return;
    taking = takeFile(full.kind, full.file, signal);
    // The next `add` or `flush` reports a failure.
    taking.catch(() => undefined);
  }

  async function takeFile(kind: SegmentKind, file: SegmentFile, signal: AbortSignal | undefined): Promise<void> {
    try {
      await file.end();
      const { path, longest, records } = file;
      await loadSegment(target, name, read, { kind, path, longest, records }, signal);
    } finally {
      // Awaited only when the table is discarded.
      removing = Promise.all([removing, file.remove()]);
    }
  }

  async function write(
    kind: SegmentKind,
    lines: readonly string[],
    records: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (segment && segment.kind !== kind) await take(signal);
    segment ??= { kind, file: openSegmentFile(join(target.temporaryFolder, `${name} ${(segments += 1)}.jsonl`)) };
    const { file } = segment;
    await file.write(lines, records);
    if (file.length > segmentLength) await take(signal);
  }

  /** Afterwards nothing is pending: all records are in the table or deleted. */
  async function stop(): Promise<void> {
    const open = segment;
    segment = undefined;
    await open?.file.remove();
    await taking.catch(() => undefined);
    taking = Promise.resolve();
  }

  return {
    name,
    add: (batch, signal) => write('cells', linesOf(batch, read), batch.length, signal),
    addJson: ({ text, records }, shape, signal) => write(shape, [`${text}\n`], records, signal),
    async flush(signal) {
      await take(signal);
      await taking;
    },
    async empty() {
      await stop();
      await target.run(`DELETE FROM temp.${quoteIdentifier(name)}`);
    },
    async discard() {
      await stop();
      await removing;
      await target.run(dropTableSql(name));
    },
  };
}

/** Several records per line, which loads much faster. */
const recordsOfLine = 64;

/** Line size in characters; DuckDB buffers whole lines, so large records have their own. */
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
  return `${mayHaveLoneSurrogates(line) ? JSON.stringify(escapeLoneSurrogates(records, read)) : line}\n`;
}

/**
 * Whether a line of JSON may contain lone surrogates, as in texts truncated at a length. They are written as escapes,
 * and DuckDB rejects them.
 */
function mayHaveLoneSurrogates(line: string): boolean {
  return line.includes('\\ud') || line.includes('\\uD');
}

/** Writes each lone surrogate as its escape in JSON: as one replacement character, different keys would be equal. */
function escapeLoneSurrogates(records: readonly Cells[], { columns }: Pick<ObjectRead, 'columns'>): readonly Cells[] {
  return records.map((cells) => cells.map((cell, index) => escaped(cell, columns[index]?.type === 'JSON')));
}

function escaped(cell: string | null, isJson: boolean): string | null {
  const text = cell?.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`) ?? null;
  // In JSON they are escapes already, which become plain text by another backslash.
  return isJson && text !== null ? text.replace(escapes, (found) => (found.length === 6 ? `\\${found}` : found)) : text;
}

/** An escaped backslash, a pair, or a lone surrogate. */
const escapes = /\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\ud[89a-f][\da-f]{2}/gi;
