import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { ResultsState, Shown } from './results-state.ts';
import { type RowSort, sortedOrder } from './sort-rows.ts';
import type { Cell } from './cell.ts';

/** State of the grid, restored with the same rows after the panel was hidden. */
export interface SavedView {
  /** Identifies the result. */
  readonly of: string;
  readonly sort?: RowSort | undefined;
  readonly widths: readonly number[];
  readonly active: Cell;
  readonly anchor: Cell;
  readonly scrollTop: number;
  readonly scrollLeft: number;
}

/** Undefined without a grid. */
export function savedView({ shown, sort, widths, active, anchor, view }: ResultsState): SavedView | undefined {
  if (shown.kind !== 'result') return undefined;
  const { scrollTop, scrollLeft } = view;
  return {
    of: identity(shown.title, shown.result),
    sort,
    widths,
    active,
    anchor,
    scrollTop,
    scrollLeft,
  };
}

/** The state with the stored grid; undefined when that was a grid of another result. */
export function withSavedView(
  state: ResultsState,
  shown: Shown,
  kept: SavedView | undefined,
): ResultsState | undefined {
  if (!kept || shown.kind !== 'result' || kept.of !== identity(shown.title, shown.result)) return undefined;
  const { sort, widths, active, anchor, scrollTop, scrollLeft } = kept;
  const sorted = sort && { sort, order: sortedOrder(shown.result, sort) };
  return { ...state, ...sorted, widths, active, anchor, view: { ...state.view, scrollTop, scrollLeft } };
}

function identity(title: string, { columns, rows, durationMs }: TestQueryResult): string {
  return JSON.stringify([title, durationMs, rows.length, columns.map(({ name, type }) => [name, type])]);
}
