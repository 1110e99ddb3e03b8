import type { ComparedEdge, MapEdgeView } from '../../../protocol/event-graph.ts';
import type { ProcessMap } from './process-map.ts';
import { bothNodes, edgesByPath, nobody, pathKey } from './read-compared-map.ts';

/** The maps of two imports as one, with both numbers of each activity and path: the paths that differ most come first. */
export function changedMap(now: ProcessMap, before: ProcessMap): ProcessMap {
  const [after, earlier] = [edgesByPath(now.edges), edgesByPath(before.edges)];
  const paths = new Map([...earlier, ...after]);
  return {
    ...now,
    quantileError: 0,
    nodes: bothNodes(now.nodes, before.nodes),
    edges: [...paths]
      .map(([key, { source, target }]): MapEdgeView => {
        const { source: _source, target: _target, ...compared } = earlier.get(key) ?? nobody({ source, target });
        return { ...(after.get(key) ?? nobody({ source, target })), compared: compared satisfies ComparedEdge };
      })
      .toSorted(
        (one, other) => differenceOf(other) - differenceOf(one) || mostOf(other) - mostOf(one) || byName(one, other),
      ),
  };
}

function differenceOf({ count, compared }: MapEdgeView): number {
  return Math.abs(count - (compared?.count ?? 0));
}

function mostOf({ count, compared }: MapEdgeView): number {
  return Math.max(count, compared?.count ?? 0);
}

function byName(one: MapEdgeView, other: MapEdgeView): number {
  return pathKey(one) < pathKey(other) ? -1 : 1;
}
