import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { screenReaderText } from '../ui/screen-reader-text.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import type { CanvasState } from './canvas-state.ts';
import { filterNames, objectFacts } from './object-facts.ts';

/** Data types of a dragged data object: it becomes an element, or master data. */
export const objectDragType = 'application/x-entity-graph-object';
export const masterDataDragType = 'application/x-entity-graph-master-data';

/** The selected data objects: dragging or Enter adds them as elements, their button or dragging it adds master data; a menu has both. */
export function drawPalette(state: CanvasState, view: GraphView, { actions, edits }: CanvasHandlers): TemplateResult {
  const { paletteOpen, filters, objects, stale } = state;
  if (!paletteOpen) {
    return button(icon('layout-sidebar-left'), actions.togglePalette, {
      id: 'palette-toggle',
      appearance: 'icon',
      title: t('Show Data Objects'),
      label: t('Show Data Objects'),
      expanded: false,
    });
  }
  const known = objects.kind === 'known' ? objects.objects : [];
  const used = new Set([
    ...view.elements.map(({ dataObject }) => dataObject),
    ...view.relationships.map(({ crossTable }) => crossTable),
  ]);
  const items = view.dataObjects.map((name) => ({ name, object: known.find((each) => each.name === name) }));
  const filter = filters['palette'] ?? '';
  return html`<aside id="palette" aria-label=${t('Data Objects')}>
    <header>
      <h2>${t('Data Objects')}</h2>
      ${button(icon('checklist'), () => actions.goToStep('choose'), { appearance: 'icon', title: t('Choose Data Objects'), label: t('Choose Data Objects') })}
      ${button(icon('chevron-left'), actions.togglePalette, { appearance: 'icon', title: t('Hide'), label: t('Hide Data Objects'), expanded: true })}
    </header>
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
      ${filterNames(items, filter).map(
        ({ name, object }) =>
          html`<li
            data-object=${name}
            @dragstart=${(event: DragEvent) => drag(event, name)}
            @contextmenu=${(event: MouseEvent) => openObjectMenu(event, name, actions)}
            @keydown=${(event: KeyboardEvent) => openMenuByKey(event, name, actions)}
          >
            ${button(
              html`${icon('table')}<span class="clip">${name}</span
                >${used.has(name) ? html`<span class="used">${icon('check')}</span>${screenReaderText(`, ${t('in use')}`)}` : nothing}`,
              ({ shiftKey }) => (shiftKey ? edits.addMasterData(name) : edits.addElement(name)),
              {
                appearance: 'bare',
                className: 'palette-object',
                draggable: !stale,
                disabled: stale !== undefined,
                title: `${object ? `${objectFacts(object)}. ` : ''}${t('Drag it onto the canvas, or press Enter, for a new element; Shift+Enter for master data')}`,
              },
            )}
            ${button(icon('database'), () => edits.addMasterData(name), {
              appearance: 'icon',
              className: 'palette-master-data',
              draggable: !stale,
              disabled: stale !== undefined,
              title: t(
                'Add as master data: objects without events, such as customers. Drag it to where its card should be',
              ),
              label: t('Add {0} as master data', name),
            })}
          </li>`,
      )}
    </ul>
    ${
      items.length === 0
        ? html`<div class="empty">
            <p class="muted">${t('No data objects are selected yet.')}</p>
            ${button(t('Choose Data Objects'), () => actions.goToStep('choose'), { appearance: 'small' })}
          </div>`
        : nothing
    }
  </aside>`;
}

/** The button for master data is dragged as such. */
function drag(event: DragEvent, name: string): void {
  const isMasterData = event.target instanceof Element && event.target.closest('.palette-master-data') !== null;
  event.dataTransfer?.setData(isMasterData ? masterDataDragType : objectDragType, name);
}

function openObjectMenu(event: MouseEvent, name: string, actions: CanvasActions): void {
  event.preventDefault();
  actions.openObjectMenu({ x: event.clientX, y: event.clientY }, name);
}

function openMenuByKey(event: KeyboardEvent, name: string, actions: CanvasActions): void {
  if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
  event.preventDefault();
  const { left, bottom } = (event.target as Element).getBoundingClientRect();
  actions.openObjectMenu({ x: left + 8, y: bottom }, name);
}
