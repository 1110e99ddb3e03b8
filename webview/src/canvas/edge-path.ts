import type { Point } from './geometry.ts';

/** An SVG path through the points, its corners rounded by up to `radius` pixels. */
export function edgePath(points: readonly Point[], radius = 6): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      if (!before) return `M ${format(point)}`;
      if (!after) return `L ${format(point)}`;
      const room = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2);
      return `L ${format(towards(point, before, room))} Q ${format(point)} ${format(towards(point, after, room))}`;
    })
    .join(' ');
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  if (whole === 0) return from;
  return { x: from.x + ((to.x - from.x) * length) / whole, y: from.y + ((to.y - from.y) * length) / whole };
}

function format({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
