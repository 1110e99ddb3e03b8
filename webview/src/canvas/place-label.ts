import { type Box, type Point, type Size, boxOfLine } from './geometry.ts';

/** Where along a straight part of a line its label may be, best first. */
const positions = [0.5, 0.35, 0.65, 0.2, 0.8];

/** Distance between a label and the ends of its line, so that the arrowhead stays visible. */
const room = 14;

/**
 * Possible places of a label on its line, best first: the middle of long parts, level parts before upright ones. A
 * level part shorter than the label is left to the fallback, because the label would hide it.
 */
export function labelPlaces(points: readonly Point[], size: Size): readonly Box[] {
  const parts = points.slice(1).map((end, index) => {
    const start = points[index] ?? end;
    const { width, height } = boxOfLine(start, end);
    return { start, end, spare: width >= height ? width - size.width - 2 * room : height - size.height - 2 * room };
  });
  const places = parts
    .filter(({ spare }) => spare >= 0)
    .toSorted((one, other) => other.spare - one.spare)
    .flatMap(({ start, end, spare }) => {
      const { width, height } = boxOfLine(start, end);
      const length = Math.max(width, height);
      return positions.map((position, rank) => {
        // Within the part, with room at both ends.
        const half = spare / length / 2;
        const at = 0.5 + Math.max(-half, Math.min(half, position - 0.5));
        const middle = { x: start.x + (end.x - start.x) * at, y: start.y + (end.y - start.y) * at };
        return { box: centredBox(middle, size), rank };
      });
    });
  return places.toSorted((one, other) => one.rank - other.rank).map(({ box }) => box);
}

export function centredBox({ x, y }: Point, { width, height }: Size): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The point halfway along a line. */
export function midpoint(points: readonly Point[]): Point {
  const lengths = points.slice(1).map((end, index) => {
    const start = points[index] ?? end;
    return Math.hypot(end.x - start.x, end.y - start.y);
  });
  let rest = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [index, length] of lengths.entries()) {
    const [start, end] = [points[index], points[index + 1]];
    if (start && end && rest <= length && length > 0) {
      return { x: start.x + ((end.x - start.x) * rest) / length, y: start.y + ((end.y - start.y) * rest) / length };
    }
    rest -= length;
  }
  return points[0] ?? { x: 0, y: 0 };
}
