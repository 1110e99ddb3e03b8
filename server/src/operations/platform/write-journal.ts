import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileErrorOf } from '../../files/file-error.ts';
import { insideFolder } from '../../files/follow-links.ts';
import { readLines } from '../../files/read-lines.ts';

/** What is known of a record that is to be written. */
export interface WriteState {
  readonly state: 'done' | 'missing' | 'refused' | 'unknown';
  readonly message?: string;
}

/** The progress of many writes: on the disk before and after each of them. */
export interface WriteJournal {
  readonly path: string;
  /** By `sys_id`, those of earlier runs among them. */
  readonly states: ReadonlyMap<string, WriteState>;
  /** That a record is going to be written. Until `ended` its outcome is unknown, also after a crash. */
  begin(id: string): Promise<void>;
  ended(id: string, state: WriteState): Promise<void>;
  close(): Promise<void>;
  /** Removes it: nothing is left to do. */
  remove(): Promise<void>;
}

/** Where the progress of an action stands: beside its list, under a name of its own for each table, instance and set of values. */
export function journalPath(list: string, action: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(action)).digest('hex').slice(0, 8);
  return `${list}.${hash}.journal`;
}

const unended: WriteState = { state: 'unknown', message: 'A run was ended before it was known what became of it.' };

/** What a journal tells; nothing where there is none. A line that a crash cut off is no line. */
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

/** Opens the journal at `path`; one process at a time may. */
export async function openJournal(path: string): Promise<WriteJournal> {
  const states = await readJournal(path);
  const file = await open(path, 'a');
  const append = async (entry: Entry): Promise<void> => {
    await file.appendFile(`${JSON.stringify(entry)}\n`);
  };
  // What a crash cut off stays a line of its own, which is none; so is a blank one.
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
