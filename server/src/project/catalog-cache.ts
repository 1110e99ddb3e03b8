import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import { isDialectName } from '../dialects/index.ts';
import type { DataSource } from '../model/data-sources.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { ensureStateFolder, statePaths } from '../state/state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

/** Changes with what catalogs say. */
const cacheVersion = 4;

interface CacheFile {
  readonly version: number;
  /** Hash of the source's settings as written: other settings, other catalog. */
  readonly settings: string;
  readonly catalog: Catalog;
}

/** Hash of the settings as written, `${secret:}` references unresolved: nothing secret enters it from our side. */
export function settingsHash(source: DataSource): string {
  const known = hashes.get(source);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(JSON.stringify(source.settings)).digest('hex');
  hashes.set(source, hash);
  return hash;
}

/** Each request of an editor asks for one. */
const hashes = new WeakMap<DataSource, string>();

/** The catalog last read from a source with these settings, or undefined. Never throws: a cache may be lost. */
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

/** Stores a catalog for offline use. Never throws: a folder that cannot be written costs only the cache. */
export async function writeCachedCatalog(stateFolder: string, source: DataSource, catalog: Catalog): Promise<void> {
  const content: CacheFile = { version: cacheVersion, settings: settingsHash(source), catalog };
  try {
    await ensureStateFolder(stateFolder);
    const path = await insideStateFolder(stateFolder, statePaths.catalog(stateFolder, source.name.value));
    await writeFileAtomic(path, JSON.stringify(content));
  } catch {
    // Nobody is waiting for the cache.
  }
}
