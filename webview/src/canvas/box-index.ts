import { type Box, overlaps } from './geometry.ts';

/** Boxes by place, so that a search looks at near ones only. */
interface BoxIndex<Key> {
  add(key: Key, box: Box): void;
  /** Entries that overlap a box or touch it. */
  near(box: Box): readonly (readonly [Key, Box])[];
}

/** Edge of a cell in pixels: about the width of a card. */
const cellSize = 320;

/** Cells are numbered row by row; far more rows than any canvas has. */
const maxRows = 1_000_003;

export function createBoxIndex<Key>(): BoxIndex<Key> {
  const entries: (readonly [Key, Box])[] = [];
  const cells = new Map<number, number[]>();
  /** The search that has seen an entry last: entries of several cells are found once. */
  const seenBy: number[] = [];
  let searches = 0;

  function forEachCell({ x, y, width, height }: Box, visit: (cell: number) => void): void {
    const [right, bottom] = [Math.floor((x + width) / cellSize), Math.floor((y + height) / cellSize)];
    for (let column = Math.floor(x / cellSize); column <= right; column += 1)
      for (let row = Math.floor(y / cellSize); row <= bottom; row += 1) visit(column * maxRows + row);
  }

  return {
    add(key, box) {
      const index = entries.push([key, box]) - 1;
      forEachCell(box, (cell) => {
        const known = cells.get(cell);
        if (known) known.push(index);
        else cells.set(cell, [index]);
      });
    },
    near(box) {
      const found: (readonly [Key, Box])[] = [];
      searches += 1;
      forEachCell(box, (cell) => {
        for (const index of cells.get(cell) ?? []) {
          const entry = entries[index];
          if (!entry || seenBy[index] === searches || !overlaps(entry[1], box, 0.01)) continue;
          seenBy[index] = searches;
          found.push(entry);
        }
      });
      return found;
    },
  };
}
