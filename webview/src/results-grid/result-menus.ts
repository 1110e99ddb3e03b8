import type { RunView } from '../../../protocol/webview-messages.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import { cellText } from './cell-text.ts';
import { headerRow } from './cell.ts';
import { tabSeparated } from './format-rows.ts';
import { type MenuKind, type ResultsActions, type ResultsState, type ShownResult } from './results-state.ts';
import { selectedBlock } from './selection.ts';

/** Items of the menus. */
export function resultMenu(kind: MenuKind, state: ResultsState, actions: ResultsActions): readonly MenuItem[] {
  if (kind === 'history') return historyItems(state, actions);
  if (state.shown.kind !== 'result') return [];
  const copying = copyItems(state, state.shown, actions);
  if (kind === 'copy') return copying;
  if (kind === 'export') return exportItems(actions);
  return [
    ...timelineItems(state, state.shown, actions),
    ...copying,
    ...testItems(state, state.shown, actions),
    ...sortItems(state, actions),
    ...exportItems(actions),
  ];
}

/** The selected cells; a single one is its plain value. */
export function selectedText({ active, anchor, order }: ResultsState, { result }: ShownResult): string {
  const { top, bottom, left, right } = selectedBlock(anchor, active);
  if (top === headerRow) return result.columns[active.column]?.name ?? '';
  const places = order.slice(top, bottom + 1);
  if (places.length === 1 && left === right) return cellText(result.rows[places[0] ?? -1]?.[left]);
  return tabSeparated(places.map((place) => result.rows[place]?.slice(left, right + 1) ?? []));
}

function copyItems(state: ResultsState, shown: ShownResult, actions: ResultsActions): readonly MenuItem[] {
  const { active, anchor, order } = state;
  const { columns, rows } = shown.result;
  const one = active.row === anchor.row && active.column === anchor.column;
  const row = rows[order[active.row] ?? -1];
  return [
    {
      separated: shown.entityColumn !== undefined,
      label: one ? t('Copy Cell') : t('Copy Selection'),
      icon: 'copy',
      shortcut: 'Ctrl+C',
      run: () => actions.copy(selectedText(state, shown)),
    },
    { label: t('Copy Row'), icon: 'list-flat', disabled: !row, run: () => row && actions.copy(tabSeparated([row])) },
    {
      label: t('Copy All with Names'),
      icon: 'table',
      run: () =>
        actions.copy(tabSeparated([columns.map(({ name }) => name), ...order.map((place) => rows[place] ?? [])])),
    },
  ];
}

function timelineItems(
  { active, order }: ResultsState,
  { entityColumn }: ShownResult,
  actions: ResultsActions,
): readonly MenuItem[] {
  const place = order[active.row];
  if (entityColumn === undefined || place === undefined) return [];
  return [
    { label: t('Open Timeline'), icon: 'list-unordered', shortcut: t('Enter'), run: () => actions.openTimeline(place) },
  ];
}

/** The selected rows as the given rows of a test. */
function testItems(
  { active, anchor, order }: ResultsState,
  { canTest = false }: ShownResult,
  actions: ResultsActions,
): readonly MenuItem[] {
  if (!canTest) return [];
  const { top, bottom } = selectedBlock(anchor, active);
  const places = order.slice(Math.max(0, top), bottom + 1);
  return [
    {
      label: places.length === 1 ? t('Create Test from Row…') : t('Create Test from {0} Rows…', String(places.length)),
      icon: 'beaker',
      separated: true,
      disabled: places.length === 0,
      run: () => actions.createTest(places),
    },
  ];
}

function sortItems({ active, sort }: ResultsState, actions: ResultsActions): readonly MenuItem[] {
  const { column } = active;
  return [
    {
      label: t('Sort Upwards'),
      icon: 'arrow-up',
      separated: true,
      run: () => actions.sortBy({ column, descending: false }),
    },
    { label: t('Sort Downwards'), icon: 'arrow-down', run: () => actions.sortBy({ column, descending: true }) },
    { label: t('As They Came'), icon: 'list-ordered', disabled: !sort, run: () => actions.sortBy(undefined) },
    { label: t('Fit Column Width'), icon: 'arrow-both', separated: true, run: () => actions.fit(column) },
  ];
}

function exportItems(actions: ResultsActions): readonly MenuItem[] {
  return [
    { label: t('Export as CSV…'), icon: 'export', separated: true, run: () => actions.save('csv') },
    { label: t('Export as CSV for Spreadsheets…'), icon: 'table', run: () => actions.save('spreadsheet') },
    { label: t('Export as JSON…'), icon: 'json', run: () => actions.save('json') },
    { label: t('Export as Markdown…'), icon: 'markdown', run: () => actions.save('markdown') },
  ];
}

const runIcons: Readonly<Record<RunView['state'], string>> = {
  running: 'sync',
  done: 'pass',
  failed: 'error',
  cancelled: 'circle-slash',
};

const runStates: Readonly<Record<RunView['state'], string>> = {
  running: t('running'),
  done: t('done'),
  failed: t('failed'),
  cancelled: t('cancelled'),
};

function historyItems({ runs, shownRun }: ResultsState, actions: ResultsActions): readonly MenuItem[] {
  return runs.map((run) => ({
    label: [
      run.title,
      new Date(run.at).toLocaleTimeString(undefined, { hourCycle: 'h23' }),
      run.rows === undefined ? runStates[run.state] : t('{0} rows', run.rows.toLocaleString()),
    ].join(' · '),
    icon: run.id === shownRun ? 'arrow-right' : runIcons[run.state],
    run: () => actions.showRun(run.id),
  }));
}
