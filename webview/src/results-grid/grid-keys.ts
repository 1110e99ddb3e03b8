import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { cellText } from './cell-text.ts';
import { moveCell } from './move-cell.ts';
import type { Cell, ResultsActions } from './results-state.ts';
import { rowHeight, scrollToSee } from '../ui/visible-rows.ts';

/** Keys of the grid: those of a spreadsheet; Ctrl+C copies the cell. */
export function gridKeys(
  { rows, columns }: TestQueryResult,
  active: Cell,
  actions: ResultsActions,
): (event: KeyboardEvent) => void {
  return (event) => {
    const ctrl = event.ctrlKey || event.metaKey;
    if (ctrl && event.key.toLowerCase() === 'c') {
      // Text that was selected with the mouse is copied as usual.
      if (window.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      actions.copy(cellText(rows[active.row]?.[active.column]));
      return;
    }
    const grid = event.currentTarget as HTMLElement;
    const page = Math.max(1, Math.floor((grid.clientHeight - headerHeight(grid)) / rowHeight) - 1);
    const next = moveCell(active, event.key, ctrl, { rows: rows.length, columns: columns.length, page });
    if (!next) return;
    event.preventDefault();
    actions.activate(next);
    focusCell(grid, next);
  };
}

/** Scrolls a cell into view from under the sticky header and row numbers, and gives it the focus. */
function focusCell(grid: HTMLElement, { row, column }: Cell): void {
  const cell = grid.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
  if (!cell) return;
  const corner = grid.querySelector<HTMLElement>('.header .corner')?.offsetWidth ?? 0;
  grid.scrollTop = scrollToSee(
    { start: row * rowHeight, length: rowHeight },
    { scroll: grid.scrollTop, length: grid.clientHeight, covered: headerHeight(grid) },
  );
  grid.scrollLeft = scrollToSee(
    { start: cell.offsetLeft - corner, length: cell.offsetWidth },
    { scroll: grid.scrollLeft, length: grid.clientWidth, covered: corner },
  );
  cell.focus({ preventScroll: true });
}

function headerHeight(grid: HTMLElement): number {
  return grid.querySelector<HTMLElement>('.header')?.offsetHeight ?? 0;
}
