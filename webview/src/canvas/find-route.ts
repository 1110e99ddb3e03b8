import { type Box, type Point, boxAround, boxOfLine, centreOf, crosses, inflated, overlaps } from './geometry.ts';
import { createHeap } from './heap.ts';

interface RouteDependencies {
  /** Boxes that the line must not cross, among those near the given box. */
  readonly obstaclesIn: (box: Box) => readonly Box[];
  /** Lines that it should not run along, near the given box. */
  readonly linesIn: (box: Box) => readonly (readonly [Point, Point])[];
  /** Distance from boxes in pixels. */
  readonly margin: number;
}

/** Margins in pixels by which a line may leave the area of its ends; the next one is tried if there is no route. */
const reaches = [160, 640, 4000];

const bendCost = 48;
/** Costs of a port beside the middle of a side, per line and per pixel: more than the shorter line saves. */
const asideCost = 8;
const asideLengthCost = 1.2;
/** A line along another one: per line, and per pixel. */
const besideCost = 24;
const besideLengthCost = 3;
const crossingCost = 12;

/** Grid points examined before the search gives up. */
const maxSteps = 60_000;

/**
 * Finds a short line with right angles from the border of one box to that of another, around all obstacles; undefined
 * when there is none with this margin. Both ends leave their box at a right angle, from the middle of a side if that is
 * not taken. The two may be the same box.
 */
export function findRoute(source: Box, target: Box, projectContext: RouteDependencies): readonly Point[] | undefined {
  for (const reach of reaches) {
    const route = routeWithin(source, target, reach, projectContext);
    if (route) return route;
  }
  return undefined;
}

/** One of the four directions, as an index. */
type Heading = 0 | 1 | 2 | 3;
const steps = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
] as const;
const headings: readonly Heading[] = [0, 1, 2, 3];

interface Port {
  /** On the border of the box. */
  readonly border: Point;
  /** The grid point `margin` pixels outside. */
  readonly outside: Point;
  readonly heading: Heading;
  readonly cost: number;
}

// eslint-disable-next-line max-lines-per-function -- One search: queue, costs and goal are read together, and it runs for each line while a card is dragged.
function routeWithin(
  source: Box,
  target: Box,
  reach: number,
  { obstaclesIn, linesIn, margin }: RouteDependencies,
): readonly Point[] | undefined {
  const both = boxAround([source, target]) ?? source;
  const area = inflated(both, reach);
  const raw = [...obstaclesIn(inflated(area, margin)), source, target];
  const boxes = raw.map((box) => inflated(box, margin));
  const lines = linesIn(inflated(both, Math.min(reach, 320)));
  const ports = (box: Box): readonly Port[] =>
    portsOf(box, margin).filter(({ border, outside }) => !raw.some((other) => crosses(other, border, outside)));
  const [starts, ends] = [ports(source), ports(target)];
  if (starts.length === 0 || ends.length === 0) return undefined;

  const grid = createGrid(
    boxes,
    lines,
    [...starts, ...ends].map(({ outside }) => outside),
    area,
  );
  const goals = new Map<number, Port[]>();
  for (const end of ends) {
    const point = grid.indexOf(end.outside);
    goals.set(point, [...(goals.get(point) ?? []), end]);
  }
  const goalBox = inflated(target, margin);
  const rest = (point: Point): number =>
    Math.max(0, goalBox.x - point.x, point.x - goalBox.x - goalBox.width) +
    Math.max(0, goalBox.y - point.y, point.y - goalBox.y - goalBox.height);

  const best = new Map<number, number>();
  const cameFrom = new Map<number, number>();
  const startOf = new Map<number, Port>();
  const open = createHeap<{ readonly state: number; readonly cost: number }>();
  const visit = (state: number, cost: number, point: Point): boolean => {
    if (cost >= (best.get(state) ?? Infinity)) return false;
    best.set(state, cost);
    open.push({ state, cost }, cost + rest(point));
    return true;
  };
  for (const port of starts) {
    const state = grid.indexOf(port.outside) * 4 + port.heading;
    const cost = port.cost + grid.sharedStub(port.border, port.outside);
    if (visit(state, cost, port.outside)) startOf.set(state, port);
  }
  const finished = -1;
  let finish: { readonly state: number; readonly port: Port } | undefined;
  for (let count = 0; count < maxSteps; count += 1) {
    const next = open.pop();
    if (!next) return undefined;
    const { state, cost } = next;
    if (state === finished) break;
    if (cost > (best.get(state) ?? Infinity)) continue;
    const [index, heading] = [Math.floor(state / 4), (state % 4) as Heading];
    for (const port of goals.get(index) ?? []) {
      const inward = ((port.heading + 2) % 4) as Heading;
      // A route must not reverse its direction in place.
      if (inward === (heading + 2) % 4) continue;
      const whole = cost + port.cost + (inward === heading ? 0 : bendCost) + grid.sharedStub(port.border, port.outside);
      const isSamePlace = source === target && startOf.get(state)?.border === port.border;
      if (isSamePlace || whole >= (best.get(finished) ?? Infinity)) continue;
      best.set(finished, whole);
      finish = { state, port };
      open.push({ state: finished, cost: whole }, whole);
    }
    for (const turn of headings) {
      if (turn === (heading + 2) % 4) continue;
      const step = grid.step(index, turn);
      if (!step) continue;
      const further = turn * 1 + step.index * 4;
      if (visit(further, cost + step.cost + (turn === heading ? 0 : bendCost), step.point)) {
        cameFrom.set(further, state);
        startOf.delete(further);
      }
    }
  }
  if (!finish) return undefined;
  const points: Point[] = [finish.port.border];
  let state: number | undefined = finish.state;
  let last = state;
  while (state !== undefined) {
    points.push(grid.pointAt(Math.floor(state / 4)));
    last = state;
    state = startOf.has(state) ? undefined : cameFrom.get(state);
  }
  const start = startOf.get(last);
  if (start) points.push(start.border);
  return withoutMiddles(points.toReversed());
}

/** Points where lines may leave a box: in the middle of a side, or at a quarter of it. */
function portsOf(box: Box, margin: number): readonly Port[] {
  const { x, y, width, height } = box;
  const centre = centreOf(box);
  return headings.flatMap((heading) => {
    const { x: dx, y: dy } = steps[heading];
    const length = dx === 0 ? width : height;
    return [0, -length / 4, length / 4, -length / 8, length / 8].map((aside) => {
      const border = {
        x: dx === 0 ? centre.x + aside : dx > 0 ? x + width : x,
        y: dy === 0 ? centre.y + aside : dy > 0 ? y + height : y,
      };
      const outside = { x: border.x + dx * margin, y: border.y + dy * margin };
      return { border, outside, heading, cost: aside === 0 ? 0 : asideCost + asideLengthCost * Math.abs(aside) };
    });
  });
}

interface Grid {
  indexOf(point: Point): number;
  pointAt(index: number): Point;
  /** The next point in a direction; undefined where an obstacle or the end of the grid is. */
  step(
    index: number,
    heading: Heading,
  ): { readonly index: number; readonly point: Point; readonly cost: number } | undefined;
  /** Additional cost of a line between a box and the grid where another one is. */
  sharedStub(border: Point, outside: Point): number;
}

/** Distance in pixels within which two parallel lines look like one. */
const sameTrack = 7;

/**
 * All lines on which a route can run: along obstacles, beside other lines, and through the ports. They stay within the
 * area, because obstacles outside of it are unknown.
 */
function createGrid(
  obstacles: readonly Box[],
  lines: readonly (readonly [Point, Point])[],
  ports: readonly Point[],
  area: Box,
): Grid {
  const within = (at: number, start: number, length: number): boolean => at >= start && at <= start + length;
  const upright = lines.filter(([start, end]) => start.x === end.x);
  const level = lines.filter(([start, end]) => start.y === end.y && start.x !== end.x);
  const besides = [-10, 10];
  const xs = sorted(
    [
      ...obstacles.flatMap(({ x, width }) => [x, x + width]),
      ...ports.map(({ x }) => x),
      ...upright.slice(0, 40).flatMap(([{ x }]) => besides.map((by) => x + by)),
    ].filter((at) => within(at, area.x, area.width)),
  );
  const ys = sorted(
    [
      ...obstacles.flatMap(({ y, height }) => [y, y + height]),
      ...ports.map(({ y }) => y),
      ...level.slice(0, 40).flatMap(([{ y }]) => besides.map((by) => y + by)),
    ].filter((at) => within(at, area.y, area.height)),
  );
  const columns = xs.length;
  const [isBlockedRight, isBlockedDown] = [new Uint8Array(columns * ys.length), new Uint8Array(columns * ys.length)];
  for (const { x, y, width, height } of obstacles) {
    const [left, right] = [firstFrom(xs, x), firstFrom(xs, x + width)];
    const [top, bottom] = [firstFrom(ys, y), firstFrom(ys, y + height)];
    for (let row = top; row <= bottom && row < ys.length; row += 1) {
      const at = ys[row] ?? 0;
      const inside = at > y && at < y + height;
      for (let column = left; column <= right && column < columns; column += 1) {
        if (inside && column < right) isBlockedRight[row * columns + column] = 1;
        const across = xs[column] ?? 0;
        if (across > x && across < x + width && row < bottom) isBlockedDown[row * columns + column] = 1;
      }
    }
  }
  // Each step looks at few lines only: those along its own track, and those between its two ends.
  const alongColumn = xs.map((x) => upright.filter(([start]) => Math.abs(start.x - x) < sameTrack));
  const alongRow = ys.map((y) => level.filter(([start]) => Math.abs(start.y - y) < sameTrack));
  const afterColumn = xs.map((x, column) =>
    upright.filter(([start]) => start.x >= x && start.x <= (xs[column + 1] ?? x)),
  );
  const afterRow = ys.map((y, row) => level.filter(([start]) => start.y >= y && start.y <= (ys[row + 1] ?? y)));
  const pointAt = (index: number): Point => ({
    x: xs[index % columns] ?? 0,
    y: ys[Math.floor(index / columns)] ?? 0,
  });
  const known = new Map<number, number>();
  return {
    indexOf: ({ x, y }) => firstFrom(ys, y) * columns + firstFrom(xs, x),
    pointAt,
    step(index, heading) {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      const { x: dx, y: dy } = steps[heading];
      const [nextColumn, nextRow] = [column + dx, row + dy];
      if (nextColumn < 0 || nextRow < 0 || nextColumn >= columns || nextRow >= ys.length) return undefined;
      const next = nextRow * columns + nextColumn;
      const first = Math.min(index, next);
      if ((dx === 0 ? isBlockedDown : isBlockedRight)[first]) return undefined;
      const [start, end] = [pointAt(index), pointAt(next)];
      const key = first * 2 + (dx === 0 ? 1 : 0);
      const cost =
        known.get(key) ??
        Math.abs(end.x - start.x) +
          Math.abs(end.y - start.y) +
          (dx === 0
            ? sharedCost(start, end, alongColumn[column], afterRow[Math.min(row, nextRow)])
            : sharedCost(start, end, alongRow[row], afterColumn[Math.min(column, nextColumn)]));
      known.set(key, cost);
      return { index: next, point: end, cost };
    },
    sharedStub: (border, outside) =>
      border.x === outside.x
        ? sharedCost(border, outside, upright, level)
        : sharedCost(border, outside, level, upright),
  };
}

type Line = readonly [Point, Point];

/** Additional cost of a part of a line: of parallel lines that look like one with it, and of lines that it crosses. */
function sharedCost(start: Point, end: Point, along: readonly Line[] = [], across: readonly Line[] = []): number {
  const box = boxOfLine(start, end);
  const isLevel = start.y === end.y;
  let cost = 0;
  for (const [from, to] of along) {
    const apart = isLevel ? Math.abs(from.y - start.y) : Math.abs(from.x - start.x);
    if (apart >= sameTrack) continue;
    const other = boxOfLine(from, to);
    const length = isLevel
      ? Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x)
      : Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y);
    if (length > 0) cost += besideCost + besideLengthCost * length;
  }
  for (const [from, to] of across)
    if (overlaps(inflated(box, 0.1), inflated(boxOfLine(from, to), 0.1))) cost += crossingCost;
  return cost;
}

function sorted(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((one, other) => one - other);
}

/** Index of the first value that is not smaller. */
function firstFrom(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without points on the straight line between their neighbours. */
function withoutMiddles(points: readonly Point[]): readonly Point[] {
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return true;
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y));
  });
}
