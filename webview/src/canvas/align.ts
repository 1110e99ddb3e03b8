import type { Box, Point } from './geometry.ts';

export type AlignEdge = 'left' | 'right' | 'top' | 'bottom' | 'row' | 'column';

const gap = 40;

/** Top-left corners that align boxes on one edge, in a row or in a column. */
export function alignBoxes(boxes: ReadonlyMap<string, Box>, edge: AlignEdge): ReadonlyMap<string, Point> {
  const all = [...boxes.values()];
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.min(...all.map(({ y }) => y));
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  if (edge === 'row' || edge === 'column') return inLine(boxes, edge, { x: left, y: top });
  return new Map(
    [...boxes].map(([id, { x, y, width, height }]) => {
      if (edge === 'left') return [id, { x: left, y }];
      if (edge === 'right') return [id, { x: right - width, y }];
      return [id, { x, y: edge === 'top' ? top : bottom - height }];
    }),
  );
}

function inLine(boxes: ReadonlyMap<string, Box>, edge: 'row' | 'column', start: Point): ReadonlyMap<string, Point> {
  const ordered = [...boxes].toSorted(([, one], [, other]) => (edge === 'row' ? one.x - other.x : one.y - other.y));
  let { x, y } = start;
  return new Map(
    ordered.map(([id, { width, height }]) => {
      const corner = { x, y };
      if (edge === 'row') x += width + gap;
      else y += height + gap;
      return [id, corner];
    }),
  );
}
