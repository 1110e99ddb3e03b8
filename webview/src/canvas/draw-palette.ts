import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { unseen } from '../ui/unseen.ts';
import type { CanvasHands } from './canvas-edits.ts';
import type { CanvasState } from './canvas-state.ts';
import { filterNames, objectFacts } from './object-facts.ts';

/** Data type of a dragged data object. */
export const objectDragType = 'application/x-entity-graph-object';

/** The selected data objects; dragging or Enter adds them as elements. */
export function drawPalette(state: CanvasState, view: GraphView, { actions, edits }: CanvasHands): TemplateResult {
  const { paletteOpen, filters, objects, stale } = state;
  if (!paletteOpen) {
    return html`<button
      id="palette-toggle"
      class="action"
      title=${t('Show Data Objects')}
      aria-label=${t('Show Data Objects')}
      aria-expanded="false"
      @click=${actions.togglePalette}
    >
      ${icon('layout-sidebar-left')}
    </button>`;
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
      <button
        class="action"
        title=${t('Choose Data Objects')}
        aria-label=${t('Choose Data Objects')}
        @click=${() => actions.goToStep('choose')}
      >
        ${icon('checklist')}
      </button>
      <button
        class="action"
        title=${t('Hide')}
        aria-label=${t('Hide Data Objects')}
        aria-expanded="true"
        @click=${actions.togglePalette}
      >
        ${icon('chevron-left')}
      </button>
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
          html`<li>
            <button
              class="palette-object"
              draggable=${stale ? 'false' : 'true'}
              ?disabled=${stale !== undefined}
              title=${`${object ? `${objectFacts(object)}. ` : ''}${t('Drag it onto the canvas, or press Enter, for a new element')}`}
              @dragstart=${(event: DragEvent) => event.dataTransfer?.setData(objectDragType, name)}
              @click=${() => edits.addElement(name)}
            >
              ${icon('table')}<span class="clip">${name}</span
              >${used.has(name) ? html`<span class="used">${icon('check')}</span>${unseen(`, ${t('in use')}`)}` : nothing}
            </button>
          </li>`,
      )}
    </ul>
    ${
      items.length === 0
        ? html`<div class="empty">
            <p class="muted">${t('No data objects are selected yet.')}</p>
            <button class="button quiet small" @click=${() => actions.goToStep('choose')}>
              ${t('Choose Data Objects')}
            </button>
          </div>`
        : nothing
    }
  </aside>`;
}
