import type { ElkExtendedEdge } from 'elkjs/lib/elk-api.js';
import { type Box, type Point, centreOf } from './geometry.ts';

/** Distance between parallel lines, and of a loop from its box. */
const bundleGap = 56;
const loopGap = 48;

/**
 * Routes a straight line between two boxes, or a loop at one, with its label in the middle. For lines with moved ends,
 * where a new layout would move untouched nodes.
 * @param rank 0 for the only line between the two, then 1, 2 … for parallel ones.
 */
export function routeEdge(edge: ElkExtendedEdge, boxes: ReadonlyMap<string, Box>, rank = 0): ElkExtendedEdge {
  const source = boxes.get(edge.sources[0] ?? '');
  const target = boxes.get(edge.targets[0] ?? '');
  if (!source || !target) return edge;
  const points = source === target ? loopBelow(source, rank) : between(source, target, rank);
  const middle = middleOf(points);
  const labels = (edge.labels ?? []).map((label) => ({
    ...label,
    x: middle.x - (label.width ?? 0) / 2,
    y: middle.y - (label.height ?? 0) / 2,
  }));
  const [startPoint, ...rest] = points as [Point, ...Point[]];
  const endPoint = rest.at(-1) ?? startPoint;
  return { ...edge, labels, sections: [{ id: `${edge.id}:0`, startPoint, bendPoints: rest.slice(0, -1), endPoint }] };
}

function loopBelow({ x, y, width, height }: Box, rank: number): Point[] {
  const bottom = y + height;
  const [left, right] = [x + width / 3, x + (width * 2) / 3];
  const depth = loopGap * (rank + 1);
  return [left, left, right, right].map((at, index) => ({ x: at, y: index % 3 === 0 ? bottom : bottom + depth }));
}

/** Parallel lines bend to alternating sides. */
function between(source: Box, target: Box, rank: number): Point[] {
  const [start, end] = [centreOf(source), centreOf(target)];
  if (rank === 0) return [exitTowards(source, end), exitTowards(target, start)];
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const offset = Math.ceil(rank / 2) * bundleGap * (rank % 2 === 1 ? 1 : -1);
  // The same side for both directions between two boxes.
  const turn = source.x < target.x || (source.x === target.x && source.y <= target.y) ? 1 : -1;
  const bend = {
    x: (start.x + end.x) / 2 - (turn * offset * (end.y - start.y)) / length,
    y: (start.y + end.y) / 2 + (turn * offset * (end.x - start.x)) / length,
  };
  return [exitTowards(source, bend), bend, exitTowards(target, bend)];
}

/** Intersection of the box's border with the line from its centre to a point. */
function exitTowards(from: Box, to: Point): Point {
  const start = centreOf(from);
  const [dx, dy] = [to.x - start.x, to.y - start.y];
  const scale = Math.min(from.width / 2 / Math.abs(dx), from.height / 2 / Math.abs(dy));
  return Number.isFinite(scale) && scale < 1 ? { x: start.x + dx * scale, y: start.y + dy * scale } : start;
}

function middleOf(points: readonly Point[]): Point {
  const inner = points.length === 3 ? points.slice(1, 2) : points.length > 3 ? points.slice(1, -1) : points;
  const [first, last] = [inner[0], inner.at(-1)];
  return { x: ((first?.x ?? 0) + (last?.x ?? 0)) / 2, y: ((first?.y ?? 0) + (last?.y ?? 0)) / 2 };
}
