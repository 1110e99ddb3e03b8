import type { Catalog } from '../../catalog/catalog.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import type { OpenSources } from '../documents/open-documents.ts';
import type { SourceCatalogs } from './source-catalogs.ts';

/** The known catalogs of the data sources in an open file, by name. */
export function catalogsOf(
  { parsed, path }: Pick<OpenSources, 'parsed' | 'path'>,
  catalogs: Pick<SourceCatalogs, 'known'>,
): ReadonlyMap<string, Catalog> {
  const known = new Map<string, Catalog>();
  for (const source of parsed.sources.sources) {
    const { catalog } = path === undefined ? {} : catalogs.known(catalogKey({ path }, source));
    if (catalog) known.set(source.name.value, catalog);
  }
  return known;
}
