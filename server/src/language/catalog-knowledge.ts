import type { Catalog } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { FilePlace, Problem } from '../model/problem.ts';
import { rules } from '../model/rules.ts';
import { countText } from './count-text.ts';

/**
 * One hint per file that names and types are not validated, and why; none if the catalog contains everything the graph
 * names.
 * @param unknownBecause why there is no catalog.
 * @param place where the data sources file says so.
 */
export function catalogUnknown(
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
  unknownBecause: string | undefined,
  place?: FilePlace,
): readonly Problem[] {
  const { dataSource } = graph;
  const message = catalog ? incompleteBecause(graph, catalog) : unknownBecause;
  if (!dataSource || message === undefined) return [];
  const elsewhere = !catalog && place && { ...place, message: `The files of "${dataSource.value}" are named here.` };
  return [
    {
      code: 'catalog-unknown',
      severity: 'information',
      message,
      range: dataSource.range,
      ...(elsewhere && { elsewhere }),
    },
  ];
}

/** Why names of a graph are not checked; undefined if all that it names are known. */
export function incompleteBecause(graph: EntityGraph, all: GraphCatalog): string | undefined {
  for (const catalog of [all, ...(all.others ?? [])]) {
    const because = incompleteIn(graph, catalog);
    if (because !== undefined) return because;
  }
  return undefined;
}

/** Why names of one data source are not checked; undefined if all that the graph names are known. */
function incompleteIn(graph: EntityGraph, catalog: Catalog): string | undefined {
  if (catalog.complete) return undefined;
  const known = new Set(catalog.objects.flatMap(({ name, columns }) => (columns.length > 0 ? [name] : [])));
  const isHere = (entry: Parameters<typeof dataSourceNamed>[1]): boolean =>
    dataSourceNamed(graph, entry) === catalog.dataSource;
  const { dataObjects, elements, entities, relationships } = graph;
  const unknown = [
    ...dataObjects.filter(isHere),
    ...[...elements, ...entities].filter(isHere).flatMap(({ dataObject }) => dataObject ?? []),
    ...relationships.flatMap(({ crossTable }) =>
      crossTable && isHere(crossTable) ? (crossTable.dataObject ?? []) : [],
    ),
  ].find(({ value }) => !known.has(value));
  if (!unknown) return undefined;
  const own = catalog.undescribed?.find(({ name }) => name === unknown.value);
  const reason =
    own?.reason ?? catalog.warnings[0] ?? 'Run Refresh Catalog, or name it in the settings of the data source.';
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
