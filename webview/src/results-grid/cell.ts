/** A cell of the grid as it is sorted, both counted from 0; row -1 is the header. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export const headerRow = -1;
