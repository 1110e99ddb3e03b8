import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHands } from './canvas-edits.ts';
import { type CanvasState, isEmpty } from './canvas-state.ts';
import { zoomStep } from './viewport.ts';

/** Drawing actions on the left, then name and size of the graph, view actions on the right. */
export function drawToolbar(state: CanvasState, view: GraphView, hands: CanvasHands): TemplateResult {
  const problems = countProblems(view);
  const name = view.name || t('Unnamed Entity Graph');
  return html`<header class="toolbar">
    ${state.step === 'build' ? drawDrawingButton(state, view, hands) : nothing}
    <h1 class="clip" title=${name}>${name}</h1>
    <p class="muted clip">
      ${elementCount(view.elements.length)} ·
      ${relationshipCount(view.relationships.length)}${
        view.dataSource === undefined ? nothing : html` · ${view.dataSource}`
      }
    </p>
    ${problems > 0 ? html`<p class="problems">${exclamationMark()} ${t('{0} to configure', inDigits(problems))}</p>` : nothing}
    ${state.step === 'choose' ? drawBackButton(view, hands) : isEmpty(view) ? nothing : drawTools(state, hands)}
  </header>`;
}

function drawDrawingButton({ drawing, stale }: CanvasState, view: GraphView, { actions }: CanvasHands): TemplateResult {
  const title = drawing
    ? t('Stop drawing relationships (Escape)')
    : t('Drag from the source element to the target element (R)');
  return html`<button
    class="action labelled"
    id="add-relationships"
    aria-pressed=${drawing ? 'true' : 'false'}
    ?disabled=${stale !== undefined || view.elements.length === 0}
    title=${title}
    @click=${drawing ? actions.stopDrawing : actions.startDrawing}
  >
    ${icon('type-hierarchy')} <span>${t('Add Data Relationships')}</span>
  </button>`;
}

function drawBackButton(view: GraphView, { actions }: CanvasHands): TemplateResult | typeof nothing {
  if (isEmpty(view)) return nothing;
  return html`<div class="tools">
    <button class="action labelled" @click=${() => actions.goToStep('build')}>
      ${icon('arrow-left')} ${t('Back to Canvas')}
    </button>
  </div>`;
}

function drawTools(state: CanvasState, { actions, edits }: CanvasHands): TemplateResult {
  const zoom = Math.round(state.viewport.zoom * 100);
  return html`<div class="tools" role="toolbar" aria-label=${t('View')}>
    <button class="action" title=${t('Find (Ctrl+F)')} aria-label=${t('Find')} @click=${() => actions.find('')}>
      ${icon('search')}
    </button>
    <button
      class="action"
      aria-pressed=${state.grid ? 'true' : 'false'}
      title=${t('Show Grid (G)')}
      aria-label=${t('Show Grid')}
      @click=${actions.toggleGrid}
    >
      ${icon('gripper')}
    </button>
    <button class="action" title=${t('Fit (F)')} aria-label=${t('Fit')} @click=${actions.fit}>
      ${icon('screen-full')}
    </button>
    <button
      class="action"
      title=${t('Arrange: place everything anew')}
      aria-label=${t('Arrange')}
      @click=${edits.arrange}
    >
      ${icon('layout')}
    </button>
    <button
      class="action"
      title=${t('More Actions')}
      aria-label=${t('More Actions')}
      aria-haspopup="menu"
      @click=${(event: MouseEvent) => {
        const { left, bottom } = (event.currentTarget as Element).getBoundingClientRect();
        actions.openMenu({ x: left, y: bottom });
      }}
    >
      ${icon('ellipsis')}
    </button>
    <span class="separator" aria-hidden="true"></span>
    <button
      class="action"
      title=${t('Zoom Out (−)')}
      aria-label=${t('Zoom Out')}
      @click=${() => actions.zoomBy(1 / zoomStep)}
    >
      ${icon('zoom-out')}
    </button>
    <button
      class="action zoom"
      title=${t('Reset Zoom (0)')}
      aria-label=${t('Reset Zoom, now {0} %', zoom)}
      @click=${actions.resetZoom}
    >
      ${zoom} %
    </button>
    <button
      class="action"
      title=${t('Zoom In (+)')}
      aria-label=${t('Zoom In')}
      @click=${() => actions.zoomBy(zoomStep)}
    >
      ${icon('zoom-in')}
    </button>
  </div>`;
}

function countProblems({ elements, relationships }: GraphView): number {
  const unconfigured = elements.filter((element) => element.unconfigured !== undefined).length;
  return unconfigured + relationships.filter(({ draft }) => draft !== undefined).length;
}

function elementCount(count: number): string {
  return count === 1 ? t('1 element') : t('{0} elements', inDigits(count));
}

function relationshipCount(count: number): string {
  return count === 1 ? t('1 relationship') : t('{0} relationships', inDigits(count));
}

function inDigits(count: number): string {
  return count.toLocaleString('en');
}
