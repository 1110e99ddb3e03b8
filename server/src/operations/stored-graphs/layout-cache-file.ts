import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LayoutCache } from '../../event-graph/layout-cache.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';

/** Larger files are ignored: sixteen maps of the largest size take less than half of it. */
const maxBytes = 8 * 1024 * 1024;

/**
 * The layout cache of an entity graph: a file beside its stores, moved and deleted with them. Does not follow links when
 * reading, and replaces them when writing.
 */
export function layoutCacheFile(store: string): LayoutCache {
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
        // The folder may be read-only; then the next map is laid out again.
      }
    },
  };
}
