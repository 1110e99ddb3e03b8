import { basename } from 'node:path';
import { fileErrorOf } from '../../files/file-error.ts';
import { readLines } from '../../files/read-lines.ts';
import { SourceError } from '../../connectors/source-error.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { stagingRows } from './staging-rows.ts';

/** The keys in a list of records. */
export interface RecordIds {
  /** Distinct keys, in file order. */
  readonly ids: readonly string[];
  /** Number of duplicate lines. */
  readonly repeated: number;
}

/**
 * Reads the `sys_id`s of a file: one per line, or the column `sys_id` of records (CSV, JSON, Parquet). Rejects with
 * `file-malformed` for an invalid key, before anything is sent.
 */
export async function readRecordIds(
  file: string,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): Promise<RecordIds> {
  const ids = new Set<string>();
  let count = 0;
  for await (const { id, line } of (await isPlainList(file)) ? linesOf(file) : columnOf(file, projectContext, signal)) {
    signal?.throwIfAborted();
    if (!/^[\w.-]+$/.test(id) || /^\.+$/.test(id)) {
      throw malformed(
        file,
        `has "${id.slice(0, 80)}" in place of a sys_id${line === undefined ? '' : ` in line ${line}`}.`,
        line,
      );
    }
    ids.add(id);
    count += 1;
  }
  if (ids.size === 0) throw malformed(file, 'names no record.');
  return { ids: [...ids], repeated: count - ids.size };
}

interface FoundId {
  readonly id: string;
  readonly line?: number;
}

/** A text whose first line is a key instead of column names. */
async function isPlainList(file: string): Promise<boolean> {
  if (/\.(?:parquet|gz|jsonl?|ndjson)$/i.test(file)) return false;
  const isTable = /\.(?:csv|tsv)$/i.test(file);
  for await (const { id } of linesOf(file)) {
    if (/^[0-9a-f]{32}$/i.test(id)) return true;
    return !isTable && /^[\w.-]+$/.test(id) && id.toLowerCase() !== 'sys_id';
  }
  return true;
}

async function* linesOf(file: string): AsyncGenerator<FoundId, void, undefined> {
  let line = 0;
  try {
    for await (const text of readLines(file)) {
      line += 1;
      const bare = text.replace(/^\uFEFF/, '').trim();
      if (bare !== '') yield { id: bare.replace(/^"(.*)"$/, '$1'), line };
    }
  } catch (error) {
    throw missing(error, file) ?? fileErrorOf(error, file) ?? error;
  }
}

async function* columnOf(
  file: string,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): AsyncGenerator<FoundId, void, undefined> {
  for await (const rows of stagingRows({ kind: 'file', file }, projectContext, signal)) {
    for (const row of rows) {
      const name = Object.keys(row).find((each) => each.toLowerCase() === 'sys_id');
      if (name === undefined) throw malformed(file, 'has a record without a sys_id.');
      yield { id: (row[name] ?? '').trim() };
    }
  }
}

function missing(error: unknown, file: string): SourceError | undefined {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing
    ? new SourceError('file-missing', `There is no file ${file}.`, { file, remedy: 'Check the path of the file.' })
    : undefined;
}

function malformed(file: string, problem: string, line?: number): SourceError {
  return new SourceError('file-malformed', `${basename(file)} ${problem}`, {
    file,
    line,
    remedy: 'Give a file with one sys_id a line, or records with a column named sys_id.',
  });
}
