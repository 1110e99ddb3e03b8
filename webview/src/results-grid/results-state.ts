import type { Failure, TestQueryResult, TextRange } from '../../../protocol/query-results.ts';

/** What the panel shows: one query at a time. */
export type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'running'; readonly title: string; readonly since: number; readonly cancelling: boolean }
  | { readonly kind: 'result'; readonly title: string; readonly source: string; readonly result: TestQueryResult }
  | { readonly kind: 'failure'; readonly title: string; readonly error: Failure };

/** A cell of the result, both counted from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface ResultsState {
  readonly shown: Shown;
  /** The one cell that Tab reaches. */
  readonly active: Cell;
  /** How far the grid is scrolled, and how high it is, in pixels. */
  readonly scrollTop: number;
  readonly height: number;
}

/** What a person can do with results. */
export interface ResultsActions {
  cancel(): void;
  goTo(range: TextRange, file: string | undefined): void;
  activate(cell: Cell): void;
  copy(text: string): void;
  scrolled(scrollTop: number, height: number): void;
}

/** The grid starts at its first cell with every new content. */
export function showing(state: ResultsState, shown: Shown): ResultsState {
  return { ...state, shown, active: { row: 0, column: 0 }, scrollTop: 0 };
}
