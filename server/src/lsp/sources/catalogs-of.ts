import type { Failure } from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import type { OpenSources } from '../documents/open-documents.ts';
import type { KnownCatalog, SourceCatalogs } from './source-catalogs.ts';

/** The known catalogs of the data sources in an open file, by name. */
export function catalogsOf(document: OpenFile, catalogs: Known): ReadonlyMap<string, Catalog> {
  return new Map(knownOf(document, catalogs).flatMap(([name, { catalog }]) => (catalog ? [[name, catalog]] : [])));
}

/** Why catalogs of an open file could not be read, by the name of the data source. */
export function failuresOf(document: OpenFile, catalogs: Known): ReadonlyMap<string, Failure> {
  return new Map(knownOf(document, catalogs).flatMap(([name, { failure }]) => (failure ? [[name, failure]] : [])));
}

type OpenFile = Pick<OpenSources, 'parsed' | 'path'>;
type Known = Pick<SourceCatalogs, 'known'>;

function knownOf({ parsed, path }: OpenFile, catalogs: Known): readonly (readonly [string, KnownCatalog])[] {
  if (path === undefined) return [];
  return parsed.sources.sources.map((source) => [source.name.value, catalogs.known(catalogKey({ path }, source))]);
}
