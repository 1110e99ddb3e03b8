import { type Box, overlaps } from './geometry.ts';

/** Boxes by place, so that a search looks at near ones only. */
export interface BoxIndex<Key> {
  add(key: Key, box: Box): void;
  /** Entries that overlap a box or touch it. */
  near(box: Box): readonly (readonly [Key, Box])[];
}

/** Edge of a cell in pixels: about the width of a card. */
const cellSize = 320;

export function createBoxIndex<Key>(): BoxIndex<Key> {
  const entries: (readonly [Key, Box])[] = [];
  const cells = new Map<string, number[]>();

  function* cellsOf({ x, y, width, height }: Box): Iterable<string> {
    const [right, bottom] = [Math.floor((x + width) / cellSize), Math.floor((y + height) / cellSize)];
    for (let column = Math.floor(x / cellSize); column <= right; column += 1)
      for (let row = Math.floor(y / cellSize); row <= bottom; row += 1) yield `${column},${row}`;
  }

  return {
    add(key, box) {
      const index = entries.push([key, box]) - 1;
      for (const cell of cellsOf(box)) {
        const known = cells.get(cell);
        if (known) known.push(index);
        else cells.set(cell, [index]);
      }
    },
    near(box) {
      const found = new Set<number>();
      for (const cell of cellsOf(box)) for (const index of cells.get(cell) ?? []) found.add(index);
      return [...found].flatMap((index) => {
        const entry = entries[index];
        return entry && overlaps(entry[1], box, 0.01) ? [entry] : [];
      });
    },
  };
}
