import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { type Box, type Point, boxAround, centreOf } from './geometry.ts';
import { routeEdge } from './route-edge.ts';

const gap = 40;

/** Space for a relationship label beside a card, and below it. */
const besideGap = 240;
const belowGap = 96;

/**
 * Layout of a changed graph that keeps positions: existing nodes stay, new ones are placed near related nodes, and only
 * lines with moved ends are routed again.
 * @param before the previous layout.
 * @param wanted positions chosen by the user, by node id.
 */
export function keepPlaces(graph: ElkNode, before: ElkNode, wanted: ReadonlyMap<string, Point> = new Map()): ElkNode {
  const old = new Map((before.children ?? []).map((node) => [node.id, boxOf(node)]));
  const boxes = new Map<string, Box>();
  const later: ElkNode[] = [];
  for (const node of graph.children ?? []) {
    const corner = wanted.get(node.id) ?? old.get(node.id);
    if (corner) boxes.set(node.id, { ...sizeOf(node), x: corner.x, y: corner.y });
    else later.push(node);
  }
  const ends = endsOf(graph);
  for (const node of later) boxes.set(node.id, freePlace(node, ends.get(node.id) ?? [], boxes));
  moveBridges(graph, ends, old, boxes, wanted);
  const children = (graph.children ?? []).map((node) => ({ ...node, ...boxes.get(node.id) }));
  return { ...graph, children, edges: keepLines(graph, before, old, boxes) };
}

/** The neighbours of every node. */
function endsOf({ edges = [] }: ElkNode): ReadonlyMap<string, readonly string[]> {
  const ends = new Map<string, string[]>();
  for (const { sources, targets } of edges) {
    for (const [one, other] of [
      [sources[0], targets[0]],
      [targets[0], sources[0]],
    ]) {
      if (one !== undefined && other !== undefined && one !== other) ends.set(one, [...(ends.get(one) ?? []), other]);
    }
  }
  return ends;
}

/** The nearest position without overlap: beside a neighbour, else below everything. */
function freePlace(node: ElkNode, neighbours: readonly string[], boxes: ReadonlyMap<string, Box>): Box {
  const size = sizeOf(node);
  const near = neighbours.flatMap((id) => boxes.get(id) ?? []);
  if (isBetween(node.id) && near.length > 1) return centredAt(size, near);
  const taken = [...boxes.values()];
  const around = boxAround(near.length > 0 ? near.slice(0, 1) : taken);
  if (!around) return { ...size, x: 24, y: 24 };
  const start =
    near.length > 0
      ? { x: around.x + around.width + besideGap, y: around.y }
      : { x: around.x, y: around.y + around.height + belowGap };
  for (let ring = 0; ring < 40; ring += 1) {
    for (const step of ring === 0 ? [0] : [ring, -ring]) {
      const box = { ...size, x: start.x, y: start.y + step * (size.height + gap) };
      if (!taken.some((other) => overlaps(box, other))) return box;
    }
  }
  const all = boxAround(taken) ?? around;
  return { ...size, x: all.x, y: all.y + all.height + belowGap };
}

/** Cross tables are centred between two elements and move with them. */
function moveBridges(
  { children = [] }: ElkNode,
  ends: ReadonlyMap<string, readonly string[]>,
  old: ReadonlyMap<string, Box>,
  boxes: Map<string, Box>,
  wanted: ReadonlyMap<string, Point>,
): void {
  for (const node of children) {
    const neighbours = ends.get(node.id) ?? [];
    if (!isBetween(node.id) || wanted.has(node.id)) continue;
    const moved = neighbours.some((id) => old.has(id) && !sameCorner(old.get(id), boxes.get(id)));
    const near = neighbours.flatMap((id) => boxes.get(id) ?? []);
    if (moved && near.length > 0) boxes.set(node.id, centredAt(sizeOf(node), near));
  }
}

function isBetween(id: string): boolean {
  return id.startsWith('cross:');
}

function centredAt(size: { width: number; height: number }, near: readonly Box[]): Box {
  const [one, other = one] = near.map(centreOf);
  const middle = { x: ((one?.x ?? 0) + (other?.x ?? 0)) / 2, y: ((one?.y ?? 0) + (other?.y ?? 0)) / 2 };
  return { ...size, x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
}

function keepLines(
  { edges = [] }: ElkNode,
  before: ElkNode,
  old: ReadonlyMap<string, Box>,
  boxes: ReadonlyMap<string, Box>,
): ElkExtendedEdge[] {
  const lines = new Map((before.edges ?? []).map((edge) => [edge.id, edge]));
  const ranks = new Map<string, number>();
  return edges.map((edge) => {
    const pair = [edge.sources[0] ?? '', edge.targets[0] ?? ''].toSorted().join('\n');
    const rank = ranks.get(pair) ?? 0;
    ranks.set(pair, rank + 1);
    const line = lines.get(edge.id);
    const stays =
      line?.sections &&
      [edge.sources[0], edge.targets[0]].every((id) => sameBox(old.get(id ?? ''), boxes.get(id ?? ''))) &&
      sameEnds(line, edge);
    if (!stays) return routeEdge(edge, boxes, rank);
    // A label that changed its size stays centred.
    const labels = (edge.labels ?? []).map((label, index) => ({ ...label, ...recentred(label, line.labels?.[index]) }));
    return { ...edge, labels, sections: line.sections ?? [] };
  });
}

function recentred(label: Partial<Box>, before: Partial<Box> | undefined): Point {
  return {
    x: (before?.x ?? 0) + ((before?.width ?? 0) - (label.width ?? 0)) / 2,
    y: (before?.y ?? 0) + ((before?.height ?? 0) - (label.height ?? 0)) / 2,
  };
}

function sameEnds(one: ElkExtendedEdge, other: ElkExtendedEdge): boolean {
  return one.sources[0] === other.sources[0] && one.targets[0] === other.targets[0];
}

function sameCorner(one: Box | undefined, other: Box | undefined): boolean {
  return one !== undefined && other !== undefined && one.x === other.x && one.y === other.y;
}

function sameBox(one: Box | undefined, other: Box | undefined): boolean {
  return sameCorner(one, other) && one?.width === other?.width && one?.height === other?.height;
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width + gap / 2 &&
    other.x < one.x + one.width + gap / 2 &&
    one.y < other.y + other.height + gap / 2 &&
    other.y < one.y + one.height + gap / 2
  );
}

function sizeOf({ width = 0, height = 0 }: ElkNode): { width: number; height: number } {
  return { width, height };
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: ElkNode): Box {
  return { x, y, width, height };
}
