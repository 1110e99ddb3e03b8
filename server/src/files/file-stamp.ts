import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A file that was written shortly before it is read may be written again without another time. */
export const settledMs = 2_000;

/** Another text for a file that was written, replaced or moved meanwhile. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return JSON.stringify([size, mtimeMs, ctimeMs, ino]);
}

/** The same for several files together. Undefined if one of them is missing, or might change without another time. */
export async function stampOfFiles(paths: readonly string[]): Promise<string | undefined> {
  const hash = createHash('sha256');
  const latest = Date.now() - settledMs;
  for (const found of await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))) {
    if (!found || found.ctimeMs > latest) return undefined;
    hash.update(stampOf(found));
  }
  return hash.update(JSON.stringify(paths)).digest('hex');
}
