import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { type Box, type Point, centreOf } from './geometry.ts';

const gap = 96;

/** Places everything in rows with straight lines between: the picture of last resort when ELK cannot run. */
export function layoutInRows(graph: ElkNode): ElkNode {
  const nodes = graph.children ?? [];
  const columns = Math.max(1, Math.ceil(Math.sqrt(nodes.length)));
  const width = Math.max(0, ...nodes.map((node) => node.width ?? 0));
  const height = Math.max(0, ...nodes.map((node) => node.height ?? 0));
  const children = nodes.map((node, index) => ({
    ...node,
    x: 24 + (index % columns) * (width + gap),
    y: 24 + Math.floor(index / columns) * (height + gap),
  }));
  const boxes = new Map(children.map((node) => [node.id, { width: 0, height: 0, ...node } satisfies Box]));
  return { ...graph, children, edges: (graph.edges ?? []).map((edge) => straightEdge(edge, boxes)) };
}

function straightEdge(edge: ElkExtendedEdge, boxes: ReadonlyMap<string, Box>): ElkExtendedEdge {
  const source = boxes.get(edge.sources[0] ?? '');
  const target = boxes.get(edge.targets[0] ?? '');
  if (!source || !target) return edge;
  const points = source === target ? loopBelow(source) : [exitTowards(source, target), exitTowards(target, source)];
  const middle = centreOfLine(points);
  const labels = (edge.labels ?? []).map((label) => ({
    ...label,
    x: middle.x - (label.width ?? 0) / 2,
    y: middle.y - (label.height ?? 0) / 2,
  }));
  const [startPoint, ...rest] = points as [Point, ...Point[]];
  const endPoint = rest.at(-1) ?? startPoint;
  return { ...edge, labels, sections: [{ id: `${edge.id}:0`, startPoint, bendPoints: rest.slice(0, -1), endPoint }] };
}

function loopBelow({ x, y, width, height }: Box): Point[] {
  const bottom = y + height;
  const [left, right] = [x + width / 3, x + (width * 2) / 3];
  return [left, left, right, right].map((at, index) => ({ x: at, y: index % 3 === 0 ? bottom : bottom + gap / 2 }));
}

/** Where the line between two centres leaves the first box. */
function exitTowards(from: Box, to: Box): Point {
  const start = centreOf(from);
  const end = centreOf(to);
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const scale = Math.min(from.width / 2 / Math.abs(dx), from.height / 2 / Math.abs(dy));
  return Number.isFinite(scale) ? { x: start.x + dx * scale, y: start.y + dy * scale } : start;
}

function centreOfLine(points: readonly Point[]): Point {
  const inner = points.length > 2 ? points.slice(1, -1) : points;
  const [first, last] = [inner[0], inner.at(-1)];
  return { x: ((first?.x ?? 0) + (last?.x ?? 0)) / 2, y: ((first?.y ?? 0) + (last?.y ?? 0)) / 2 };
}
