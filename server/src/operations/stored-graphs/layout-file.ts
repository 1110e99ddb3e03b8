import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LayoutMemory } from '../../event-graph/kept-layouts.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';

/** Longer files are not ours: sixteen maps of the largest size take less than half of it. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Layouts beside the stores of an entity graph, so that they are moved and deleted with them. Links are not read, and
 * writing replaces them.
 */
export function layoutFile(store: string): LayoutMemory {
  const path = join(dirname(store), 'layouts.kept');
  return {
    async read() {
      try {
        const file = await lstat(path);
        return file.isFile() && file.size <= maxBytes ? await readFile(path, 'utf8') : undefined;
      } catch {
        return undefined;
      }
    },
    async write(text) {
      try {
        // A graph that was deleted meanwhile must not get its folder back.
        await lstat(store);
        await writeFileAtomic(path, text);
      } catch {
        // The folder may be read-only; the next map is laid out anew.
      }
    },
  };
}
