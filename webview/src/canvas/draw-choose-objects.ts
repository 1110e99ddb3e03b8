import { type TemplateResult, html, nothing } from 'lit';
import type { DataObjectName, OtherSourceView } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import { drawReading } from '../catalog/draw-reading.ts';
import type { ObjectsState } from '../catalog/objects-state.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import type { CanvasState } from './canvas-state.ts';
import { type ColumnsOf, drawMetadata } from './draw-metadata.ts';
import { type ObjectListOptions, drawObjectList } from './draw-object-list.ts';
import { filterNames } from './object-facts.ts';
import {
  type ListedObject,
  type ListedSource,
  type SourceNote,
  bySource,
  isSame,
  nameOf,
  objectRows,
  objectsOf,
} from './object-rows.ts';

/** The first step: choosing the data objects of the graph, of all data sources of the sources file. */
export function drawChooseObjects(
  state: CanvasState,
  view: GraphView,
  hands: CanvasHandlers,
  columnsOf: ColumnsOf,
): TemplateResult {
  const { objects, metadataOf } = state;
  const { actions } = hands;
  const lists = objectLists(state, view);
  const shown = metadataOf === undefined ? undefined : lists.all.find((each) => isSame(each, metadataOf));
  return html`<section id="choose" aria-label=${t('Choose data objects')}>
    <div class="lists">
      ${drawLists(lists, state, view, hands)}
      ${shown && metadataOf ? drawMetadata(shown, columnsOf, () => actions.showMetadata(undefined)) : nothing}
    </div>
    <footer>
      ${objects.kind === 'known' && objects.incomplete ? html`<p class="muted clip">${icon('warning')} ${objects.incomplete}</p>` : nothing}
      ${button(html`${t('Next')} ${icon('arrow-right')}`, () => actions.goToStep('build'), {
        appearance: 'primary',
        id: 'next',
        disabled: view.dataObjects.length === 0,
        title:
          view.dataObjects.length === 0
            ? t('Choose at least one data object first')
            : t('Build elements and relationships'),
      })}
    </footer>
  </section>`;
}

/** The data objects of all read sources, and of both lists, with what their filters leave of them. */
interface ObjectLists {
  readonly all: readonly ListedObject[];
  readonly available: ObjectList;
  readonly selected: ObjectList;
}

interface ObjectList extends Pick<ObjectListOptions, 'items' | 'total' | 'filter'> {
  readonly shown: readonly ListedObject[];
}

function objectLists(state: CanvasState, view: GraphView): ObjectLists {
  const { objects, otherSources, filters, expanded } = state;
  const known = objects.kind === 'known' ? objects.objects : [];
  const all: readonly ListedObject[] = [...known, ...otherSources.flatMap(objectsOfOther)];
  const selected = view.dataObjects.map(
    (object) => all.find((each) => isSame(each, object)) ?? unknownObject(object, isRead(state, object)),
  );
  const chosen = new Set(view.dataObjects.map(keyOfObject));
  const available = all.filter((object) => !chosen.has(keyOfObject(object)));
  const isBySource = {
    available: otherSources.length > 0,
    selected: selected.some(({ dataSource }) => dataSource !== undefined),
  };
  const listed = (
    list: 'available' | 'selected',
    its: readonly ListedObject[],
    sources: readonly ListedSource[],
  ): ObjectList => {
    const filter = filters[list] ?? '';
    const items = isBySource[list] ? { rows: objectRows(sources, filter, expanded[list]) } : filterNames(its, filter);
    return { items, total: its.length, filter, shown: shownIn(items) };
  };
  return {
    all,
    available: listed('available', available, availableSources(state, view, available)),
    selected: listed('selected', selected, selectedSources(selected, view)),
  };
}

/** Both lists, with the buttons between them. */
function drawLists(
  { available, selected }: ObjectLists,
  state: CanvasState,
  view: GraphView,
  hands: CanvasHandlers,
): TemplateResult {
  const { edits, actions } = hands;
  const locked = state.stale !== undefined;
  const add = (added: readonly DataObjectName[]): void =>
    void edits.selectObjects([...view.dataObjects, ...added.map(nameOf)]);
  const remove = (removed: readonly DataObjectName[]): void => {
    const gone = new Set(removed.map(keyOfObject));
    void edits.selectObjects(view.dataObjects.filter((object) => !gone.has(keyOfObject(object))));
  };
  return html`${drawObjectList({
      ...available,
      id: 'available',
      title: t('Available Data Objects'),
      empty: drawNoneAvailable(state, view, hands),
      filterLabel: t('Filter Available Data Objects'),
      move: { verb: t('Add'), label: (name) => t('Add {0}', name), icon: 'add', run: (object) => add([object]) },
      locked,
      onFilter: (text) => actions.filter('available', text),
      onInfo: actions.showMetadata,
      onDrop: (object) => remove([object]),
      onExpand(source, expanded) {
        actions.expandSource('available', source.name, expanded);
        // Opening a source asks for its data objects.
        if (expanded && source.note?.kind === 'unread') edits.readSource(source.name);
      },
      onRead: ({ name }) => (name === view.dataSource ? edits.catalog.load(true) : edits.readSource(name)),
      onStop: ({ name }) => (name === view.dataSource ? edits.catalog.stop() : edits.stopSource(name)),
    })}
    <div class="between" role="group" aria-label=${t('All objects')}>
      ${button(html`${t('Add All')} ${icon('chevron-right')}`, () => add(available.shown), {
        disabled: locked || available.shown.length === 0,
        title: t('Add all that are shown'),
      })}
      ${button(html`${icon('chevron-left')} ${t('Remove All')}`, () => remove(selected.shown), {
        disabled: locked || selected.shown.length === 0,
        title: t('Remove all that are shown'),
      })}
    </div>
    ${drawObjectList({
      ...selected,
      id: 'selected',
      title: t('Selected Data Objects'),
      empty: html`<p class="muted empty">${t('None yet. Add the data objects that hold your records.')}</p>`,
      filterLabel: t('Filter Selected Data Objects'),
      move: {
        verb: t('Remove'),
        label: (name) => t('Remove {0}', name),
        icon: 'remove',
        run: (object) => remove([object]),
      },
      locked,
      onFilter: (text) => actions.filter('selected', text),
      onInfo: actions.showMetadata,
      onDrop: (object) => add([object]),
      onExpand: ({ name }, expanded) => actions.expandSource('selected', name, expanded),
    })}`;
}

function shownIn(items: ObjectListOptions['items']): readonly ListedObject[] {
  return 'rows' in items ? objectsOf(items.rows) : items;
}

function objectsOfOther({ dataSource, catalog }: OtherSourceView): readonly ListedObject[] {
  return catalog?.ok ? catalog.value.objects.map((object) => ({ ...object, dataSource })) : [];
}

/** The data source of the file comes first. It is open, and so are the other data sources that the graph names. */
function availableSources(
  { objects, otherSources, readingSources }: CanvasState,
  view: GraphView,
  available: readonly ListedObject[],
): readonly ListedSource[] {
  const main = view.dataSource ?? '';
  const own = available.filter(({ dataSource }) => dataSource === undefined);
  return [
    { name: main, objects: own, isOpen: true, ...withNote(mainNote(objects)) },
    ...otherSources.map(({ dataSource, kind, isNamed, catalog }): ListedSource => {
      const reading = readingSources.find((each) => each.dataSource === dataSource);
      const note: SourceNote = reading
        ? readingNote(reading)
        : catalog === undefined
          ? { kind: 'unread' }
          : catalog.ok
            ? emptyNote(catalog.value.objects.length)
            : { kind: 'failed', error: catalog.error };
      const objectsHere = available.filter((object) => object.dataSource === dataSource);
      return { name: dataSource, kind, objects: objectsHere, isOpen: isNamed, note };
    }),
  ];
}

function withNote(note: SourceNote | undefined): { readonly note?: SourceNote } {
  return note ? { note } : {};
}

function mainNote(objects: ObjectsState): SourceNote | undefined {
  switch (objects.kind) {
    case 'known':
      return emptyNote(objects.objects.length);
    case 'unknown':
      return { kind: 'reading' };
    case 'loading':
      return readingNote(objects);
    case 'failed':
      return { kind: 'failed', error: objects.error };
  }
}

function readingNote({ since, step }: { readonly since: number; readonly step?: string | undefined }): SourceNote {
  return { kind: 'reading', since, step };
}

function emptyNote(count: number): SourceNote {
  return { kind: 'empty', words: count === 0 ? t('The data source has no data objects.') : t('All are selected.') };
}

function selectedSources(selected: readonly ListedObject[], view: GraphView): readonly ListedSource[] {
  return bySource(selected, view.dataSource ?? '').map((source) => ({ ...source, isOpen: true }));
}

function drawNoneAvailable({ objects }: CanvasState, view: GraphView, hands: CanvasHandlers): TemplateResult {
  const { edits, actions } = hands;
  if (objects.kind !== 'known') return html`${drawReading(objects, view.dataSource, edits.catalog, actions.goToFile)}`;
  return html`<p class="muted empty">
    ${objects.objects.length === 0 ? t('The data source has no data objects.') : t('All are selected.')}
  </p>`;
}

/** Whether the data source of a data object was read. */
function isRead({ objects, otherSources }: CanvasState, { dataSource }: DataObjectName): boolean {
  if (dataSource === undefined) return objects.kind === 'known';
  return otherSources.find((each) => each.dataSource === dataSource)?.catalog?.ok === true;
}

/** An unread source has no missing objects. */
function unknownObject(object: DataObjectName, isKnown: boolean): ListedObject {
  const unknownBecause = isKnown ? t('not found in the source') : t('not known yet');
  return { ...object, unknownBecause, columnCount: 0, key: [] };
}
