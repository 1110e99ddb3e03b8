import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { CardView } from '../../../protocol/graph-view.ts';
import { avoidOverlaps, cornersOf } from './avoid-overlaps.ts';
import { createBoxIndex } from './box-index.ts';
import { nearestFreePlace } from './free-place.ts';
import { type Box, type Point, boxAround, centreOf, crosses, inflated, overlaps } from './geometry.ts';

const gap = 40;

/** Space for a relationship label beside a card, and below it. */
const besideGap = 240;
const belowGap = 96;

/**
 * Layout of a changed graph that keeps positions: existing nodes stay, new ones are placed near related nodes, and only
 * lines with moved ends, or that something moved onto, are routed again. Where a card grew into another one, the one
 * that no person placed makes room.
 * @param before the previous layout.
 * @param wanted positions chosen by the user, by node id.
 */
export function keepNodePositions(
  graph: ElkNode,
  before: ElkNode,
  wanted: ReadonlyMap<string, Point> = new Map(),
): ElkNode {
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
  followNeighbours(graph, ends, old, boxes, wanted);
  makeRoom(old, boxes, wanted);
  const children = (graph.children ?? []).map((node) => ({ ...node, ...boxes.get(node.id) }));
  const changed = [...boxes].flatMap(([id, box]) => (sameBox(box, old.get(id)) ? [] : [box]));
  const { edges, kept } = keepLines(graph, before, old, boxes);
  return avoidOverlaps(
    { ...graph, children, edges },
    (edge) => kept.has(edge) && !changed.some((box) => touches(edge, box)),
  );
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
      if (!taken.some((other) => overlaps(box, other, gap / 2))) return box;
    }
  }
  const all = boxAround(taken) ?? around;
  return { ...size, x: all.x, y: all.y + all.height + belowGap };
}

/** Cross tables are centred between two elements, and markers of missing ends are beside one: they move with them. */
function followNeighbours(
  { children = [] }: ElkNode,
  ends: ReadonlyMap<string, readonly string[]>,
  old: ReadonlyMap<string, Box>,
  boxes: Map<string, Box>,
  wanted: ReadonlyMap<string, Point>,
): void {
  for (const node of children) {
    const neighbours = ends.get(node.id) ?? [];
    if (!isDerived(node.id) || wanted.has(node.id)) continue;
    const moved = neighbours.filter((id) => old.has(id) && !sameCorner(old.get(id), boxes.get(id)));
    const near = neighbours.flatMap((id) => boxes.get(id) ?? []);
    if (moved.length === 0 || near.length === 0) continue;
    const [from, to, box] = [old.get(moved[0] ?? ''), boxes.get(moved[0] ?? ''), boxes.get(node.id)];
    if (isBetween(node.id)) boxes.set(node.id, centredAt(sizeOf(node), near));
    else if (from && to && box) boxes.set(node.id, { ...box, x: box.x + to.x - from.x, y: box.y + to.y - from.y });
  }
}

/**
 * Moves nodes that the user has not placed out of the way: cross tables and markers under a card and, of two cards of
 * which one grew into the other, the one that may move.
 */
function makeRoom(old: ReadonlyMap<string, Box>, boxes: Map<string, Box>, wanted: ReadonlyMap<string, Point>): void {
  const isGrown = (id: string, box: Box): boolean => {
    const before = old.get(id);
    return before !== undefined && (box.width > before.width || box.height > before.height);
  };
  const all = createBoxIndex<string>();
  for (const [id, box] of boxes) all.add(id, box);
  const covered = (id: string, box: Box): readonly string[] =>
    all.near(box).flatMap(([other, otherBox]) => (other !== id && overlaps(box, otherBox) ? [other] : []));
  const moving = new Set<string>();
  for (const [id, box] of boxes) {
    const isMovable = !wanted.has(id);
    if (isDerived(id)) {
      if (isMovable && (!sameBox(box, old.get(id)) || covered(id, box).length > 0)) moving.add(id);
    } else if (isGrown(id, box)) {
      for (const other of covered(id, box)) {
        if (isDerived(other)) continue;
        if (!wanted.has(other)) moving.add(other);
        else if (isMovable) moving.add(id);
      }
    }
  }
  if (moving.size === 0) return;
  const taken = createBoxIndex<string>();
  for (const [id, box] of boxes) if (!moving.has(id)) taken.add(id, box);
  for (const id of moving) {
    const box = boxes.get(id);
    if (!box) continue;
    const place = nearestFreePlace(
      box,
      (around, room) =>
        taken
          .near(inflated(around, room))
          .map(([, other]) => other)
          .filter((other) => overlaps(around, other, room)),
      gap / 2,
    );
    boxes.set(id, place);
    taken.add(id, place);
  }
}

/** Nodes that follow from a relationship. */
function isDerived(id: string): boolean {
  return !id.startsWith('element:');
}

function isBetween(id: string): boolean {
  return id.startsWith('cross:');
}

function centredAt(size: { width: number; height: number }, near: readonly Box[]): Box {
  const [one, other = one] = near.map(centreOf);
  const middle = { x: ((one?.x ?? 0) + (other?.x ?? 0)) / 2, y: ((one?.y ?? 0) + (other?.y ?? 0)) / 2 };
  return { ...size, x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
}

/** Lines without a moved end keep their route; the others lose it. `kept` are the lines that also keep their label. */
function keepLines(
  { edges = [] }: ElkNode,
  before: ElkNode,
  old: ReadonlyMap<string, Box>,
  boxes: ReadonlyMap<string, Box>,
): { readonly edges: ElkExtendedEdge[]; readonly kept: ReadonlySet<ElkExtendedEdge> } {
  const kept = new Set<ElkExtendedEdge>();
  const lines = new Map((before.edges ?? []).map((edge) => [edge.id, edge]));
  const routed = edges.map((edge) => {
    const line = lines.get(edge.id);
    const stays =
      line?.sections &&
      [edge.sources[0], edge.targets[0]].every((id) => sameBox(old.get(id ?? ''), boxes.get(id ?? ''))) &&
      sameEnds(line, edge);
    if (!stays) return { ...edge, sections: [] };
    // A label that changed its size stays centred.
    const labels = (edge.labels ?? []).map((label, index) => ({ ...label, ...recentred(label, line.labels?.[index]) }));
    const same = { ...edge, labels, sections: line.sections ?? [] };
    if (labels.every((label, index) => sameSize(label, line.labels?.[index]))) kept.add(same);
    return same;
  });
  return { edges: routed, kept };
}

/** Whether a line or its label may be under or over a box. */
function touches(edge: ElkExtendedEdge, box: Box): boolean {
  const points = cornersOf(edge);
  return (
    points.slice(1).some((end, index) => crosses(box, points[index] ?? end, end)) ||
    (edge.labels ?? []).some((label) => overlaps(boxOf(label), box))
  );
}

function sameSize(one: Partial<Box>, other: Partial<Box> | undefined): boolean {
  return one.width === other?.width && one.height === other?.height;
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

function sizeOf({ width = 0, height = 0 }: ElkNode): { width: number; height: number } {
  return { width, height };
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): Box {
  return { x, y, width, height };
}

/** Detects renamed elements: same position in the file, and the old id is gone. New id → old id. */
export function renamedElements(before: readonly CardView[], now: readonly CardView[]): ReadonlyMap<string, string> {
  const [old, present] = [new Set(before.map(({ id }) => id)), new Set(now.map(({ id }) => id))];
  if (before.length !== now.length) return new Map();
  return new Map(
    now.flatMap(({ id, dataObject, isMasterData }, index) => {
      const same = before[index];
      const isRenamed =
        same &&
        !old.has(id) &&
        !present.has(same.id) &&
        same.dataObject === dataObject &&
        same.isMasterData === isMasterData;
      return isRenamed ? [[id, same.id] as const] : [];
    }),
  );
}
