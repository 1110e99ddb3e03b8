import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { icon } from '../ui/icons.ts';
import { type CanvasActions, type CanvasState, isEmpty } from './canvas-state.ts';
import { drawEmptyGraph } from './draw-empty-graph.ts';
import { drawPicture } from './draw-picture.ts';
import { drawToolbar } from './draw-toolbar.ts';
import { keyboardHandler } from './keyboard-input.ts';
import { pointerHandlers } from './pointer-input.ts';

/** The whole page: toolbar, banners, and the picture or what stands in for it. */
export function drawCanvas(state: CanvasState, actions: CanvasActions): TemplateResult {
  const { view } = state;
  return html`
    ${view ? drawToolbar(state, view, actions) : nothing}
    <div class="banners">${drawStale(state, actions)} ${drawLayoutFailure(state, actions)}</div>
    ${view && isEmpty(view) ? drawEmptyGraph(state, actions) : drawViewport(state, actions)}
  `;
}

function drawViewport(state: CanvasState, actions: CanvasActions): TemplateResult {
  const { viewport, picture, selected, grid, view } = state;
  const { onPointerDown, onWheel } = pointerHandlers(actions);
  const dots = 20 * viewport.zoom * (viewport.zoom < 0.5 ? 4 : 1);
  return html`<section
    id="viewport"
    class=${grid ? 'grid' : ''}
    tabindex="0"
    aria-label=${`Canvas of ${view?.name || 'the entity graph'}. Arrow keys move it, plus and minus zoom, Tab goes to the elements.`}
    aria-busy=${picture ? 'false' : 'true'}
    .style=${`background-position: ${viewport.x}px ${viewport.y}px; background-size: ${dots}px ${dots}px`}
    @keydown=${keyboardHandler(state, actions)}
    @pointerdown=${onPointerDown}
    @wheel=${onWheel}
  >
    ${
      picture
        ? html`<div
            id="world"
            .style=${`transform: translate(${viewport.x}px, ${viewport.y}px) scale(${viewport.zoom})`}
          >
            ${guard([picture, selected], () => drawPicture(picture, selected, actions))}
          </div>`
        : html`<p class="waiting late muted" role="status">Drawing the entity graph…</p>`
    }
  </section>`;
}

function drawStale({ stale, picture, view }: CanvasState, actions: CanvasActions): TemplateResult | typeof nothing {
  // Without a picture its place tells the same.
  if (!stale || (view && isEmpty(view))) return nothing;
  const shown = view?.syntaxError ? 'what could be read of it' : 'the last version that could be read';
  return html`<div class="banner" id="stale" role="status">
    ${icon('warning')}
    <p>
      <strong>The file cannot be read.</strong> ${stale.message}
      ${picture ? html`<span class="muted">The picture shows ${shown}.</span>` : nothing}
    </p>
    <button class="button quiet small" @click=${() => actions.goToText(stale.range)}>Go to Error</button>
  </div>`;
}

function drawLayoutFailure({ layoutFailure }: CanvasState, actions: CanvasActions): TemplateResult | typeof nothing {
  if (layoutFailure === undefined) return nothing;
  return html`<div class="banner" id="layout-failure" role="alert">
    ${icon('warning')}
    <p><strong>The picture could not be arranged: ${layoutFailure}.</strong> The elements stand in rows instead.</p>
    <button class="button quiet small" @click=${actions.retryLayout}>Try Again</button>
  </div>`;
}
