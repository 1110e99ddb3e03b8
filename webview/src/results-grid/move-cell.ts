import { type Cell, headerRow } from './cell.ts';

interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows per Page Up and Page Down. */
  readonly page: number;
}

/**
 * Target cell of a navigation key, as in a spreadsheet, with the header above the first row; undefined for other keys.
 */
export function moveCell({ row, column }: Cell, key: string, ctrl: boolean, size: GridSize): Cell | undefined {
  const lastRow = size.rows - 1;
  const lastColumn = size.columns - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? 0 : Math.max(headerRow, row - 1), column };
    case 'ArrowDown':
      return { row: ctrl ? lastRow : Math.min(lastRow, row + 1), column };
    case 'ArrowLeft':
      return { row, column: ctrl ? 0 : Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: ctrl ? lastColumn : Math.min(lastColumn, column + 1) };
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrl ? lastRow : row, column: lastColumn };
    case 'PageUp':
      return { row: Math.max(0, row - size.page), column };
    case 'PageDown':
      return { row: Math.min(lastRow, row + size.page), column };
    default:
      return undefined;
  }
}
