import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { DataObjectName, DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import { drawReading } from '../catalog/draw-reading.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';
import { screenReaderText } from '../ui/screen-reader-text.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, objectsOfSource } from './canvas-state.ts';
import { filterNames, objectFacts } from './object-facts.ts';
import { bySource } from './object-rows.ts';

/** Data types of a dragged data object: it becomes an element, or master data. */
export const objectDragType = 'application/x-entity-graph-object';
export const masterDataDragType = 'application/x-entity-graph-master-data';

/** The selected data objects: dragging or Enter adds them as elements, their button or dragging it adds master data; a menu has both. */
export function drawPalette(
  state: CanvasState,
  view: GraphView,
  page: PalettePage,
  { actions, edits }: CanvasHandlers,
): TemplateResult {
  const { paletteOpen, filters, stale } = state;
  if (!paletteOpen) {
    return button(icon('layout-sidebar-left'), actions.togglePalette, {
      id: 'palette-toggle',
      appearance: 'icon',
      title: t('Show Data Objects'),
      label: t('Show Data Objects'),
      expanded: false,
    });
  }
  // A source that was not read yet is nothing to mend.
  const isFailed = state.objects.kind === 'failed' && state.objects.error.code !== 'catalog-unknown';
  const used = usedObjects(view);
  const known = knownObjectsByName(state);
  const items = view.dataObjects;
  const filter = filters['palette'] ?? '';
  const groups = bySource(filterNames(items, filter), view.dataSource ?? '');
  const ofSeveral = items.some(({ dataSource }) => dataSource !== undefined);
  const opening = state.isOpening
    ? openingRows(
        groups.flatMap(({ objects }) => objects),
        page,
      )
    : undefined;
  const drawRow = (object: DataObjectName, isUnseen = false): unknown => {
    const { name, dataSource } = object;
    const facts = {
      isUsed: used.has(keyOfObject(object)),
      isLocked: stale !== undefined,
      known: known(dataSource).get(name),
      isUnseen,
    };
    // The palette is drawn with each change of the graph, which hardly ever changes this list.
    return guard([name, dataSource, ...Object.values(facts)], () =>
      drawPaletteObject(object, facts, { actions, edits }),
    );
  };
  return html`<aside id="palette" aria-label=${t('Data Objects')}>
    <header>
      <h2>${t('Data Objects')}</h2>
      ${button(icon('checklist'), () => actions.goToStep('choose'), { appearance: 'icon', title: t('Choose Data Objects'), label: t('Choose Data Objects') })}
      ${button(icon('chevron-left'), actions.togglePalette, { appearance: 'icon', title: t('Hide'), label: t('Hide Data Objects'), expanded: true })}
    </header>
    ${isFailed ? drawReading(state.objects, view.dataSource, edits.catalog, actions.goToFile) : nothing}
    ${
      items.length > 8
        ? html`<input
            class="input filter"
            type="search"
            placeholder=${t('Filter')}
            aria-label=${t('Filter data objects')}
            .value=${filter}
            @input=${(event: Event) => actions.filter('palette', (event.target as HTMLInputElement).value)}
          />`
        : nothing
    }
    <ul>
      ${groups.map(
        (group) => html`
          ${ofSeveral ? html`<li class="palette-source clip" title=${group.name}>${group.name}</li>` : nothing}
          ${group.objects.filter((object) => opening?.inSight.has(object) ?? true).map((object) => drawRow(object))}
        `,
      )}
      ${opening?.widest ? drawRow(opening.widest, true) : nothing}
    </ul>
    ${
      items.length === 0 && !state.stale
        ? html`<div class="empty">
            <p class="muted">${t('No data objects are selected yet.')}</p>
            ${button(t('Choose Data Objects'), () => actions.goToStep('choose'), { appearance: 'small' })}
          </div>`
        : nothing
    }
  </aside>`;
}

/** The page that the palette is drawn on. */
interface PalettePage {
  readonly height: number;
  readonly text: TextMetrics;
}

/** Of headings, in pixels; those of data objects are higher. */
const leastRowHeight = 22;

/**
 * The rows that can be in sight, and the one with the longest name if it is not among them: it decides about the width
 * of the palette, so that this does not change when the others are drawn.
 */
function openingRows(
  objects: readonly DataObjectName[],
  { height, text }: PalettePage,
): { readonly inSight: ReadonlySet<DataObjectName>; readonly widest: DataObjectName | undefined } {
  const inSight = new Set(objects.slice(0, Math.ceil(height / leastRowHeight)));
  let widest: DataObjectName | undefined;
  let most = 0;
  for (const object of objects) {
    const width = text.width(object.name, 'normal');
    if (width <= most) continue;
    most = width;
    widest = object;
  }
  return { inSight, widest: widest && inSight.has(widest) ? undefined : widest };
}

/** The data objects that elements and cross tables use. */
function usedObjects({ elements, relationships, dataSource: main }: GraphView): ReadonlySet<string> {
  const keyOf = (name: string | undefined, dataSource: string | undefined): readonly string[] =>
    name === undefined
      ? []
      : [keyOfObject({ name, ...(dataSource === undefined || dataSource === main ? {} : { dataSource }) })];
  return new Set([
    ...elements.flatMap(({ dataObject, dataSource }) => keyOf(dataObject, dataSource)),
    ...relationships.flatMap(({ crossTable, crossTableSource }) => keyOf(crossTable, crossTableSource)),
  ]);
}

/** The known data objects of a data source by name. */
function knownObjectsByName(
  state: CanvasState,
): (dataSource: string | undefined) => ReadonlyMap<string, DataObjectView> {
  const maps = new Map<string | undefined, ReadonlyMap<string, DataObjectView>>();
  return (dataSource) => {
    const before = maps.get(dataSource);
    if (before) return before;
    const byName = new Map(objectsOfSource(state, dataSource).map((object) => [object.name, object]));
    maps.set(dataSource, byName);
    return byName;
  };
}

interface ObjectFacts {
  readonly isUsed: boolean;
  /** Disables all changes. */
  readonly isLocked: boolean;
  readonly known: DataObjectView | undefined;
  /** It only has the width of its name. */
  readonly isUnseen: boolean;
}

function drawPaletteObject(
  object: DataObjectName,
  { isUsed, isLocked, known, isUnseen }: ObjectFacts,
  { actions, edits }: CanvasHandlers,
): TemplateResult {
  const { name } = object;
  return html`<li
    class=${isUnseen ? 'palette-width' : nothing}
    data-object=${keyOfObject(object)}
    @dragstart=${(event: DragEvent) => drag(event, object)}
    @contextmenu=${(event: MouseEvent) => openObjectMenu(event, object, actions)}
    @keydown=${(event: KeyboardEvent) => openMenuByKey(event, object, actions)}
  >
    ${button(
      html`${icon(isUsed ? 'check' : 'table')}<span class="clip">${name}</span
        >${isUsed ? screenReaderText(`, ${t('in use')}`) : nothing}`,
      ({ shiftKey }) => (shiftKey ? edits.addMasterData(object) : edits.addElement(object)),
      {
        appearance: 'bare',
        className: 'palette-object',
        draggable: !isLocked,
        disabled: isLocked,
        title: `${known ? `${objectFacts(known)}. ` : ''}${t('Drag it onto the canvas, or press Enter, for a new element; Shift+Enter for master data')}`,
      },
    )}
    ${button(icon('database'), () => edits.addMasterData(object), {
      appearance: 'icon',
      className: 'palette-master-data',
      draggable: !isLocked,
      disabled: isLocked,
      title: t('Add as master data: objects without events, such as customers. Drag it to where its card should be'),
      label: t('Add {0} as master data', name),
    })}
  </li>`;
}

/** The button for master data is dragged as such. */
function drag(event: DragEvent, object: DataObjectName): void {
  const isMasterData = event.target instanceof Element && event.target.closest('.palette-master-data') !== null;
  event.dataTransfer?.setData(isMasterData ? masterDataDragType : objectDragType, JSON.stringify(object));
}

function openObjectMenu(event: MouseEvent, object: DataObjectName, actions: CanvasActions): void {
  event.preventDefault();
  actions.openObjectMenu({ x: event.clientX, y: event.clientY }, object);
}

function openMenuByKey(event: KeyboardEvent, object: DataObjectName, actions: CanvasActions): void {
  if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
  event.preventDefault();
  const { left, bottom } = (event.target as Element).getBoundingClientRect();
  actions.openObjectMenu({ x: left + 8, y: bottom }, object);
}
