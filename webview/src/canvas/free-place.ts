import { type Box, type Point, centreOf, inflated } from './geometry.ts';

/** Number of neighbouring boxes that one round of the search examines. */
const maxNeighbours = 24;

/** Distances in pixels within which neighbouring boxes are searched, until one of them has a free place beside it. */
const reaches = [100, 300, 900, 2700, 8100];

/**
 * The place nearest to `wanted` where a box of this size keeps `gap` pixels from all others: beside, above or below
 * boxes around.
 * @param takenIn everything that overlaps a box grown by a number of pixels.
 */
export function nearestFreePlace(wanted: Box, takenIn: (box: Box, gap: number) => readonly Box[], gap: number): Box {
  if (takenIn(wanted, gap).length === 0) return wanted;
  for (const reach of reaches) {
    const around = takenIn(inflated(wanted, reach), 0)
      .toSorted((one, other) => distance(one, wanted) - distance(other, wanted))
      .slice(0, maxNeighbours);
    const free = cornersBeside(wanted, around, gap).find(
      (corner) => takenIn({ ...wanted, ...corner }, gap).length === 0,
    );
    if (free) return { ...wanted, ...free };
  }
  return wanted;
}

/** Corners next to boxes, the nearest first. */
function cornersBeside({ x: left, y: top, width, height }: Box, around: readonly Box[], gap: number): readonly Point[] {
  const xs = new Set([left, ...around.flatMap((box) => [box.x - width - gap, box.x + box.width + gap])]);
  const ys = new Set([top, ...around.flatMap((box) => [box.y - height - gap, box.y + box.height + gap])]);
  return [...xs]
    .flatMap((x) => [...ys].map((y) => ({ x, y, far: Math.abs(x - left) + Math.abs(y - top) })))
    .toSorted((one, other) => one.far - other.far)
    .map(({ x, y }) => ({ x, y }));
}

function distance(one: Box, other: Box): number {
  const [from, to] = [centreOf(one), centreOf(other)];
  return Math.hypot(from.x - to.x, from.y - to.y);
}
