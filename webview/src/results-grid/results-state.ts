import type { Failure, TestQueryResult, TextRange } from '../../../protocol/query-results.ts';
import type { OpenedNumbers, RunView } from '../../../protocol/webview-messages.ts';
import type { CellMarks } from './cell-marks.ts';
import type { Cell } from './cell.ts';
import type { OfferedFormat } from './format-rows.ts';
import type { RowSort } from './sort-rows.ts';

/** State of the panel, which shows one query at a time. */
export type Shown =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'running';
      readonly title: string;
      /** In the clock of `performance.now()`. */
      readonly since: number;
      /** The current step, such as `Connecting to db.example:5432`. */
      readonly step?: string | undefined;
      readonly cancelling: boolean;
    }
  | {
      readonly kind: 'result';
      readonly title: string;
      /** Size, duration and source as text. */
      readonly summary: string;
      readonly cap?: string | undefined;
      readonly result: TestQueryResult;
      readonly marks: CellMarks;
      /** The rows can become a test. */
      readonly canTest?: boolean;
      /** Numbers that open their rows. */
      readonly opens?: OpenedNumbers | undefined;
      /** The column with the ids of entities that have a timeline; absent: none. */
      readonly entityColumn?: number | undefined;
    }
  | { readonly kind: 'failure'; readonly title: string; readonly error: Failure };

/** A table of rows. */
export type ShownResult = Extract<Shown, { readonly kind: 'result' }>;

/** Scroll position and size in pixels. */
interface GridView {
  readonly scrollTop: number;
  readonly scrollLeft: number;
  readonly height: number;
  readonly width: number;
}

export type MenuKind = 'cell' | 'copy' | 'export' | 'history';

export interface ResultsState {
  readonly shown: Shown;
  /** The cell with the tab stop. */
  readonly active: Cell;
  /** Start of the selected block; the active cell is its end. */
  readonly anchor: Cell;
  readonly sort?: RowSort;
  /** Row indexes in display order. */
  readonly order: readonly number[];
  /** Column widths in pixels. */
  readonly widths: readonly number[];
  readonly view: GridView;
  /** The queries of the session, newest first. */
  readonly runs: readonly RunView[];
  readonly shownRun?: number | undefined;
  readonly menu?: { readonly kind: MenuKind; readonly at: { readonly x: number; readonly y: number } };
}

/** User actions in the results panel. */
export interface ResultsActions {
  cancel(): void;
  goTo(range: TextRange, file: string | undefined): void;
  /** `extend` extends the selected block to the cell. */
  activate(cell: Cell, extend?: boolean): void;
  selectAll(): void;
  /** Goes to the next marked cell. */
  goToNextMark(): void;
  copy(text: string): void;
  save(format: OfferedFormat): void;
  sortBy(sort: RowSort | undefined): void;
  resize(column: number, width: number): void;
  /** Fits the width to the values. */
  fit(column: number): void;
  /** Makes a test of rows, by their places in the result. */
  createTest(rows: readonly number[]): void;
  /** Opens the rows behind a number, by the place of its row in the result. */
  openNumber(place: number): void;
  /** Opens the timeline of the entity of a row, by its place in the result. */
  openTimeline(row: number): void;
  rerun(): void;
  showRun(id: number): void;
  openMenu(kind: MenuKind, at: { readonly x: number; readonly y: number }): void;
  closeMenu(): void;
  scrolled(view: GridView): void;
}

/** Whether the cell is a number that opens its rows; `place` is that of its row in the result. */
export function opensRows({ opens }: Pick<ShownResult, 'opens'>, place: number, column: number): boolean {
  return opens?.column === column && opens.rows.includes(place);
}

const corner: Cell = { row: 0, column: 0 };

/** The grid starts at its first cell for new content. */
export function showing(state: ResultsState, shown: Shown, widths: readonly number[]): ResultsState {
  const { sort: _sort, menu: _menu, ...rest } = state;
  const order = shown.kind === 'result' ? shown.result.rows.map((_, index) => index) : [];
  return {
    ...rest,
    shown,
    order,
    widths,
    active: corner,
    anchor: corner,
    view: { ...rest.view, scrollTop: 0, scrollLeft: 0 },
  };
}
