import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { type Point, boxOfLine } from './geometry.ts';
import { edgeId } from './layout.ts';

/**
 * The graph as ELK arranges it: lines of row correlations to one node end in one port, so that they share a track.
 * Otherwise each would have a track of its own, and many of them would take the room of the cards.
 */
export function bundled(graph: ElkNode): ElkNode {
  const ends = (graph.edges ?? []).flatMap(({ id, targets }) => (edgeId.isCorrelation(id) ? targets : []));
  const repeated = new Set(ends.filter((end, index) => ends.indexOf(end) < index));
  if (repeated.size === 0) return graph;
  const port = (node: string): string => `in:${node}`;
  return {
    ...graph,
    children: (graph.children ?? []).map((node) =>
      repeated.has(node.id) ? { ...node, ports: [{ id: port(node.id), width: 0, height: 0 }] } : node,
    ),
    edges: (graph.edges ?? []).map((edge) => {
      const [target = ''] = edge.targets;
      return edgeId.isCorrelation(edge.id) && repeated.has(target) ? { ...edge, targets: [port(target)] } : edge;
    }),
  };
}

/** The layout of a bundled graph, with the nodes and ends of the graph itself. */
export function unbundled(layout: ElkNode, graph: ElkNode): ElkNode {
  const targets = new Map((graph.edges ?? []).map(({ id, targets }) => [id, targets]));
  return {
    ...layout,
    children: (layout.children ?? []).map(({ ports: _, ...node }) => node),
    edges: (layout.edges ?? []).map((edge) => ({ ...edge, targets: targets.get(edge.id) ?? edge.targets })),
  };
}

/** The part of each line, from its beginning, that it has for itself. */
export function ownParts(lines: readonly (readonly Point[])[]): readonly (readonly Point[])[] {
  const byTrack = new Map<string, { readonly line: number; readonly from: number; readonly to: number }[]>();
  for (const [line, points] of lines.entries()) {
    for (const { track, from, to } of piecesOf(points)) {
      const all = byTrack.get(track) ?? [];
      all.push({ line, from: Math.min(from, to), to: Math.max(from, to) });
      byTrack.set(track, all);
    }
  }
  return lines.map((points, line) => {
    for (const { index, track, from, to } of piecesOf(points)) {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      const shared = (byTrack.get(track) ?? []).filter(
        (other) => other.line !== line && Math.min(other.to, high) - Math.max(other.from, low) > 1,
      );
      if (shared.length === 0) continue;
      const meeting =
        from <= to
          ? Math.max(low, Math.min(...shared.map((other) => other.from)))
          : Math.min(high, Math.max(...shared.map((other) => other.to)));
      const start = points[index];
      if (!start) continue;
      const end = track.startsWith('x') ? { x: start.x, y: meeting } : { x: meeting, y: start.y };
      return [...points.slice(0, index + 1), end];
    }
    return points;
  });
}

/** The upright and level pieces of a line, in its direction. */
function piecesOf(
  points: readonly Point[],
): readonly { readonly index: number; readonly track: string; readonly from: number; readonly to: number }[] {
  return points.slice(1).flatMap((end, index) => {
    const start = points[index] ?? end;
    const { width, height } = boxOfLine(start, end);
    if (width > 0.5 && height > 0.5) return [];
    return width > height
      ? [{ index, track: `y${Math.round(start.y)}`, from: start.x, to: end.x }]
      : [{ index, track: `x${Math.round(start.x)}`, from: start.y, to: end.y }];
  });
}
