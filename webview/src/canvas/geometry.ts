/** A point in canvas pixels (at 100 %). */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Point, Size {}

export function centreOf(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The bounding box; undefined for no boxes. */
export function boxAround(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    x = Math.min(x, box.x);
    y = Math.min(y, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x, y, width: right - x, height: bottom - y };
}

/** The box with `margin` pixels more on each side. */
export function inflated({ x, y, width, height }: Box, margin: number): Box {
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

/** Whether two boxes overlap, or are closer than `gap`. Boxes that only touch do not overlap. */
export function overlaps(one: Box, other: Box, gap = 0): boolean {
  return (
    one.x < other.x + other.width + gap &&
    other.x < one.x + one.width + gap &&
    one.y < other.y + other.height + gap &&
    other.y < one.y + one.height + gap
  );
}

/** Rounding errors of a layout do not count as crossings. */
const tolerance = 0.5;

/** Whether a straight line runs through the inside of a box; along its border is outside. */
export function crosses(box: Box, start: Point, end: Point): boolean {
  let [from, to] = [0, 1];
  const sides = [
    [start.x, end.x - start.x, box.x + tolerance, box.x + box.width - tolerance],
    [start.y, end.y - start.y, box.y + tolerance, box.y + box.height - tolerance],
  ] as const;
  for (const [at, change, least, most] of sides) {
    if (least >= most) return false;
    if (change === 0) {
      if (at <= least || at >= most) return false;
      continue;
    }
    const [one, other] = [(least - at) / change, (most - at) / change];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return from < to;
}

/** The bounding box of a straight line. */
export function boxOfLine(start: Point, end: Point): Box {
  return {
    x: Math.min(start.x, end.x),
    y: Math.min(start.y, end.y),
    width: Math.abs(end.x - start.x),
    height: Math.abs(end.y - start.y),
  };
}
