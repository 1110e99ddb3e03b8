import { render } from 'lit';
import { openExtensionChannel } from '../extension-channel.ts';
import { shownTextStyles } from '../ui/draw-shown-text.ts';
import { installStyles } from '../ui/install-styles.ts';
import { refusedQueryStyles, showOffending } from '../ui/refused-query.ts';
import { rootElement } from '../ui/root-element.ts';
import { whenLoaded } from '../ui/when-loaded.ts';
import { t } from '../ui/translate.ts';
import { browserTextMetrics } from '../ui/text-metrics.ts';
import { cellMarks, nextMarked } from './cell-marks.ts';
import { columnWidth, columnWidths } from './column-widths.ts';
import { gridTemplate } from './draw-grid.ts';
import { drawResults, resultSummary } from './draw-results.ts';
import { formatRows } from './format-rows.ts';
import { cellOf, focusCell } from './grid-keys.ts';
import { type ResultsActions, type ResultsState, type Shown, showing } from './results-state.ts';
import { resultsStyles } from './results-styles.ts';
import { type RowSort, sortedOrder } from './sort-rows.ts';
import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { Cell } from './cell.ts';

installStyles(resultsStyles + refusedQueryStyles + shownTextStyles);
const root = rootElement();
const text = browserTextMetrics();
/** Minimum column width in pixels. */
const narrowest = 32;

const channel = openExtensionChannel<SavedView>({
  running({ title, elapsedMs, step }) {
    // A step is reached by the query that is shown, which may be being cancelled; a new query has none yet.
    const cancelling = step !== undefined && state.shown.kind === 'running' && state.shown.cancelling;
    const since = performance.now() - elapsedMs;
    show({ kind: 'running', title, since, cancelling, step });
  },
  result: ({ title, source, result, cap, canTest = false, hasTimelines = false }) =>
    show({
      kind: 'result',
      title,
      result,
      marks: cellMarks(result),
      summary: [
        resultSummary(result, source),
        ...(hasTimelines ? [t('Enter or a double click opens a timeline')] : []),
      ].join(' · '),
      canTest,
      entityColumn: hasTimelines ? result.columns.findIndex(({ name }) => name === 'entity_id') : undefined,
      cap,
    }),
  facts: ({ title, facts, result, opens }) =>
    show({ kind: 'result', title, result, marks: cellMarks(result), summary: facts, opens }),
  failure: ({ title, error }) => show({ kind: 'failure', title, error }),
  history({ runs, shown }) {
    const { shownRun: _, ...rest } = state;
    update({ ...rest, runs, shownRun: shown });
  },
});

const actions: ResultsActions = {
  cancel() {
    if (state.shown.kind !== 'running') return;
    update({ ...state, shown: { ...state.shown, cancelling: true } });
    channel.post({ type: 'cancel' });
  },
  goTo: (range, file) => channel.post({ type: 'revealRange', range, ...(file === undefined ? {} : { file }) }),
  activate: (active, extend = false) => update({ ...state, active, anchor: extend ? state.anchor : active }),
  selectAll() {
    if (state.shown.kind !== 'result') return;
    const { rows, columns } = state.shown.result;
    const last = { row: rows.length - 1, column: columns.length - 1 };
    update({ ...state, anchor: last, active: { row: 0, column: 0 } });
    cellOf(root, state.active)?.focus();
  },
  goToNextMark() {
    const { shown, order, active } = state;
    if (shown.kind !== 'result') return;
    const next = nextMarked(shown.marks, order, shown.result.columns.length, active);
    const grid = document.getElementById('grid');
    if (!next || !grid) return;
    actions.activate(next);
    focusCell(grid, next);
  },
  copy: (copied) => channel.post({ type: 'copy', text: copied }),
  save(format) {
    if (state.shown.kind !== 'result') return;
    const { title, result } = state.shown;
    const names = result.columns.map(({ name }) => name);
    const rows = state.order.map((place) => result.rows[place] ?? []);
    const fileFormat = format === 'spreadsheet' ? 'csv' : format;
    channel.post({ type: 'saveRows', name: title, format: fileFormat, text: formatRows(format, names, rows) });
  },
  sortBy(sort) {
    if (state.shown.kind !== 'result') return;
    const { result } = state.shown;
    const { sort: _, ...rest } = state;
    if (sort) update({ ...rest, sort, order: sortedOrder(result, sort) });
    else update({ ...rest, order: result.rows.map((_row, index) => index) });
  },
  resize: (column, width) =>
    setWidths(state.widths.map((each, index) => (index === column ? Math.max(narrowest, Math.round(width)) : each))),
  fit(column) {
    if (state.shown.kind !== 'result') return;
    const fitting = columnWidth(state.shown.result, column, text);
    setWidths(state.widths.map((each, index) => (index === column ? fitting : each)));
  },
  createTest: (rows) => channel.post({ type: 'createTest', rows }),
  openNumber: (row) => channel.post({ type: 'openNumber', row }),
  openTimeline(row) {
    if (state.shown.kind !== 'result' || state.shown.entityColumn === undefined) return;
    const entity = Number(state.shown.result.rows[row]?.[state.shown.entityColumn] ?? Number.NaN);
    if (Number.isInteger(entity)) channel.post({ type: 'openTimeline', entity });
  },
  rerun: () => channel.post({ type: 'rerun' }),
  showRun: (id) => channel.post({ type: 'showRun', id }),
  openMenu: (kind, at) => update({ ...state, menu: { kind, at } }),
  closeMenu() {
    const { menu, ...rest } = state;
    update(rest);
    if (menu?.kind === 'cell') cellOf(root, state.active)?.focus();
    else if (menu) document.getElementById(`${menu.kind}-menu`)?.focus();
  },
  scrolled: (view) => update({ ...state, view }),
};

let state: ResultsState = {
  shown: { kind: 'nothing' },
  active: { row: 0, column: 0 },
  anchor: { row: 0, column: 0 },
  order: [],
  widths: [],
  view: { scrollTop: 0, scrollLeft: 0, height: root.clientHeight, width: root.clientWidth },
  runs: [],
};
/** The previous content, until there is new one. */
let { kept } = channel;

function show(shown: Shown): void {
  const fresh = showing(state, shown, []);
  const restored = withSavedView(fresh, shown, kept);
  kept = undefined;
  const { scrollTop, scrollLeft } = (restored ?? fresh).view;
  update(restored ?? fresh);
  setWidths(restored?.widths ?? (shown.kind === 'result' ? columnWidths(shown.result, text) : []));
  const grid = document.getElementById('grid');
  if (grid) [grid.scrollTop, grid.scrollLeft] = [scrollTop, scrollLeft];
  showOffending(document);
}

function setWidths(widths: readonly number[]): void {
  const rows = state.shown.kind === 'result' ? state.shown.result.rows.length : 0;
  root.style.setProperty('--columns', gridTemplate(rows, widths, text));
  update({ ...state, widths });
}

function update(next: ResultsState): void {
  state = next;
  render(drawResults(state, actions), root);
  const view = savedView(state);
  if (view) channel.keep(view);
}

whenLoaded(() => {
  new ResizeObserver(() => {
    update({ ...state, view: { ...state.view, height: root.clientHeight, width: root.clientWidth } });
  }).observe(root);
  update(state);
});

/** State of the grid, restored with the same rows after the panel was hidden. */
interface SavedView {
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
function savedView({ shown, sort, widths, active, anchor, view }: ResultsState): SavedView | undefined {
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
function withSavedView(state: ResultsState, shown: Shown, kept: SavedView | undefined): ResultsState | undefined {
  if (!kept || shown.kind !== 'result' || kept.of !== identity(shown.title, shown.result)) return undefined;
  const { sort, widths, active, anchor, scrollTop, scrollLeft } = kept;
  const sorted = sort && { sort, order: sortedOrder(shown.result, sort) };
  return { ...state, ...sorted, widths, active, anchor, view: { ...state.view, scrollTop, scrollLeft } };
}

function identity(title: string, { columns, rows, durationMs }: TestQueryResult): string {
  return JSON.stringify([title, durationMs, rows.length, columns.map(({ name, type }) => [name, type])]);
}
