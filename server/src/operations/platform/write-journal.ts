import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileErrorOf } from '../../files/file-error.ts';
import { insideFolder } from '../../files/follow-links.ts';
import { readLines } from '../../files/read-lines.ts';

/** State of a record to write. */
export interface WriteState {
  readonly state: 'done' | 'missing' | 'refused' | 'unknown';
  readonly message?: string;
}

/** The journal of a bulk write, flushed to disk before and after each record. */
export interface WriteJournal {
  readonly path: string;
  /** By the key of a record, including those of earlier runs. */
  readonly states: ReadonlyMap<string, WriteState>;
  /** Records the start of a write. Until `ended` its outcome is unknown, also after a crash. */
  begin(id: string): Promise<void>;
  ended(id: string, state: WriteState): Promise<void>;
  close(): Promise<void>;
  /** Deletes the journal after completion. */
  remove(): Promise<void>;
}

/** Path of the journal: beside the list, with a name per table, instance and set of values. */
export function journalPath(list: string, action: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(action)).digest('hex').slice(0, 8);
  return `${list}.${hash}.journal`;
}

const unended: WriteState = { state: 'unknown', message: 'A run ended before its outcome was known.' };

/** Reads a journal; empty without one. A line truncated by a crash is ignored. */
export async function readJournal(path: string): Promise<Map<string, WriteState>> {
  const states = new Map<string, WriteState>();
  try {
    for await (const line of readLines(await insideFolder(path, dirname(path)))) {
      const entry = parseEntry(line);
      if (entry) states.set(entry.id, entry.state === 'begun' ? unended : { ...entry, state: entry.state });
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      throw fileErrorOf(error, path) ?? error;
  }
  return states;
}

interface Entry {
  readonly id: string;
  readonly state: WriteState['state'] | 'begun';
  readonly message?: string;
}

function parseEntry(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Entry>;
    const isKnown =
      typeof entry.id === 'string' && ['begun', 'done', 'missing', 'refused', 'unknown'].includes(entry.state ?? '');
    return isKnown ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the journal at `path` exclusively. */
export async function openJournal(path: string): Promise<WriteJournal> {
  const states = await readJournal(path);
  const file = await open(path, 'a');
  const append = async (entry: Entry): Promise<void> => {
    await file.appendFile(`${JSON.stringify(entry)}\n`);
  };
  // A truncated line is terminated, so that it stays separate; blank lines are ignored.
  await file.appendFile('\n');
  return {
    path,
    states,
    async begin(id) {
      await append({ id, state: 'begun' });
      await file.sync();
      states.set(id, unended);
    },
    async ended(id, state) {
      await append({ id, ...state });
      states.set(id, state);
    },
    async close() {
      await file.sync();
      await file.close();
    },
    async remove() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
