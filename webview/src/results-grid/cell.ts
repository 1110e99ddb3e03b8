/** A cell by 0-based position in sort order; row -1 is the header. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export const headerRow = -1;
