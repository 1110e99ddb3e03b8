import { basename } from 'node:path';
import { fileErrorOf } from '../../files/file-error.ts';
import { readLines } from '../../files/read-lines.ts';
import { SourceError } from '../../connectors/source-error.ts';
import type { RecordKey } from '../../connectors/source-writer.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { readStagingRows } from './read-staging-rows.ts';

/** The keys in a list of records. */
export interface RecordIds {
  /** Distinct keys, in file order. */
  readonly ids: readonly string[];
  /** Number of duplicate lines. */
  readonly repeated: number;
}

/**
 * Reads the keys in a file: one per line, or the column named like the key of records (CSV, JSON, Parquet). Rejects
 * with `file-malformed` for an invalid key, before anything is sent.
 */
export async function readRecordIds(
  file: string,
  key: RecordKey,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): Promise<RecordIds> {
  const ids = new Set<string>();
  let count = 0;
  const isPlain = await isPlainList(file, key);
  for await (const { id, line } of isPlain ? linesOf(file) : columnOf(file, key, projectContext, signal)) {
    signal?.throwIfAborted();
    if (!/^[\w.-]+$/.test(id) || /^\.+$/.test(id)) {
      throw malformed(
        file,
        key,
        `has "${id.slice(0, 80)}" in place of a ${key.name}${line === undefined ? '' : ` in line ${line}`}.`,
        line,
      );
    }
    ids.add(id);
    count += 1;
  }
  if (ids.size === 0) throw malformed(file, key, 'names no record.');
  return { ids: [...ids], repeated: count - ids.size };
}

interface FoundId {
  readonly id: string;
  readonly line?: number;
}

/** A text whose first line is a key instead of column names. */
async function isPlainList(file: string, key: RecordKey): Promise<boolean> {
  if (/\.(?:parquet|gz|jsonl?|ndjson|xls[xm])$/i.test(file)) return false;
  const isTable = /\.(?:csv|tsv)$/i.test(file);
  for await (const { id } of linesOf(file)) {
    if (key.generated.test(id)) return true;
    return !isTable && /^[\w.-]+$/.test(id) && id.toLowerCase() !== key.name;
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
  key: RecordKey,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): AsyncGenerator<FoundId, void, undefined> {
  for await (const rows of readStagingRows({ kind: 'file', file }, projectContext, signal)) {
    for (const row of rows) {
      const name = Object.keys(row).find((each) => each.toLowerCase() === key.name);
      if (name === undefined) throw malformed(file, key, `has a record without a ${key.name}.`);
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

function malformed(file: string, { name }: RecordKey, problem: string, line?: number): SourceError {
  return new SourceError('file-malformed', `${basename(file)} ${problem}`, {
    file,
    line,
    remedy: `Give a file with one ${name} a line, or records with a column named ${name}.`,
  });
}
