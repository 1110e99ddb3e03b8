import { render } from 'lit';
import type { GraphFilter, GraphOverview } from '../../../protocol/event-graph.ts';
import type { EventGraphPageRequests } from '../../../protocol/requests/event-graph-requests.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { openExtensionChannel } from '../extension-channel.ts';
import { createRequestChannel } from '../request-channel.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { whenLoaded } from '../ui/when-loaded.ts';
import { t } from '../ui/translate.ts';
import { refocusDraftChoice } from './draw-draft-choices.ts';
import { drawEventGraph } from './draw-event-graph.ts';
import { variantStyles } from './draw-variants.ts';
import { createFilterEditor } from './filter-editor.ts';
import {
  type EventGraphActions,
  type EventGraphState,
  type Loaded,
  firstState,
  shownValue,
} from './event-graph-state.ts';
import { eventGraphStyles } from './event-graph-styles.ts';
import { showInDrawing } from './map-view.ts';
import type { EventGraphPage, LoadedKey, PageAction, ValueOf } from './page-tab.ts';
import { createTabs } from './tabs.ts';
import { typeFilterOf } from './type-filter.ts';

installStyles(eventGraphStyles + variantStyles);
const root = rootElement();

const channel = openExtensionChannel<Partial<EventGraphState>>({
  eventGraph({ tab, rule, entity }) {
    if (tab) state = { ...state, tab, ...(rule === undefined ? {} : { chosenRule: rule }) };
    loadAll();
    if (entity !== undefined) actions.openEntity(entity);
  },
  response: ({ id, result }) => requests.receive(id, result),
});
const requests = createRequestChannel<EventGraphPageRequests>((message) => channel.post(message));

let state: EventGraphState = { ...firstState, ...channel.kept };
/** Gets the focus back when the menu closes. */
let menuOpener: Element | null = null;
/** Pending requests by state property; a newer request cancels the previous one. */
const reading = new Map<LoadedKey, AbortController>();
/** The state when all of it was answered; cancelling brings its filter and choices back. */
let settled: EventGraphState | undefined;

const page: EventGraphPage = {
  state: () => state,
  update,
  keep,
  ask: requests.ask,
  load,
  drop(key) {
    reading.get(key)?.abort();
    update(without(state, [key]));
  },
  run,
  actions: () => actions,
  isNew: channel.kept === undefined,
};
const { tabs, actions: tabActions } = createTabs(page);
const editor = createFilterEditor(page);
const keptKeys = [
  'tab',
  'filter',
  'filtersBefore',
  'hasChosenType',
  'entityKeys',
  ...[...tabs.values()].flatMap(({ keeps = [] }) => keeps),
] as const;

/** Milliseconds until the progress of a query is shown beside the earlier answer. */
const slowAfter = 1000;

async function load<K extends LoadedKey>(
  key: K,
  ask: (signal: AbortSignal) => Promise<Outcome<ValueOf<K>>>,
): Promise<void> {
  reading.get(key)?.abort();
  const abort = new AbortController();
  reading.set(key, abort);
  const before = shownValue<ValueOf<K>>(state[key] as Loaded<ValueOf<K>> | undefined);
  update({
    ...state,
    [key]: { kind: 'loading', since: performance.now(), ...(before === undefined ? {} : { before }) },
  });
  setTimeout(() => {
    const loading = state[key];
    if (reading.get(key) !== abort || loading?.kind !== 'loading') return;
    update({ ...state, [key]: { ...loading, isSlow: true } });
  }, slowAfter);
  const outcome = await ask(abort.signal);
  if (abort.signal.aborted) return;
  const loaded = outcome.ok ? { kind: 'known', value: outcome.value } : { kind: 'failed', error: outcome.error };
  update({ ...state, [key]: loaded });
}

/** Reloads everything, because the graph may have changed. */
function loadAll(): void {
  state = without(state, [...[...tabs.values()].flatMap(({ loads }) => loads), 'properties', 'draftValues']);
  settled = undefined;
  void load('overview', (signal) => requests.ask('overview', {}, signal)).then(() => {
    if (state.overview?.kind === 'known') {
      dropUnknownRule(state.overview.value);
      chooseEntityType(state.overview.value);
      loadMatching();
      editor.filterChanged();
    }
    loadTab();
  });
  void requests.ask('draftChoices', {}).then((outcome) => {
    const { draftChoices: _, ...others } = state;
    update(outcome.ok && outcome.value ? { ...others, draftChoices: outcome.value } : others);
  });
}

/** The state without some of its optional parts. */
function without(whole: EventGraphState, keys: readonly (keyof EventGraphState)[]): EventGraphState {
  const entries = Object.entries(whole).filter(([key]) => !keys.includes(key as keyof EventGraphState));
  return Object.fromEntries(entries) as unknown as EventGraphState;
}

/** Selects the default entity type of the map, unless the user has chosen all types or a type that the graph still has. */
function chooseEntityType({ entityTypes, mapEntityType }: GraphOverview): void {
  const { entityType, ...others } = state.filter;
  const isThere = entityType !== undefined && entityTypes.some(({ name }) => name === entityType);
  const isAll = entityType === undefined && state.hasChosenType;
  if (isThere || isAll || mapEntityType === undefined) return;
  keep({ ...withFilter({ ...others, entityType: mapEntityType }), hasChosenType: false });
}

/** The state with another filter: choices about entities of one type do not survive another type. */
function withFilter(filter: GraphFilter): EventGraphState {
  if (filter.entityType === state.filter.entityType) return { ...state, filter };
  const ofType = [...tabs.values()].flatMap((tab) => tab.ofType ?? []);
  const first = Object.fromEntries(Object.entries(firstState).filter(([key]) => ofType.some((each) => each === key)));
  return { ...without(state, ofType), ...first, filter };
}

/** Another import may have other rules, or none. */
function dropUnknownRule({ rules }: GraphOverview): void {
  const { rule, ...others } = state.filter;
  if (rule && rule.number > rules) keep({ ...state, filter: others });
}

/** Loads what the shown tab lacks. */
function loadTab(): void {
  if (state.overview?.kind === 'known') tabs.get(state.tab)?.load?.();
}

/** Filters that can be brought back. */
const mostFilters = 20;

function changeFilter(filter: GraphFilter, filtersBefore: readonly GraphFilter[]): void {
  const isOtherType = filter.entityType !== state.filter.entityType;
  const { chosen: _, ...rest } = withFilter(filter);
  keep({ ...rest, filtersBefore, hasChosenType: state.hasChosenType || isOtherType });
  loadMatching();
  editor.filterChanged();
  for (const tab of tabs.values()) tab.filterChanged?.();
}

/** Counts the entities of a filter with conditions. Without any, the number of its type is known. */
function loadMatching(): void {
  const filter = typeFilterOf(state.filter);
  if (!filter || Object.keys(filter).length === 1) return page.drop('matching');
  void load('matching', (signal) => requests.ask('countEntities', { filter }, signal));
}

/** An earlier state on the tab that is shown, with what has been learned since. */
function settledOnTab(earlier: EventGraphState): EventGraphState {
  const { tab, entityKeys, zoom, sideWidth } = state;
  return { ...earlier, tab, entityKeys, zoom, ...(sideWidth === undefined ? {} : { sideWidth }) };
}

/** What is shown instead of an answer that was cancelled. */
function answerBefore(loaded: Loaded<unknown> | undefined): Loaded<unknown> {
  if (loaded && loaded.kind !== 'loading') return loaded;
  const value = shownValue(loaded);
  if (value !== undefined) return { kind: 'known', value };
  return { kind: 'failed', error: { code: 'cancelled', message: t('Reading the graph was cancelled.') } };
}

const actions: EventGraphActions = {
  ...tabActions,
  ...editor.actions,
  show(tab) {
    keep({ ...state, tab });
    loadTab();
  },
  filterBy(filter) {
    const { variant, ...others } = filter;
    // Variants belong to an entity type: another type resets the selection.
    const isOtherType = filter.entityType !== state.filter.entityType;
    changeFilter(variant && !isOtherType ? filter : others, [...state.filtersBefore, state.filter].slice(-mostFilters));
  },
  undoFilter() {
    const before = state.filtersBefore.at(-1);
    if (before) changeFilter(before, state.filtersBefore.slice(0, -1));
  },
  suggestRules: () => channel.post({ type: 'entityAction', action: 'suggestRules' }),
  dismissFailure() {
    const { failure: _, ...rest } = state;
    update(rest);
  },
  changeDraftChoice(choice) {
    const changed = document.activeElement?.id ?? '';
    update({ ...state, isRedrafting: true });
    void run('changeDraftChoice', choice ? { choice } : {}).then(() => {
      update({ ...state, isRedrafting: false });
      refocusDraftChoice(changed);
    });
  },
  dismissDraftChoices() {
    const { draftChoices: _, ...others } = state;
    update(others);
    void run('dismissDraftChoices', {});
  },
  openText: () => void run('openText', {}),
  exportGraph: () => channel.post({ type: 'entityAction', action: 'exportGraph' }),
  copySnippet: (kind) => void run('copySnippet', { kind }),
  openSqlConsole: (sql) => void run('openSqlConsole', sql === undefined ? {} : { sql }),
  importNow: () => channel.post({ type: 'entityAction', action: 'import' }),
  fetchGraph: () => channel.post({ type: 'entityAction', action: 'fetchGraph' }),
  reload: () => loadAll(),
  stopReading() {
    const stopped = [...reading].filter(([key]) => state[key]?.kind === 'loading');
    for (const [, abort] of stopped) abort.abort();
    const next =
      stopped.some(([key]) => shownValue<unknown>(state[key] as Loaded<unknown>) !== undefined) && settled
        ? settledOnTab(settled)
        : state;
    const unanswered = stopped.map(([key]) => [key, answerBefore(next[key] as Loaded<unknown> | undefined)] as const);
    keep({ ...next, ...Object.fromEntries(unanswered) });
    if (document.activeElement === document.body) document.getElementById(`tab-${state.tab}`)?.focus();
  },
  openNumber({ number, title, isOfAll = false }, part) {
    const { measure, lifecycle } = state.mapParams;
    const ofMap = number.kind === 'node' || number.kind === 'path';
    void run('openNumber', {
      number,
      title,
      part,
      filter: isOfAll ? {} : state.filter,
      ...(ofMap && measure !== undefined ? { measure } : {}),
      ...(ofMap && tabs.get(state.tab)?.isByLifecycle && lifecycle !== undefined ? { lifecycle } : {}),
    });
  },
  openChangedRows: (number, title) => void run('openChangedRows', { ...number, title }),
  openSourceRows: (target, part) => void run('openSourceRows', { target, part }),
  createTest: (targets, name, rule) => void run('createTest', { targets, name, rule }),
  openMenu(of, at) {
    menuOpener = document.activeElement;
    update({ ...state, menu: { of, at } });
  },
  closeMenu() {
    const { menu, ...rest } = state;
    update(rest);
    if (menu && menuOpener instanceof HTMLElement) menuOpener.focus();
    menuOpener = null;
  },
};

async function run<A extends PageAction>(action: A, params: EventGraphPageRequests[A]['params']): Promise<void> {
  actions.dismissFailure();
  // Each of them gives nothing.
  const outcome = (await requests.ask(action, params)) as Outcome<null>;
  if (!outcome.ok) update({ ...state, failure: outcome.error });
}

function keep(next: EventGraphState): void {
  channel.keep(Object.fromEntries(keptKeys.flatMap((key) => (next[key] === undefined ? [] : [[key, next[key]]]))));
  update(next);
}

function update(next: EventGraphState): void {
  state = next;
  render(drawEventGraph(state, actions, tabs), root);
  showInDrawing(state);
  // Choices are kept before they are asked about, in the same turn: those are not answered yet.
  queueMicrotask(() => {
    if ([...reading.keys()].every((key) => state[key]?.kind !== 'loading')) settled = state;
  });
}

// Inputs undo their own text.
window.addEventListener('keydown', (event) => {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
  if (!isUndo || (event.target as Element).matches('input, select, textarea')) return;
  event.preventDefault();
  actions.undoFilter();
});

whenLoaded(() => {
  update(state);
  new ResizeObserver(() => tabs.get(state.tab)?.resized?.()).observe(root);
});
