import type { DataSources } from '../../model/data-sources.ts';
import { dataSourceNames } from '../../model/data-sources-used.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/** A data source that the graph names is missing in the sources file, or there is no sources file. */
export const unknownDataSource: GraphCheck = {
  codes: ['unknown-data-source'],
  check: ({ graph, sources, sourcesAbove }) =>
    dataSourceNames(graph).flatMap((dataSource) => dataSourceProblem(dataSource, sources, sourcesAbove) ?? []),
};

/** Why the graph's data source is not available. */
export function dataSourceProblem(
  { value, range }: NonNullable<EntityGraph['dataSource']>,
  sources: DataSources | undefined,
  sourcesAbove?: string,
): Problem | undefined {
  const names = sources?.sources.map(({ name }) => name.value) ?? [];
  if (names.includes(value)) return undefined;
  const problem = { code: 'unknown-data-source', severity: 'error', range } as const;
  if (sources?.complete === false) {
    const message = `"${value}" is not known, because entity-sources.yaml cannot be read. Mend the first error in it.`;
    return { ...problem, message };
  }
  const nearest = nearestNames(value, names);
  return {
    ...problem,
    message: sources
      ? `"${value}" is not a data source of entity-sources.yaml. ${remedy(nearest, names)}`
      : `"${value}" is not configured: ${noSources(sourcesAbove)}`,
    ...(nearest.length > 0 ? { suggestions: nearest } : {}),
  };
}

function noSources(above: string | undefined): string {
  return above === undefined
    ? 'there is no entity-sources.yaml beside this file or above it. Create one.'
    : `${above} is above the workspace folder, where the search ends. Open its folder, too; on the command line, name it with --workspace.`;
}

function remedy(nearest: readonly string[], names: readonly string[]): string {
  return didYouMean(nearest) ?? (names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none yet: add one.');
}
