import { type TemplateResult, html, nothing } from 'lit';
import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { virtualList } from '../ui/virtual-list.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import type { CanvasState } from './canvas-state.ts';
import { type ColumnsOf, drawMetadata } from './draw-metadata.ts';
import { filterNames, objectFacts } from './object-facts.ts';

const dragType = 'application/x-entity-graph-choice';

/** The first step: choosing the data objects of the graph. */
export function drawChooseObjects(
  state: CanvasState,
  view: GraphView,
  hands: CanvasHandlers,
  columnsOf: ColumnsOf,
): TemplateResult {
  const { objects, filters, metadataOf } = state;
  const { edits, actions } = hands;
  const known = objects.kind === 'known' ? objects.objects : [];
  const selected = view.dataObjects.map(
    (name) => known.find((each) => each.name === name) ?? unknownObject(name, objects.kind === 'known'),
  );
  const available = known.filter(({ name }) => !view.dataObjects.includes(name));
  const shown = metadataOf === undefined ? undefined : known.find(({ name }) => name === metadataOf);
  const locked = state.stale !== undefined;

  const add = (names: readonly string[]): void => void edits.selectObjects([...view.dataObjects, ...names]);
  const remove = (names: readonly string[]): void => {
    void edits.selectObjects(view.dataObjects.filter((name) => !names.includes(name)));
  };
  const shownAvailable = filterNames(available, filters['available'] ?? '');
  const shownSelected = filterNames(selected, filters['selected'] ?? '');

  return html`<section id="choose" aria-label=${t('Choose data objects')}>
    <div class="lists">
      ${drawList({
        id: 'available',
        title: t('Available Data Objects'),
        items: shownAvailable,
        total: available.length,
        filter: filters['available'] ?? '',
        empty: drawNoneAvailable(state, view, hands),
        filterLabel: t('Filter Available Data Objects'),
        move: { verb: t('Add'), label: (name) => t('Add {0}', name), icon: 'add', run: (name) => add([name]) },
        locked,
        onFilter: (text) => actions.filter('available', text),
        onInfo: (name) => actions.showMetadata(name),
        onDrop: (name) => remove([name]),
      })}
      <div class="between" role="group" aria-label=${t('All objects')}>
        ${button(html`${t('Add All')} ${icon('chevron-right')}`, () => add(shownAvailable.map(({ name }) => name)), {
          disabled: locked || shownAvailable.length === 0,
          title: t('Add all that are shown'),
        })}
        ${button(
          html`${icon('chevron-left')} ${t('Remove All')}`,
          () => remove(shownSelected.map(({ name }) => name)),
          { disabled: locked || shownSelected.length === 0, title: t('Remove all that are shown') },
        )}
      </div>
      ${drawList({
        id: 'selected',
        title: t('Selected Data Objects'),
        items: shownSelected,
        total: selected.length,
        filter: filters['selected'] ?? '',
        empty: html`<p class="muted empty">${t('None yet. Add those that hold your records.')}</p>`,
        filterLabel: t('Filter Selected Data Objects'),
        move: {
          verb: t('Remove'),
          label: (name) => t('Remove {0}', name),
          icon: 'remove',
          run: (name) => remove([name]),
        },
        locked,
        onFilter: (text) => actions.filter('selected', text),
        onInfo: (name) => actions.showMetadata(name),
        onDrop: (name) => add([name]),
      })}
      ${shown ? drawMetadata(shown, columnsOf, () => actions.showMetadata(undefined)) : nothing}
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

interface ListOptions {
  readonly id: 'available' | 'selected';
  readonly title: string;
  readonly items: readonly ListedObject[];
  readonly total: number;
  readonly filter: string;
  readonly empty: TemplateResult;
  readonly filterLabel: string;
  readonly move: Move;
  /** Shown while the file is unreadable. */
  readonly locked: boolean;
  onFilter(text: string): void;
  onInfo(name: string): void;
  onDrop(name: string): void;
}

/** Button that moves a data object to the other list. */
interface Move {
  readonly verb: string;
  readonly icon: string;
  /** The same with the name of the data object as label. */
  label(name: string): string;
  run(name: string): void;
}

function drawList(options: ListOptions): TemplateResult {
  const { id, title, items, total, filter, filterLabel, empty, onFilter, onDrop } = options;
  return html`<section
    class="object-list"
    aria-label=${title}
    @dragover=${(event: DragEvent) => {
      if (event.dataTransfer?.types.includes(`${dragType}-${id === 'available' ? 'selected' : 'available'}`))
        event.preventDefault();
    }}
    @drop=${(event: DragEvent) => {
      const name = event.dataTransfer?.getData(`${dragType}-${id === 'available' ? 'selected' : 'available'}`);
      if (name) onDrop(name);
      event.preventDefault();
    }}
  >
    <h2>${title} <span class="muted">${total.toLocaleString('en')}</span></h2>
    <input
      class="input filter"
      type="search"
      placeholder=${t('Filter')}
      aria-label=${filterLabel}
      .value=${filter}
      @input=${(event: Event) => onFilter((event.target as HTMLInputElement).value)}
    />
    ${items.length === 0 && filter === '' ? empty : virtualList(title, items, (object) => drawObject(object, options), 40)}
  </section>`;
}

function drawObject(object: ListedObject, { id, move, locked, onInfo }: ListOptions): TemplateResult {
  const { name } = object;
  return html`<div
    class="object"
    draggable=${locked ? 'false' : 'true'}
    @dragstart=${(event: DragEvent) => event.dataTransfer?.setData(`${dragType}-${id}`, name)}
    @dblclick=${() => !locked && move.run(name)}
  >
    ${icon('table')}
    <span class="names"><span class="clip">${name}</span><span class="muted clip">${objectFacts(object)}</span></span>
    ${button(icon('info'), () => onInfo(name), { appearance: 'icon', title: t('Metadata'), label: t('Metadata of {0}', name) })}
    ${button(icon(move.icon), () => move.run(name), {
      appearance: 'icon',
      disabled: locked,
      title: locked ? t('The file cannot be read at the moment.') : move.verb,
      label: move.label(name),
    })}
  </div>`;
}

function drawNoneAvailable({ objects }: CanvasState, view: GraphView, { edits }: CanvasHandlers): TemplateResult {
  if (objects.kind === 'loading' || objects.kind === 'unknown') {
    return html`<p class="muted empty late" role="status">
      ${
        view.dataSource === undefined
          ? t('Reading the data objects of the data source…')
          : t('Reading the data objects of {0}…', view.dataSource)
      }
    </p>`;
  }
  if (objects.kind === 'failed') {
    return html`<div class="empty" role="alert">
      <p>${icon('warning')} ${objects.error.message} ${objects.error.remedy ?? ''}</p>
      ${button(objects.error.code === 'catalog-unknown' ? t('Read Data Objects') : t('Try Again'), () => edits.loadObjects(true))}
    </div>`;
  }
  return html`<p class="muted empty">
    ${objects.objects.length === 0 ? t('The data source has no data objects.') : t('All are selected.')}
  </p>`;
}

/** A data object of the source, or a selected one that is unknown, with the reason instead of its kind. */
type ListedObject = Omit<DataObjectView, 'kind'> & { readonly kind: string };

/** An unread source has no missing objects. */
function unknownObject(name: string, isRead: boolean): ListedObject {
  return { name, kind: isRead ? t('not found in the source') : t('not known yet'), columnCount: 0, key: [] };
}
