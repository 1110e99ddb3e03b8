import type { Catalog } from '../catalog/catalog.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import { rules } from '../model/rules.ts';
import { countText } from './count-text.ts';

/**
 * One hint per file that names and types are not validated, and why; none if the catalog contains everything the graph
 * names.
 * @param unknownBecause why there is no catalog.
 */
export function catalogUnknown(
  graph: EntityGraph,
  catalog: Catalog | undefined,
  unknownBecause: string | undefined,
): readonly Problem[] {
  const { dataSource } = graph;
  const message = catalog ? incompleteBecause(graph, catalog) : unknownBecause;
  if (!dataSource || message === undefined) return [];
  return [{ code: 'catalog-unknown', severity: 'information', message, range: dataSource.range }];
}

function incompleteBecause(graph: EntityGraph, catalog: Catalog): string | undefined {
  if (catalog.complete) return undefined;
  const known = new Set(catalog.objects.flatMap(({ name, columns }) => (columns.length > 0 ? [name] : [])));
  const { dataObjects, elements, entities, relationships } = graph;
  const unknown = [
    ...dataObjects,
    ...[...elements, ...entities].flatMap(({ dataObject }) => dataObject ?? []),
    ...relationships.flatMap(({ crossTable }) => crossTable?.dataObject ?? []),
  ].find(({ value }) => !known.has(value));
  if (!unknown) return undefined;
  const reason = catalog.warnings[0] ?? 'Run Refresh Catalog, or name it in the settings of the data source.';
  return `Not all of "${catalog.dataSource}" is known, so "${unknown.value}" and its columns are not checked. ${reason}`;
}

/** Age above which a catalog is probably outdated. */
const dayMs = 24 * 60 * 60 * 1000;

/** Adds the age of an old catalog to problems that depend on it. `now` is in milliseconds since 1970. */
export function withCatalogAge(
  problems: readonly Problem[],
  catalog: Catalog | undefined,
  now: number,
): readonly Problem[] {
  const age = catalog ? now - Date.parse(catalog.readAt) : 0;
  if (!(age >= dayMs)) return problems;
  const days = countText(Math.floor(age / dayMs), 'day', 'days');
  const note = `The catalog was read ${days} ago: refresh it if the source has changed since.`;
  return problems.map((problem) =>
    rules[problem.code].needsCatalog ? { ...problem, message: `${problem.message} ${note}` } : problem,
  );
}
