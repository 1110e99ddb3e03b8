import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import type { CanvasHands } from './canvas-edits.ts';
import { type CanvasState, isEmpty } from './canvas-state.ts';
import { zoomStep } from './viewport.ts';

/** What draws on the left, the name and size of the graph beside it, what changes the view on the right. */
export function drawToolbar(state: CanvasState, view: GraphView, hands: CanvasHands): TemplateResult {
  const problems = countProblems(view);
  const name = view.name || 'Unnamed Entity Graph';
  return html`<header class="toolbar">
    ${state.step === 'build' ? drawDrawingButton(state, view, hands) : nothing}
    <h1 class="clip" title=${name}>${name}</h1>
    <p class="muted clip">
      ${count(view.elements.length, 'element')} ·
      ${count(view.relationships.length, 'relationship')}${
        view.dataSource === undefined ? nothing : html` · ${view.dataSource}`
      }
    </p>
    ${problems > 0 ? html`<p class="problems">${exclamationMark()} ${count(problems, 'to configure', 'to configure')}</p>` : nothing}
    ${state.step === 'choose' ? drawBackButton(view, hands) : isEmpty(view) ? nothing : drawTools(state, hands)}
  </header>`;
}

function drawDrawingButton({ drawing, stale }: CanvasState, view: GraphView, { actions }: CanvasHands): TemplateResult {
  const title = drawing
    ? 'Stop drawing relationships (Escape)'
    : 'Drag from the source element to the target element (R)';
  return html`<button
    class="action labelled"
    id="add-relationships"
    aria-pressed=${drawing ? 'true' : 'false'}
    ?disabled=${stale !== undefined || view.elements.length === 0}
    title=${title}
    @click=${drawing ? actions.stopDrawing : actions.startDrawing}
  >
    ${icon('type-hierarchy')} <span>Add Data Relationships</span>
  </button>`;
}

function drawBackButton(view: GraphView, { actions }: CanvasHands): TemplateResult | typeof nothing {
  if (isEmpty(view)) return nothing;
  return html`<div class="tools">
    <button class="action labelled" @click=${() => actions.goToStep('build')}>
      ${icon('arrow-left')} Back to Canvas
    </button>
  </div>`;
}

function drawTools(state: CanvasState, { actions, edits }: CanvasHands): TemplateResult {
  const zoom = Math.round(state.viewport.zoom * 100);
  return html`<div class="tools" role="toolbar" aria-label="View">
    <button class="action" title="Find (Ctrl+F)" aria-label="Find" @click=${() => actions.find('')}>
      ${icon('search')}
    </button>
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
    <button class="action" title="Arrange: place everything anew" aria-label="Arrange" @click=${edits.arrange}>
      ${icon('layout')}
    </button>
    <button
      class="action"
      title="More Actions"
      aria-label="More Actions"
      aria-haspopup="menu"
      @click=${(event: MouseEvent) => {
        const { left, bottom } = (event.currentTarget as Element).getBoundingClientRect();
        actions.openMenu({ x: left, y: bottom });
      }}
    >
      ${icon('ellipsis')}
    </button>
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
