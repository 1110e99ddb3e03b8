import { createDebouncer } from '../../../protocol/debouncer.ts';
import { t } from '../ui/translate.ts';
import { type DraftSubject, draftOf, withDraft, withoutValue } from './condition-draft.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import type { EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

type EditorActions = Pick<
  EventGraphActions,
  | 'openConditions'
  | 'openSavedFilters'
  | 'closeFilterPanel'
  | 'backOut'
  | 'chooseSubject'
  | 'setDraft'
  | 'searchDraft'
  | 'applyDraft'
  | 'useSavedFilter'
  | 'saveFilter'
  | 'deleteFilter'
  | 'confirmDoubt'
>;

/** Below the filter bar: a condition that is being written, or the saved filters. */
export interface FilterEditor {
  readonly actions: EditorActions;
  /** Loads again what the filter or the graph has changed. */
  filterChanged(): void;
}

const bins = 24;
const debounceMs = 250;

const focusFirst = (): void => document.querySelector<HTMLElement>('.filter-panel :is(select, input)')?.focus();

// eslint-disable-next-line max-lines-per-function -- One editor: its loads, its draft and its actions share what was read.
export function createFilterEditor(page: EventGraphPage): FilterEditor {
  let propertiesOf: string | undefined;
  let draftType: string | undefined;
  const loadProperties = async (): Promise<void> => {
    const { entityType } = page.state().filter;
    if (entityType === propertiesOf && page.state().properties) return;
    propertiesOf = entityType;
    // Not even while others are read: they are of another type.
    page.drop('properties');
    if (entityType === undefined) return;
    await page.load('properties', (signal) => page.ask('properties', { entityType }, signal));
    startMissingDraft();
  };
  const loadDraft = (): void => {
    const { filter, draft, draftSearch } = page.state();
    const of = typeFilterOf(filter);
    if (!draft || !of) return;
    const { subject } = draft;
    if (subject.kind === 'property') {
      const others = { ...withoutValue(of, subject.property), entityType: of.entityType };
      const params = { filter: others, property: subject.property, bins, ...(draftSearch && { search: draftSearch }) };
      void page.load('draftValues', (signal) => page.ask('propertyValues', params, signal));
    } else if (subject.kind === 'related' && draftSearch !== '') {
      void page.load('draftHits', (signal) => page.ask('findEntities', { search: draftSearch }, signal));
    }
  };
  const searching = createDebouncer(debounceMs, loadDraft);
  const startDraft = (subject: DraftSubject): void => {
    const { draftValues: _values, draftHits: _hits, ...state } = page.state();
    const draft = draftOf(state.filter, subject, state.entityKeys);
    page.update({ ...state, filterPanel: 'condition', draft, draftSearch: '' });
    loadDraft();
  };
  /** The first draft is about the first property of the type, which must be known. */
  const startMissingDraft = (): void => {
    const { filterPanel, draft, properties } = page.state();
    if (filterPanel !== 'condition' || draft || properties?.kind === 'loading') return;
    const [first] = shownValue(properties) ?? [];
    startDraft(first ? { kind: 'property', property: first.name } : { kind: 'throughput' });
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.id === 'add-condition') focusFirst();
  };
  const close = (): void => {
    const { filterPanel, draft: _draft, doubtedFilter: _doubted, ...state } = page.state();
    page.update(state);
    const opener = filterPanel === 'saved' ? 'saved-filters' : 'add-condition';
    if (filterPanel) document.getElementById(opener)?.focus();
  };
  return {
    filterChanged() {
      const { draft, filterPanel, filter } = page.state();
      if (filterPanel === 'condition' && filter.entityType === undefined) {
        // A graph of all types has no editor. The focus stays on the choice of the type.
        const { draft: _draft, filterPanel: _panel, ...state } = page.state();
        page.update(state);
      } else if (draft?.subject.kind === 'property' && filter.entityType !== draftType) {
        // Another type has other properties and values.
        const { draft: _draft, draftValues: _values, ...state } = page.state();
        page.update(state);
      } else loadDraft();
      draftType = filter.entityType;
      void loadProperties();
      startMissingDraft();
    },
    actions: {
      openConditions() {
        if (page.state().filterPanel === 'condition') return close();
        page.update({ ...page.state(), filterPanel: 'condition' });
        void loadProperties();
        startMissingDraft();
      },
      openSavedFilters() {
        if (page.state().filterPanel === 'saved') return close();
        page.update({ ...page.state(), filterPanel: 'saved' });
        void page.load('savedFilters', (signal) => page.ask('savedFilters', {}, signal));
        focusFirst();
      },
      closeFilterPanel: close,
      backOut() {
        const { doubtedFilter, ...state } = page.state();
        if (!doubtedFilter) return close();
        page.update(state);
        focusSaved(doubtedFilter.by === 'delete' ? doubtedFilter.name : undefined);
      },
      chooseSubject: startDraft,
      setDraft(part) {
        const { draft, entityKeys } = page.state();
        if (!draft) return;
        page.update({ ...page.state(), draft: { ...draft, ...part } });
        if (!part.related) return;
        const chosen = Object.fromEntries(part.related.map(({ id, key }) => [id, key]));
        page.keep({ ...page.state(), entityKeys: { ...entityKeys, ...chosen } });
      },
      searchDraft(draftSearch) {
        page.update({ ...page.state(), draftSearch });
        searching.schedule();
      },
      applyDraft() {
        const { filter, draft, draftValues } = page.state();
        const next = draft && withDraft(filter, draft, shownValue(draftValues)?.type);
        if (!next) return;
        page.actions().filterBy(next);
        close();
      },
      ...savedFilterActions(page, close),
    },
  };
}

/** Focuses the bin of a saved filter, or the field of a new name. */
function focusSaved(name: string | undefined): void {
  const bins = [...document.querySelectorAll<HTMLElement>('.saved-list [data-name]')];
  const bin = bins.find(({ dataset }) => dataset['name'] === name)?.querySelector<HTMLElement>('.action');
  (bin ?? document.querySelector<HTMLElement>('.filter-panel input'))?.focus();
}

function savedFilterActions(
  page: EventGraphPage,
  close: () => void,
): Pick<EditorActions, 'useSavedFilter' | 'saveFilter' | 'deleteFilter' | 'confirmDoubt'> {
  const write = async (name: string, filter: EventGraphState['filter'] | undefined): Promise<void> => {
    page.actions().dismissFailure();
    const outcome = await page.ask('saveFilter', { name, ...(filter && { filter }) });
    if (outcome.ok) page.update({ ...page.state(), savedFilters: { kind: 'known', value: outcome.value } });
    else page.update({ ...page.state(), failure: outcome.error });
    const announcement = filter ? t('The filter {0} is saved.', name) : t('The filter {0} is deleted.', name);
    if (outcome.ok) page.update({ ...page.state(), announcement });
  };
  const doubt = (doubtedFilter: NonNullable<EventGraphState['doubtedFilter']>): void => {
    page.update({ ...page.state(), doubtedFilter });
    document.getElementById('keep-filter')?.focus();
  };
  return {
    useSavedFilter(name) {
      const saved = shownValue(page.state().savedFilters)?.[name];
      if (!saved) return;
      const { entityType } = page.state().filter;
      // One without a type is about entities of any type: that of the page stays.
      page.actions().filterBy({ ...(entityType !== undefined && { entityType }), ...saved });
      close();
    },
    saveFilter(name) {
      if (shownValue(page.state().savedFilters)?.[name]) doubt({ name, by: 'replace' });
      else void write(name, page.state().filter);
    },
    deleteFilter: (name) => doubt({ name, by: 'delete' }),
    confirmDoubt() {
      const { doubtedFilter, ...state } = page.state();
      if (!doubtedFilter) return;
      const { name, by } = doubtedFilter;
      page.update(state);
      focusSaved(by === 'delete' ? name : undefined);
      void write(name, by === 'replace' ? state.filter : undefined).then(() => {
        // The row with the focus is gone.
        if (document.activeElement === document.body) focusSaved(undefined);
      });
    },
  };
}
