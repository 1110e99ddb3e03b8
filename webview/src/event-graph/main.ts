import { render } from 'lit';
import { addCondition } from '../../../protocol/activity-conditions.ts';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import type { GraphOverview, MapEdgeView } from '../../../protocol/event-graph.ts';
import type { EventGraphPageRequests } from '../../../protocol/requests/event-graph-requests.ts';
import type { Failure, Outcome } from '../../../protocol/query-results.ts';
import { openExtensionChannel } from '../extension-channel.ts';
import { createRequestChannel } from '../request-channel.ts';
import { formatRows } from '../results-grid/format-rows.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { whenLoaded } from '../ui/when-loaded.ts';
import { t } from '../ui/translate.ts';
import { conditionText, placeOf } from './activity-filter.ts';
import { drawEventGraph } from './draw-event-graph.ts';
import { variantStyles, variantText } from './draw-variants.ts';
import { chosenRuleOf } from './draw-rules.ts';
import {
  type EventGraphActions,
  type EventGraphState,
  type SavedState,
  type Loaded,
  type Tab,
  firstState,
  shownValue,
} from './event-graph-state.ts';
import { eventGraphStyles } from './event-graph-styles.ts';
import { mapImage } from './map-image.ts';
import { fittingZoom, showInDrawing, showStart } from './map-view.ts';
import { mapWords } from './map-words.ts';

installStyles(eventGraphStyles + variantStyles);
const root = rootElement();
/** Debounce in milliseconds before entities are searched. */
const debounceMs = 200;
const [smallest, largest] = [0.1, 4];

const channel = openExtensionChannel<SavedState>({
  eventGraph({ tab, rule }) {
    if (tab) state = { ...state, tab, ...(rule === undefined ? {} : { chosenRule: rule }) };
    loadAll();
  },
  response: ({ id, result }) => requests.receive(id, result),
});
const requests = createRequestChannel<EventGraphPageRequests>((message) => channel.post(message));

let state: EventGraphState = { ...firstState, ...channel.kept };
const searching = createDebouncer(debounceMs, () => loadHits());
/** Gets the focus back when the menu closes. */
let menuOpener: Element | null = null;
/** Pending requests by state property; a newer request cancels the previous one. */
const reading = new Map<LoadedKey, AbortController>();

type LoadedKey =
  'overview' | 'map' | 'variants' | 'hits' | 'timeline' | 'events' | 'values' | 'rules' | 'rule' | 'diff';
type ValueOf<K extends LoadedKey> = Extract<NonNullable<EventGraphState[K]>, { kind: 'known' }>['value'];

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
  const outcome = await ask(abort.signal);
  if (abort.signal.aborted) return;
  const loaded = outcome.ok ? { kind: 'known', value: outcome.value } : { kind: 'failed', error: outcome.error };
  update({ ...state, [key]: loaded });
}

/** Reloads everything, because the graph may have changed. */
function loadAll(): void {
  const { map: _map, hits: _hits, events: _events, values: _values, diff: _diff, chosen: _chosen, ...others } = state;
  const { rules: _rules, rule: _rule, variants: _variants, ...rest } = others;
  variantsOf = undefined;
  state = rest;
  void load('overview', (signal) => requests.ask('overview', {}, signal)).then(() => {
    if (state.overview?.kind === 'known') {
      dropUnknownRule(state.overview.value);
      chooseEntityType(state.overview.value);
    }
    loadTab(state.tab);
  });
}

/** Selects the default entity type of the map, unless the user has chosen all types or a type that the graph still has. */
function chooseEntityType({ entityTypes, mapEntityType }: GraphOverview): void {
  const { entityType, ...others } = state.filter;
  const isThere = entityType !== undefined && entityTypes.some(({ name }) => name === entityType);
  const isAll = entityType === undefined && state.hasChosenType;
  if (isThere || isAll || mapEntityType === undefined) return;
  keep({ ...state, hasChosenType: false, filter: { entityType: mapEntityType, ...others } });
}

/** Another import may have other rules, or none. */
function dropUnknownRule({ rules }: GraphOverview): void {
  const { rule, ...others } = state.filter;
  if (rule && rule.number > rules) keep({ ...state, filter: others });
}

/** Loads the content of a tab once. */
function loadTab(tab: Tab): void {
  if (state.overview?.kind !== 'known') return;
  if (tab === 'map' && !state.map) loadMap();
  if (tab === 'map') loadVariants();
  if (tab === 'timeline' && !state.hits) loadHits();
  if (tab === 'distributions') {
    if (!state.events) loadEvents();
    if (state.property && !state.values) loadValues();
  }
  // Loads the rules again: their text may have been edited.
  if (tab === 'rules') loadRules();
  if (tab === 'changes' && !state.diff) void load('diff', (signal) => requests.ask('graphDiff', {}, signal));
}

/** The first map is fitted, unless the page was only hidden. */
let fitNext = channel.kept === undefined;

/** The next map gets the focus, because the menu or button that asked for it is gone. */
let focusNext = false;

function focusMap(): void {
  const map = document.getElementById('picture') ?? document.querySelector<HTMLElement>('#no-events button');
  map?.focus();
}

function loadMap(): void {
  void load('map', (signal) =>
    requests.ask('map', { filter: state.filter, ...state.mapParams, words: mapWords }, signal),
  ).then(() => {
    if (focusNext && document.activeElement === document.body) focusMap();
    focusNext = false;
    if (!fitNext || state.map?.kind !== 'known') return;
    keep({ ...state, zoom: fittingZoom(shownValue(state.map)) });
    showStart();
    fitNext = false;
  });
}

/** The filter whose variants are shown or read, as text. */
let variantsOf: string | undefined;

/** Reads the variants of the filter, unless they are known. They are those of one entity type. */
function loadVariants(): void {
  const { variant: _, ...filter } = state.filter;
  const { lifecycle = false } = state.mapParams;
  const wanted = filter.entityType === undefined ? undefined : JSON.stringify([filter, lifecycle]);
  if (wanted === variantsOf && state.variants?.kind !== 'failed') return;
  variantsOf = wanted;
  if (wanted === undefined) {
    reading.get('variants')?.abort();
    const { variants: _variants, ...rest } = state;
    update(rest);
  } else
    void load('variants', (signal) => requests.ask('variants', { filter, ...(lifecycle && { lifecycle }) }, signal));
}

function loadRules(): void {
  void load('rules', (signal) => requests.ask('rules', {}, signal)).then(() => {
    const rule = chosenRuleOf(state);
    if (rule !== undefined) loadRule(rule);
  });
}

function loadRule(rule: number, property?: string): void {
  void load('rule', (signal) =>
    requests.ask('rule', { rule, ...(property === undefined ? {} : { property }) }, signal),
  );
}

const loadHits = (): void =>
  void load('hits', (signal) => requests.ask('findEntities', { text: state.search.trim() }, signal));
const loadEvents = (): void =>
  void load('events', (signal) => requests.ask('events', { filter: state.filter }, signal));
function loadValues(): void {
  const { property } = state;
  if (property)
    void load('values', (signal) =>
      requests.ask('property', { element: property.element, property: property.name, filter: state.filter }, signal),
    );
}

const actions: EventGraphActions = {
  show(tab) {
    keep({ ...state, tab });
    loadTab(tab);
  },
  filterBy(filter) {
    const { chosen: _, ...rest } = state;
    const isOtherType = filter.entityType !== state.filter.entityType;
    const { variant, ...others } = filter;
    // Variants belong to an entity type: another type resets the selection.
    const next = variant && !isOtherType ? filter : others;
    keep({ ...rest, filter: next, hasChosenType: state.hasChosenType || isOtherType });
    loadMap();
    loadVariants();
    loadEvents();
    loadValues();
  },
  filterByActivity(activity, occurs) {
    const condition = { ...placeOf(activity, state.mapParams), occurs };
    actions.filterBy({ ...state.filter, activities: addCondition(state.filter.activities ?? [], condition) });
    update({ ...state, announcement: conditionText(condition) });
    focusNext = true;
  },
  clearFilter() {
    const { entityType } = state.filter;
    actions.filterBy(entityType === undefined ? {} : { entityType });
  },
  chooseVariant(variant) {
    const { variant: _, ...others } = state.filter;
    // The filtered map may be smaller, so it is fitted into the view.
    fitNext = true;
    actions.filterBy(variant ? { ...others, variant } : others);
    update({ ...state, announcement: variant ? variantText(variant) : t('All variants') });
  },
  showAllVariants: (showsAllVariants) => update({ ...state, showsAllVariants }),
  readVariants: loadVariants,
  setMap(params) {
    const { chosen: _, ...rest } = state;
    keep({ ...rest, mapParams: { ...state.mapParams, ...params } });
    loadMap();
    if (params.lifecycle !== undefined) loadVariants();
  },
  zoomBy(factor) {
    const zoom =
      factor === 0 ? fittingZoom(shownValue(state.map)) : Math.min(largest, Math.max(smallest, state.zoom * factor));
    keep({ ...state, zoom });
    if (factor === 0) showStart();
  },
  choose(chosen) {
    const { chosen: _, ...rest } = state;
    update(chosen ? { ...rest, chosen } : rest);
    if (chosen?.kind === 'node') {
      const name = shownValue(state.map)?.nodes[chosen.index]?.activity ?? '';
      state = { ...state, announcement: name };
      document.querySelector(`[data-node="${chosen.index}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  },
  searchFor(search) {
    keep({ ...state, search });
    searching.schedule();
  },
  openEntity: (entity) => void load('timeline', (signal) => requests.ask('timeline', { entity }, signal)),
  showValues: (shownValues) => keep({ ...state, shownValues }),
  dismissFailure() {
    const { failure: _, ...rest } = state;
    update(rest);
  },
  chooseProperty(element, name) {
    const { values: _, ...rest } = state;
    keep({ ...rest, property: { element, name } });
    loadValues();
  },
  exportImage(kind) {
    const map = shownValue(state.map);
    if (!map) return;
    void mapImage(map, kind).then((base64) => ask('saveImage', { name: t('{0} map', graphName()), kind, base64 }));
  },
  exportRows(format) {
    const edges = shownValue(state.map)?.edges ?? [];
    void ask('saveRows', { name: t('{0} paths', graphName()), text: pathRows(edges, format) });
  },
  exportGraph: () => channel.post({ type: 'entityAction', action: 'exportGraph' }),
  copySnippet: (kind) => void ask('copySnippet', { kind }),
  openSqlConsole: (sql) => void ask('openSqlConsole', sql === undefined ? {} : { sql }),
  chooseRule(rule, property) {
    const { rule: before, ...rest } = state;
    // Shows nothing while loading, rather than the details of another rule.
    keep(rule === state.chosenRule && before ? { ...state, chosenRule: rule } : { ...rest, chosenRule: rule });
    loadRule(rule, property);
  },
  mapRule(rule) {
    const { entityType } = state.filter;
    actions.filterBy({ ...(entityType === undefined ? {} : { entityType }), rule });
    actions.show('map');
  },
  openTimeline(entity) {
    actions.show('timeline');
    actions.openEntity(entity);
  },
  importNow: () => channel.post({ type: 'entityAction', action: 'import' }),
  fetchGraph: () => channel.post({ type: 'entityAction', action: 'fetchGraph' }),
  reload: () => loadAll(),
  stopReading() {
    const error: Failure = { code: 'cancelled', message: t('Reading the graph was cancelled.') };
    for (const [key, abort] of reading) {
      const loaded = state[key];
      if (loaded?.kind !== 'loading') continue;
      abort.abort();
      const { before } = loaded;
      update({ ...state, [key]: before === undefined ? { kind: 'failed', error } : { kind: 'known', value: before } });
    }
  },
  openNumber({ number, title, isOfAll = false }, part) {
    const { measure, lifecycle } = state.mapParams;
    const ofMap = number.kind === 'node' || number.kind === 'path';
    void ask('openNumber', {
      number,
      title,
      part,
      filter: isOfAll ? {} : state.filter,
      ...(ofMap && measure !== undefined ? { measure } : {}),
      ...(ofMap && state.tab === 'map' && lifecycle !== undefined ? { lifecycle } : {}),
    });
  },
  openSourceRows: (target, part) => void ask('openSourceRows', { target, part }),
  createTest: (targets, name, rule) => void ask('createTest', { targets, name, rule }),
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

type Action =
  'createTest' | 'openNumber' | 'openSourceRows' | 'saveImage' | 'saveRows' | 'copySnippet' | 'openSqlConsole';

/** Asks the extension to do something; a failure is shown until it is dismissed or the next action succeeds. */
async function ask<A extends Action>(action: A, params: EventGraphPageRequests[A]['params']): Promise<void> {
  actions.dismissFailure();
  // Each of them gives nothing.
  const outcome = (await requests.ask(action, params)) as Outcome<null>;
  if (!outcome.ok) update({ ...state, failure: outcome.error });
}

function graphName(): string {
  return shownValue(state.overview)?.name ?? t('graph');
}

function pathRows(edges: readonly MapEdgeView[], format: 'csv' | 'spreadsheet'): string {
  const isOfAll = edges.some(({ entityType }) => entityType !== undefined);
  const names = [...(isOfAll ? ['entity_type'] : []), 'source', 'target', 'count', 'median_ms', 'p90_ms'];
  return formatRows(
    format,
    names,
    edges.map(({ entityType, source, target, count, median, p90 }) => [
      ...(isOfAll ? [entityType ?? ''] : []),
      ...[source, target, count, median, p90],
    ]),
  );
}

function keep(next: EventGraphState): void {
  const { tab, filter, hasChosenType, mapParams, zoom, search, property, shownValues, chosenRule } = next;
  channel.keep({
    tab,
    filter,
    hasChosenType,
    mapParams,
    zoom,
    search,
    ...(property ? { property } : {}),
    ...(shownValues ? { shownValues } : {}),
    ...(chosenRule === undefined ? {} : { chosenRule }),
  });
  update(next);
}

function update(next: EventGraphState): void {
  state = next;
  render(drawEventGraph(state, actions), root);
  showInDrawing(state);
}

whenLoaded(() => update(state));
