import { createHmac, randomBytes } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import { variablesOfRows } from '../connectors/rows-identity.ts';
import { isDialectName } from '../dialects/index.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import type { DataSource } from '../model/data-sources.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { ensureStateFolder, statePaths } from '../state/state-folder.ts';
import { catalogShape } from './catalog-shape.ts';
import { settingsHash } from './catalog-freshness.ts';

/** Format version of cached catalogs. */
const cacheVersion = 6;

interface CacheFile {
  readonly version: number;
  /** Random for each file, so that values cannot be found in lists of known hashes. */
  readonly salt: string;
  /** Hash of the source's settings as written; changed settings invalidate the catalog. */
  readonly settings: string;
  /** Hashes of the environment variables in the settings: another value may name another server, file or user. */
  readonly variables: Readonly<Record<string, string>>;
  readonly catalog: Catalog;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The cached catalog of a source with these settings, or undefined. A variable that is not set does not invalidate it: an
 * editor that was started without it still completes names. Never throws, because the cache is optional.
 */
export async function readCachedCatalog(
  stateFolder: string,
  source: DataSource,
  environment: Environment,
): Promise<Catalog | undefined> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.catalog(stateFolder, source.name.value));
    const file = JSON.parse(await readText(path)) as CacheFile;
    if (file.version !== cacheVersion || file.settings !== salted(settingsHash(source), file.salt)) return undefined;
    const here = Object.entries(variableHashes(source, environment, file.salt));
    if (here.some(([name, hash]) => file.variables[name] !== hash)) return undefined;
    const isReadable = catalogShape(file.catalog, '') === undefined && isDialectName(file.catalog.dialect);
    return isReadable ? file.catalog : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a catalog for offline use. Never throws: an unwritable folder only disables the cache. */
export async function writeCachedCatalog(
  stateFolder: string,
  source: DataSource,
  environment: Environment,
  catalog: Catalog,
): Promise<void> {
  const salt = randomBytes(16).toString('hex');
  const variables = variableHashes(source, environment, salt);
  const settings = salted(settingsHash(source), salt);
  const content: CacheFile = { version: cacheVersion, salt, settings, variables, catalog };
  try {
    await ensureStateFolder(stateFolder);
    const path = await insideStateFolder(stateFolder, statePaths.catalog(stateFolder, source.name.value));
    await writeFileAtomic(path, JSON.stringify(content));
  } catch {
    // Failures are ignored.
  }
}

function variableHashes(source: DataSource, environment: Environment, salt: string): Readonly<Record<string, string>> {
  const values = Object.entries(variablesOfRows(source, environment));
  return Object.fromEntries(values.map(([name, value]) => [name, salted(value, salt)]));
}

function salted(value: string, salt: string): string {
  return createHmac('sha256', salt).update(value).digest('hex');
}
