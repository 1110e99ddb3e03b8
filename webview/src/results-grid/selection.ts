import type { Cell } from './cell.ts';

/** A block of cells, both ends inclusive. */
export interface CellBlock {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The block between the start of a selection and the active cell. */
export function selectedBlock(anchor: Cell, active: Cell): CellBlock {
  return {
    top: Math.min(anchor.row, active.row),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

export function isSelected({ top, bottom, left, right }: CellBlock, { row, column }: Cell): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}
