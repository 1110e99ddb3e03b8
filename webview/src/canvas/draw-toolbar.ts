import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import { type CanvasActions, type CanvasState, isEmpty } from './canvas-state.ts';
import { zoomStep } from './viewport.ts';

/** Name and size of the graph on the left, what changes the view on the right. */
export function drawToolbar(state: CanvasState, view: GraphView, actions: CanvasActions): TemplateResult {
  const problems = countProblems(view);
  const name = view.name || 'Unnamed Entity Graph';
  return html`<header class="toolbar">
    <h1 class="clip" title=${name}>${name}</h1>
    <p class="muted clip">
      ${count(view.elements.length, 'element')} ·
      ${count(view.relationships.length, 'relationship')}${
        view.dataSource === undefined ? nothing : html` · ${view.dataSource}`
      }
    </p>
    ${problems > 0 ? html`<p class="problems">${exclamationMark()} ${count(problems, 'to configure', 'to configure')}</p>` : nothing}
    ${isEmpty(view) ? nothing : drawTools(state, actions)}
  </header>`;
}

function drawTools(state: CanvasState, actions: CanvasActions): TemplateResult {
  const zoom = Math.round(state.viewport.zoom * 100);
  return html`<div class="tools" role="toolbar" aria-label="View">
    <button
      class="action"
      aria-pressed=${state.grid ? 'true' : 'false'}
      title="Show Grid (G)"
      aria-label="Show Grid"
      @click=${actions.toggleGrid}
    >
      ${icon('gripper')}
    </button>
    <button class="action" title="Fit (F)" aria-label="Fit" @click=${actions.fit}>${icon('screen-full')}</button>
    <span class="separator" aria-hidden="true"></span>
    <button class="action" title="Zoom Out (−)" aria-label="Zoom Out" @click=${() => actions.zoomBy(1 / zoomStep)}>
      ${icon('zoom-out')}
    </button>
    <button
      class="action zoom"
      title="Reset Zoom (0)"
      aria-label=${`Reset Zoom, now ${zoom} %`}
      @click=${actions.resetZoom}
    >
      ${zoom} %
    </button>
    <button class="action" title="Zoom In (+)" aria-label="Zoom In" @click=${() => actions.zoomBy(zoomStep)}>
      ${icon('zoom-in')}
    </button>
  </div>`;
}

function countProblems({ elements, relationships }: GraphView): number {
  const unconfigured = elements.filter((element) => element.unconfigured !== undefined).length;
  return unconfigured + relationships.filter(({ draft }) => draft !== undefined).length;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
