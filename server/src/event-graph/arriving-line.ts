import type { Box, PlacedMap, Point } from './layout-map.ts';

/** A line that ends where its arrowhead begins. */
export interface ArrivingLine {
  readonly points: readonly Point[];
  /** The points are a start and groups of three. */
  readonly isCurved: boolean;
  /** The tip of the arrowhead, on the border of a box, and where it points: a unit vector. */
  readonly tip: Point;
  readonly direction: Point;
}

/** Pixels by which a line may miss the border of its box. */
const tolerance = 2;

/**
 * Makes a line arrive straight at the border of its box, so that its arrowhead is outside of the box: splines may arrive
 * nearly along the border.
 * @param length of the arrowhead
 */
export function arrivingLine(points: readonly Point[], length: number, map: PlacedMap): ArrivingLine | undefined {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (!end || !before) return undefined;
  const boxes = [...map.nodes.map(({ box }) => box), ...(map.end ? [map.end] : [])];
  const direction = boxes.map((box) => inwards(end, box)).find((each) => each !== undefined) ?? unit(before, end);
  const moved = (distance: number): Point => ({
    x: end.x - direction.x * distance,
    y: end.y - direction.y * distance,
  });
  const base = moved(length);
  // The control point of a spline is moved; other lines get a last straight piece.
  const isCurved = map.isCurved && points.length > 3 && (points.length - 1) % 3 === 0;
  const last = moved(2 * length);
  const kept = points.slice(0, isCurved ? -2 : -1);
  return { isCurved, points: [...kept, last, base], tip: end, direction };
}

/** The direction from the border into a box at a point on its border. */
function inwards({ x, y }: Point, box: Box): Point | undefined {
  const isBeside = x >= box.x - tolerance && x <= box.x + box.width + tolerance;
  const isLevel = y >= box.y - tolerance && y <= box.y + box.height + tolerance;
  if (!isBeside || !isLevel) return undefined;
  const distances = [
    { far: Math.abs(y - box.y), direction: { x: 0, y: 1 } },
    { far: Math.abs(y - box.y - box.height), direction: { x: 0, y: -1 } },
    { far: Math.abs(x - box.x), direction: { x: 1, y: 0 } },
    { far: Math.abs(x - box.x - box.width), direction: { x: -1, y: 0 } },
  ].sort((one, other) => one.far - other.far);
  const [nearest] = distances;
  return nearest && nearest.far <= tolerance ? nearest.direction : undefined;
}

function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
