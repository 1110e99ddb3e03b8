import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { avoidOverlaps } from './avoid-overlaps.ts';
import type { Point, Size } from './geometry.ts';
import { edgeId } from './layout.ts';
import { fit } from './viewport.ts';

/** Above this number, columns of ELK take less room than a grid. */
const mostInGrid = 9;

/** Candidates whose lines are routed, which takes up to 100 ms. */
const mostRouted = 4;

/** Distance in pixels of a label from both ends of its line, so that the arrowhead stays visible. */
const roomAtEnds = 28;
/** Least distances of neighbours in a grid; labels then go around. */
const leastGap = 64;
const mostGap = 140;

interface Shape {
  readonly columns: number;
  readonly rows: number;
}

/** Distance of columns, and of rows. */
interface Gaps {
  readonly across: number;
  readonly down: number;
}

/**
 * Layouts of a small graph as a grid that has the shape of the screen, whose lines are led around the cards: where
 * many lines cross several columns of ELK, these leave half of the screen empty. The most promising comes first.
 */
export function* gridLayouts(graph: ElkNode, screen: Size): Generator<ElkNode> {
  const nodes = graph.children ?? [];
  if (nodes.length < 2 || nodes.length > mostInGrid) return;
  const links = linksOf(graph);
  const candidates = nodes.flatMap((_, index) => {
    const columns = index + 1;
    const cells = bestCells(nodes.length, links, { columns, rows: Math.ceil(nodes.length / columns) });
    return gapsFor(graph).map((gaps) => place(nodes, cells, columns, gaps, screen));
  });
  const promising = candidates.toSorted((one, other) => other.zoom - one.zoom).slice(0, mostRouted);
  for (const { children } of promising) yield routed({ ...graph, children });
}

/** New lines around the cards; those that only keep a card near another one are not drawn. */
function routed(graph: ElkNode): ElkNode {
  const edges = (graph.edges ?? []).map((edge) => ({ ...edge, sections: [] }));
  return avoidOverlaps({ ...graph, edges }, ({ id }) => edgeId.isKin(id));
}

type Link = readonly [source: number, target: number];

/** The ends of all lines, by index of their nodes. */
function linksOf({ children = [], edges = [] }: ElkNode): readonly Link[] {
  const indices = new Map(children.map(({ id }, index) => [id, index]));
  return edges.flatMap(({ id, sources, targets }) => {
    const [source, target] = [indices.get(sources[0] ?? ''), indices.get(targets[0] ?? '')];
    const isLine = source !== target && !edgeId.isKin(id);
    return isLine && source !== undefined && target !== undefined ? [[source, target] as const] : [];
  });
}

/** Room for labels on lines between neighbours, and no more than for arrowheads, so that they go around. */
function gapsFor({ edges = [] }: ElkNode): readonly Gaps[] {
  const labels = edges.flatMap((edge) => edge.labels ?? []);
  const most = (sizes: readonly number[]): number => Math.max(leastGap, ...sizes.map((size) => size + roomAtEnds));
  const down = most(labels.map(({ height = 0 }) => height));
  const across = most(labels.map(({ width = 0 }) => width));
  return across > leastGap
    ? [
        { across, down },
        { across: leastGap, down: down + leastGap },
      ]
    : [{ across, down }];
}

/** The cell of each node, row by row, for which lines are short, cross each other rarely and lead to the right and down. */
function bestCells(count: number, links: readonly Link[], { columns, rows }: Shape): readonly number[] {
  const cells = Array.from({ length: columns * rows }, (_, index): Point => {
    return { x: index % columns, y: Math.floor(index / columns) };
  });
  const inOrder = cells.map((_, index) => index);
  // A search by swaps does not turn a whole arrangement around, so it begins with both.
  const mirrored = inOrder.map((_, index) => index + columns - 1 - 2 * (index % columns));
  const [first, second] = [inOrder, mirrored].map((start) =>
    swapped(start, count, (places) => costOf(places, links, cells)),
  );
  if (!first || !second) return inOrder;
  return second.cost < first.cost ? second.places : first.places;
}

/** Swaps two places as long as that is better. */
function swapped(
  start: readonly number[],
  count: number,
  costOf: (places: readonly number[]) => number,
): { readonly places: readonly number[]; readonly cost: number } {
  let best = { places: start, cost: costOf(start) };
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (let one = 0; one < count; one += 1) {
      for (let other = one + 1; other < start.length; other += 1) {
        const { places } = best;
        const next = places.with(one, places[other] ?? 0).with(other, places[one] ?? 0);
        const cost = costOf(next);
        if (cost >= best.cost) continue;
        [best, isBetter] = [{ places: next, cost }, true];
      }
    }
  }
  return best;
}

/** Of lines to the left, up, and around a corner, and of crossings: in squares of the distance of neighbours. */
const backwardCost = 0.6;
const upwardCost = 0.8;
const cornerCost = 1.5;
const crossingCost = 3;

/** How bad an arrangement is: lines by the square of their length, and what a reader would have to follow. */
function costOf(places: readonly number[], links: readonly Link[], cells: readonly Point[]): number {
  const ends = links.map(([source, target]) => [cells[places[source] ?? 0], cells[places[target] ?? 0]] as const);
  let cost = 0;
  for (const [index, [from, to]] of ends.entries()) {
    if (!from || !to) continue;
    const [x, y] = [to.x - from.x, to.y - from.y];
    cost += (Math.abs(x) + Math.abs(y)) ** 2 + (x !== 0 && y !== 0 ? cornerCost : 0);
    cost += (x < 0 ? backwardCost : 0) + (y < 0 ? upwardCost : 0);
    for (const [start, end] of ends.slice(index + 1))
      if (start && end && isCrossing(from, to, start, end)) cost += crossingCost;
  }
  return cost;
}

/** Whether two straight lines without a common end meet. */
function isCrossing(from: Point, to: Point, start: Point, end: Point): boolean {
  if (from === start || from === end || to === start || to === end) return false;
  const side = (one: Point, other: Point, point: Point): number =>
    Math.sign((other.x - one.x) * (point.y - one.y) - (other.y - one.y) * (point.x - one.x));
  return side(from, to, start) * side(from, to, end) <= 0 && side(start, end, from) * side(start, end, to) <= 0;
}

/** Positions of the nodes in their cells; room that the screen has left over goes between them. */
function place(
  nodes: readonly ElkNode[],
  cells: readonly number[],
  columns: number,
  gaps: Gaps,
  screen: Size,
): { readonly children: ElkNode[]; readonly zoom: number } {
  const rowOf = (index: number): number => Math.floor((cells[index] ?? 0) / columns);
  const columnOf = (index: number): number => (cells[index] ?? 0) % columns;
  const widths = largestBy(nodes.map(({ width = 0 }, index) => [columnOf(index), width]));
  const heights = largestBy(nodes.map(({ height = 0 }, index) => [rowOf(index), height]));
  const [width, height] = [lengthOf(widths, gaps.across), lengthOf(heights, gaps.down)];
  const { zoom } = fit({ x: 0, y: 0, width, height }, screen);
  const xs = startsOf(widths, spread(gaps.across, widths, width, screen.width / zoom));
  const ys = startsOf(heights, spread(gaps.down, heights, height, screen.height / zoom));
  const children = nodes.map((node, index) => {
    const [column, row] = [columnOf(index), rowOf(index)];
    const x = (xs[column] ?? 0) + ((widths[column] ?? 0) - (node.width ?? 0)) / 2;
    const y = (ys[row] ?? 0) + ((heights[row] ?? 0) - (node.height ?? 0)) / 2;
    return { ...node, x, y };
  });
  return { children, zoom };
}

/** The largest size of each row or column. */
function largestBy(sizes: readonly (readonly [at: number, size: number])[]): readonly number[] {
  const largest: number[] = [];
  for (const [at, size] of sizes) largest[at] = Math.max(largest[at] ?? 0, size);
  return Array.from(largest, (size = 0) => size);
}

function lengthOf(sizes: readonly number[], gap: number): number {
  return sizes.reduce((sum, size) => sum + size, 0) + gap * (sizes.length - 1);
}

/** A gap with its part of the room that is left over, of which half stays free for lines around all cards. */
function spread(gap: number, sizes: readonly number[], length: number, room: number): number {
  const spare = Math.max(0, room - length) / 2;
  return Math.max(gap, Math.min(mostGap, gap + spare / Math.max(1, sizes.length - 1)));
}

function startsOf(sizes: readonly number[], gap: number): readonly number[] {
  let next = 24;
  return sizes.map((size) => {
    const start = next;
    next += size + gap;
    return start;
  });
}
