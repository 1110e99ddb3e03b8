import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** The graph's data source is not in the sources file, or there is no sources file. */
export const unknownDataSource: GraphCheck = {
  codes: ['unknown-data-source'],
  check({ graph, sources }) {
    const { dataSource } = graph;
    if (!dataSource) return [];
    const names = sources?.sources.map(({ name }) => name.value) ?? [];
    if (names.includes(dataSource.value)) return [];
    if (sources?.complete === false) {
      const message = `"${dataSource.value}" is not known, because entity-sources.yaml cannot be read. Mend the first error in it.`;
      return [{ code: 'unknown-data-source', severity: 'error', message, range: dataSource.range }];
    }
    const nearest = nearestNames(dataSource.value, names);
    return [
      {
        code: 'unknown-data-source',
        severity: 'error',
        message: sources
          ? `"${dataSource.value}" is not a data source of entity-sources.yaml. ${remedy(nearest, names)}`
          : `"${dataSource.value}" is not configured: there is no entity-sources.yaml beside this file or above it. Create one.`,
        range: dataSource.range,
        ...(nearest.length > 0 ? { suggestions: nearest } : {}),
      },
    ];
  },
};

function remedy(nearest: readonly string[], names: readonly string[]): string {
  return didYouMean(nearest) ?? (names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none yet: add one.');
}
