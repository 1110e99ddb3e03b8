import { moveCell } from './move-cell.ts';
import { selectedText } from './result-menus.ts';
import { type ResultsActions, type ResultsState, type ShownResult, opensRows } from './results-state.ts';
import { nextSort } from './sort-rows.ts';
import { rowHeight, scrollToSee } from '../ui/visible-rows.ts';
import { type Cell, headerRow } from './cell.ts';

/** Resize step of a column in pixels. */
const resizeStep = 16;

/** Keyboard navigation as in a spreadsheet, with the header above the first row. */
export function gridKeys(
  state: ResultsState,
  shown: ShownResult,
  actions: ResultsActions,
): (event: KeyboardEvent) => void {
  const { active } = state;
  const { rows, columns } = shown.result;
  return (event) => {
    const grid = event.currentTarget as HTMLElement;
    if (
      copyOrSelect(event, state, shown, actions) ||
      onHeader(event, state, actions) ||
      onNumber(event, state, shown, actions) ||
      onEntity(event, state, shown, actions) ||
      onMenu(event, grid, active, actions)
    )
      return event.preventDefault();
    const ctrl = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((grid.clientHeight - headerHeight(grid)) / rowHeight) - 1);
    const next = moveCell(active, event.key, ctrl, { rows: rows.length, columns: columns.length, page });
    if (!next) return;
    event.preventDefault();
    actions.activate(next, event.shiftKey && next.row !== headerRow);
    focusCell(grid, next);
  };
}

/** Whether the key was handled. */
function copyOrSelect(event: KeyboardEvent, state: ResultsState, shown: ShownResult, actions: ResultsActions): boolean {
  if (!(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key === 'a') {
    actions.selectAll();
    return true;
  }
  // Text selected with the mouse is copied normally.
  if (key !== 'c' || window.getSelection()?.isCollapsed === false) return false;
  actions.copy(selectedText(state, shown));
  return true;
}

function onHeader(event: KeyboardEvent, { active, sort, widths }: ResultsState, actions: ResultsActions): boolean {
  if (active.row !== headerRow) return false;
  const { column } = active;
  if (event.key === 'Enter' || event.key === ' ') {
    actions.sortBy(nextSort(sort, column));
    return true;
  }
  if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return false;
  actions.resize(column, (widths[column] ?? 0) + (event.key === 'ArrowRight' ? resizeStep : -resizeStep));
  return true;
}

function onNumber(
  event: KeyboardEvent,
  { active, order }: ResultsState,
  shown: ShownResult,
  actions: ResultsActions,
): boolean {
  const place = order[active.row];
  if (event.key !== 'Enter' || place === undefined || !opensRows(shown, place, active.column)) return false;
  actions.openNumber(place);
  return true;
}

/** Enter opens the timeline of the row's entity, if it has one. */
function onEntity(
  event: KeyboardEvent,
  { active, order }: ResultsState,
  { entityColumn }: ShownResult,
  actions: ResultsActions,
): boolean {
  const place = order[active.row];
  if (event.key !== 'Enter' || entityColumn === undefined || place === undefined) return false;
  actions.openTimeline(place);
  return true;
}

function onMenu(event: KeyboardEvent, grid: HTMLElement, active: Cell, actions: ResultsActions): boolean {
  if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return false;
  const { left = 0, bottom = 0 } = cellOf(grid, active)?.getBoundingClientRect() ?? {};
  actions.openMenu('cell', { x: left, y: bottom });
  return true;
}

/** The rendered cell, header cells included. */
export function cellOf(grid: ParentNode, { row, column }: Cell): HTMLElement | null {
  return grid.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
}

/** Scrolls a cell out from under sticky header and row numbers, and focuses it. */
export function focusCell(grid: HTMLElement, at: Cell): void {
  const cell = cellOf(grid, at);
  if (!cell) return;
  const corner = grid.querySelector<HTMLElement>('.header .corner')?.offsetWidth ?? 0;
  if (at.row !== headerRow) {
    grid.scrollTop = scrollToSee(
      { start: at.row * rowHeight, length: rowHeight },
      { scroll: grid.scrollTop, length: grid.clientHeight, covered: headerHeight(grid) },
    );
  }
  grid.scrollLeft = scrollToSee(
    { start: cell.offsetLeft - corner, length: cell.offsetWidth },
    { scroll: grid.scrollLeft, length: grid.clientWidth, covered: corner },
  );
  cell.focus({ preventScroll: true });
}

function headerHeight(grid: HTMLElement): number {
  return grid.querySelector<HTMLElement>('.header')?.offsetHeight ?? 0;
}
