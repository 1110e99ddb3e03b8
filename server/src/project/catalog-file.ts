import type { Catalog } from '../catalog/catalog.ts';
import { isDialectName } from '../dialects/index.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import type { DataSource } from '../model/data-sources.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { ensureStateFolder, statePaths } from '../state/state-folder.ts';
import { settingsHash } from './catalog-freshness.ts';

/** Format version of cached catalogs. */
const cacheVersion = 4;

interface CacheFile {
  readonly version: number;
  /** Hash of the source's settings as written; changed settings invalidate the catalog. */
  readonly settings: string;
  readonly catalog: Catalog;
}

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
