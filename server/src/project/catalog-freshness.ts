import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import { haveChangedSince, sourceFiles } from './source-files.ts';

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
 * validated with its earlier catalog. The values of environment variables are not part of it: they do not change while a
 * program runs. Those of the catalog on disk are compared (`catalog-file.ts`).
 */
export function catalogKey({ path }: { readonly path: string }, source: DataSource): string {
  return JSON.stringify([resolve(path), source.name.value, settingsHash(source)]);
}

/** In-memory copy, because every editor request needs the catalog. */
const hashes = new WeakMap<DataSource, string>();

/** Whether files of a source changed after its catalog was read. A catalog does not expire with time. */
export function isOutdated(
  { path }: { readonly path: string },
  source: DataSource,
  catalog: Catalog,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const readAt = Date.parse(catalog.readAt);
  // The clock was set back, so file times are unusable.
  if (readAt > Date.now()) return Promise.resolve(true);
  return sourceFiles(source, path, environment, catalog).then((named) => haveChangedSince(named, readAt));
}
