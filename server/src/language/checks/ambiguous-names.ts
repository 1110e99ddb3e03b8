import { dataSourceNamed, dataSourcesNamed } from '../../model/data-sources-used.ts';
import { type EntityGraph, type EntitySource, hasOwnEntity } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/** An entry without a data source whose data object is selected from several data sources, so that it is ambiguous. */
export const ambiguousDataObject: GraphCheck = {
  codes: ['ambiguous-data-object'],
  check({ graph, index }) {
    const selected = sourcesOfSelection(graph);
    if (selected.size === 0) return [];
    const entries = [
      ...[...selected.keys()].flatMap((name) => [...(index.sourcesByObject.get(name) ?? [])]),
      ...graph.relationships.flatMap(({ crossTable }) => crossTable ?? []),
    ];
    return entries.flatMap(({ dataObject, dataSource }): readonly Problem[] => {
      const sources = dataObject && !dataSource ? selected.get(dataObject.value) : undefined;
      if (!dataObject || !sources) return [];
      const names = sources.map((source) => `"${source}"`).join(' and of ');
      return [
        {
          code: 'ambiguous-data-object',
          severity: 'error',
          message: `"${dataObject.value}" is selected of ${names}. Which one is meant? Add dataSource.`,
          range: dataObject.range,
        },
      ];
    });
  },
};

/** The data objects that are selected of several data sources, with the names of these. */
export function sourcesOfSelection(graph: EntityGraph): ReadonlyMap<string, readonly string[]> {
  // Only a graph with groups can select one name twice.
  if (!graph.dataObjects.some(({ dataSource }) => dataSource)) return new Map();
  const found = new Map<string, Set<string>>();
  for (const object of graph.dataObjects) {
    const source = dataSourceNamed(graph, object);
    if (source !== undefined) found.set(object.value, (found.get(object.value) ?? new Set()).add(source));
  }
  return new Map([...found].flatMap(([name, sources]) => (sources.size > 1 ? [[name, [...sources]] as const] : [])));
}

/**
 * An entry without entity type, although data objects of one name are read of several data sources: by their default
 * type, rows of different systems would silently share entities.
 */
export const ambiguousEntityType: GraphCheck = {
  codes: ['ambiguous-entity-type'],
  check({ graph, index, sources }) {
    if (dataSourcesNamed(graph).length < 2) return [];
    const configured = new Set(sources?.sources.map(({ name }) => name.value));
    return [...index.sourcesByObject].flatMap(([name, entries]) => {
      if (entries.size < 2) return [];
      // One entry of each data source; a misspelt one does not count as a second source.
      const bySource = new Map<string, EntitySource>();
      const others = [...entries].filter((entry) => {
        const source = dataSourceNamed(graph, entry) ?? '';
        if (!configured.has(source)) return false;
        if (!bySource.has(source)) bySource.set(source, entry);
        return true;
      });
      if (bySource.size < 2) return [];
      return others.flatMap((entry): readonly Problem[] => {
        const { dataObject, entityType } = entry;
        if (!dataObject || entityType || (!('isMasterData' in entry) && !hasOwnEntity(entry))) return [];
        const own = dataSourceNamed(graph, entry);
        const [, other] = [...bySource].find(([source]) => source !== own) ?? [];
        if (!other?.dataObject) return [];
        const otherSource = dataSourceNamed(graph, other) ?? '';
        return [
          {
            code: 'ambiguous-entity-type',
            severity: 'error',
            message: `"${name}" is read of "${own ?? ''}" and of "${otherSource}", whose entities would be mixed by their default type. Add entityType.`,
            range: dataObject.range,
            related: [{ message: `Here it is read of "${otherSource}".`, range: other.dataObject.range }],
          },
        ];
      });
    });
  },
};
