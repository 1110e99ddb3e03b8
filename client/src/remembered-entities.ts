import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityView } from '../../protocol/requests/lifecycle-requests.ts';

/**
 * The list of entity graphs as the server answered it last, kept for the next start in the folder that VS Code gives the
 * extension for this workspace.
 */
export interface RememberedEntities {
  /** Undefined without a list. Never rejects. */
  read(): Promise<readonly EntityView[] | undefined>;
  /** Writes the list if it has changed. Never rejects. */
  keep(entities: readonly EntityView[]): Promise<void>;
}

interface KeptList {
  /** Version of the extension: another version may show other fields. */
  readonly version: string;
  readonly entities: readonly EntityView[];
}

/** Thousands of graphs take a moment to read in any case. */
const mostLength = 4_000_000;

/** @param folder may not exist yet; undefined without a workspace. */
export function createRememberedEntities(folder: string | undefined, version: string): RememberedEntities {
  const file = folder === undefined ? undefined : join(folder, 'entities.json');
  let onDisk: string | undefined;
  let writing = Promise.resolve();

  async function write(text: string): Promise<void> {
    if (folder === undefined || file === undefined || text === onDisk || text.length > mostLength) return;
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(draft, text);
      // Readers, and a crash at any moment, see the old or the new list.
      await rename(draft, file);
      onDisk = text;
    } catch {
      // Without the file, the next start shows no list until the server has answered.
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  return {
    async read() {
      if (file === undefined) return undefined;
      try {
        const text = await readFile(file, 'utf8');
        const kept = JSON.parse(text) as KeptList;
        if (kept.version !== version) return undefined;
        onDisk = text;
        return kept.entities;
      } catch {
        return undefined;
      }
    },
    keep(entities) {
      const text = JSON.stringify({ version, entities } satisfies KeptList);
      writing = writing.then(() => write(text));
      return writing;
    },
  };
}
