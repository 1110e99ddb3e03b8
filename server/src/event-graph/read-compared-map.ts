import type { ComparedEdge, MapEdgeView, MapNodeView } from '../../../protocol/event-graph.ts';
import { countSubjects } from '../analysis/answer-measures.ts';
import { comparePaths } from '../analysis/compare-filters.ts';
import type { ReadTypeFilter } from '../analysis/filter-entities.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import type { MapView } from './map-query.ts';
import type { ProcessMap } from './process-map.ts';
import { readProcessMap } from './read-process-map.ts';

/** The map of the entities of a filter with the numbers of others on each path. The paths that most take on either side come first. */
export async function readComparedMap(
  store: StoreReader,
  view: Omit<MapView, 'filter'> & { readonly filter: ReadTypeFilter },
  other: ReadTypeFilter,
  options: StatementOptions,
): Promise<ProcessMap> {
  const { filter, lifecycle } = view;
  const one = await readProcessMap(store, view, options);
  const two = await readProcessMap(store, { ...view, filter: other }, options);
  const entities = {
    one: await countSubjects(store, filter, options),
    other: await countSubjects(store, other, options),
  };
  const shares = await comparePaths(store, { filter, other, lifecycle }, entities, options);
  const edges = { one: edgesByPath(one.edges), two: edgesByPath(two.edges) };
  return {
    ...one,
    quantileError: Math.max(one.quantileError, two.quantileError),
    nodes: bothNodes(one.nodes, two.nodes),
    edges: shares
      .map(({ source, target, ...sides }): MapEdgeView => {
        const key = pathKey({ source, target });
        const { source: _source, target: _target, ...others } = edges.two.get(key) ?? nobody({ source, target });
        const compared: ComparedEdge = { ...others, share: sides.one.share, otherShare: sides.other.share };
        return { ...(edges.one.get(key) ?? nobody({ source, target })), compared };
      })
      .toSorted((first, second) => mostOf(second) - mostOf(first) || (pathKey(first) < pathKey(second) ? -1 : 1)),
  };
}

function mostOf({ compared }: MapEdgeView): number {
  return Math.max(compared?.share ?? 0, compared?.otherShare ?? 0);
}

export function pathKey({ source, target }: Pick<MapEdgeView, 'source' | 'target'>): string {
  return JSON.stringify([source, target]);
}

export function edgesByPath(edges: readonly MapEdgeView[]): ReadonlyMap<string, MapEdgeView> {
  return new Map(edges.map((edge) => [pathKey(edge), edge]));
}

/** A path that no entity takes. */
export function nobody(path: Pick<MapEdgeView, 'source' | 'target'>): MapEdgeView {
  return { ...path, count: 0, median: 0, p90: 0, total: 0, medianText: '–', p90Text: '–', totalText: '–' };
}

export function bothNodes(nodes: readonly MapNodeView[], others: readonly MapNodeView[]): readonly MapNodeView[] {
  const countOf = new Map(others.map(({ activity, count }) => [activity, count]));
  const known = new Set(nodes.map(({ activity }) => activity));
  const onlyThere = others.filter(({ activity }) => !known.has(activity));
  return [
    ...nodes.map((node) => ({ ...node, otherCount: countOf.get(node.activity) ?? 0 })),
    ...onlyThere.map(({ activity, count }) => ({
      activity,
      count: 0,
      otherCount: count,
      events: 0,
      starts: 0,
      ends: 0,
    })),
  ];
}
