import type { CellMark, TestQueryResult } from '../../../protocol/query-results.ts';
import type { Cell } from './cell.ts';

/** The marks by cell; rows are indexes in the result. */
export interface CellMarks {
  readonly count: number;
  at(place: number, column: number): CellMark | undefined;
  inColumn(column: number): boolean;
}

export function cellMarks({ marks = [] }: Pick<TestQueryResult, 'marks'>): CellMarks {
  const byCell = new Map(marks.map((mark) => [`${mark.row}:${mark.column}`, mark]));
  const columns = new Set(marks.map(({ column }) => column));
  return {
    count: byCell.size,
    at: (place, column) => byCell.get(`${place}:${column}`),
    inColumn: (column) => columns.has(column),
  };
}

/** The next marked cell in sort order, wrapping around; undefined without marks. */
export function nextMarked(
  marks: CellMarks,
  order: readonly number[],
  columns: number,
  { row, column }: Cell,
): Cell | undefined {
  if (marks.count === 0 || columns === 0) return undefined;
  const cells = order.length * columns;
  const from = Math.max(-1, row * columns + column);
  for (let step = 1; step <= cells; step += 1) {
    const at = (from + step) % cells;
    const next = { row: Math.floor(at / columns), column: at % columns };
    if (marks.at(order[next.row] ?? -1, next.column)) return next;
  }
  return undefined;
}
