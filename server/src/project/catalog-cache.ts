import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';

const cacheVersion = 1;

interface CacheFile {
  readonly version: number;
  /** Hash of the source's settings as written: other settings, other catalog. */
  readonly settings: string;
  readonly catalog: Catalog;
}

/** Hash of the settings as written, `${secret:}` references unresolved: nothing secret enters it from our side. */
export function settingsHash(source: DataSource): string {
  return createHash('sha256').update(JSON.stringify(source.settings)).digest('hex');
}

/** The catalog last read from a source with these settings, or undefined. Never throws: a cache may be lost. */
export async function readCachedCatalog(stateFolder: string, source: DataSource): Promise<Catalog | undefined> {
  try {
    const file = JSON.parse(await readFile(cachePath(stateFolder, source), 'utf8')) as CacheFile;
    if (file.version !== cacheVersion || file.settings !== settingsHash(source)) return undefined;
    return file.catalog;
  } catch {
    return undefined;
  }
}

/** Stores a catalog for offline use. Never throws: a folder that cannot be written costs only the cache. */
export async function writeCachedCatalog(stateFolder: string, source: DataSource, catalog: Catalog): Promise<void> {
  const path = cachePath(stateFolder, source);
  const temporary = `${path}.${process.pid}.tmp`;
  const content: CacheFile = { version: cacheVersion, settings: settingsHash(source), catalog };
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, JSON.stringify(content));
    await rename(temporary, path);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

function cachePath(stateFolder: string, source: DataSource): string {
  return join(stateFolder, 'catalog', `${encodeURIComponent(source.name.value)}.json`);
}
