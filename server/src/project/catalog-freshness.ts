import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { isDialectName } from '../dialects/index.ts';
import type { DataSource } from '../model/data-sources.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { ensureStateFolder, statePaths } from '../state/state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

/** Format version of cached catalogs. */
const cacheVersion = 4;

interface CacheFile {
  readonly version: number;
  /** Hash of the source's settings as written; changed settings invalidate the catalog. */
  readonly settings: string;
  readonly catalog: Catalog;
}

/** Hash of the settings as written, with `${secret:}` references unresolved, so it contains no secret. */
export function settingsHash(source: DataSource): string {
  const known = hashes.get(source);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(JSON.stringify(source.settings)).digest('hex');
  hashes.set(source, hash);
  return hash;
}

/**
 * The key of a catalog in memory: the sources file, the source and its settings, because an edited source is never
 * validated with its earlier catalog.
 */
export function catalogKey({ path }: { readonly path: string }, source: DataSource): string {
  return JSON.stringify([resolve(path), source.name.value, settingsHash(source)]);
}

/** In-memory copy, because every editor request needs the catalog. */
const hashes = new WeakMap<DataSource, string>();

/** The cached catalog of a source with these settings, or undefined. Never throws, because the cache is optional. */
export async function readCachedCatalog(stateFolder: string, source: DataSource): Promise<Catalog | undefined> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.catalog(stateFolder, source.name.value));
    const file = JSON.parse(await readText(path)) as CacheFile;
    if (file.version !== cacheVersion || file.settings !== settingsHash(source)) return undefined;
    return isDialectName(file.catalog.dialect) ? file.catalog : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a catalog for offline use. Never throws: an unwritable folder only disables the cache. */
export async function writeCachedCatalog(stateFolder: string, source: DataSource, catalog: Catalog): Promise<void> {
  const content: CacheFile = { version: cacheVersion, settings: settingsHash(source), catalog };
  try {
    await ensureStateFolder(stateFolder);
    const path = await insideStateFolder(stateFolder, statePaths.catalog(stateFolder, source.name.value));
    await writeFileAtomic(path, JSON.stringify(content));
  } catch {
    // Failures are ignored.
  }
}
