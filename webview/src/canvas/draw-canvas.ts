import { type TemplateResult, html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, type Stale, isEmpty } from './canvas-state.ts';
import { drawChooseObjects } from './draw-choose-objects.ts';
import { drawComparison } from './draw-comparison.ts';
import { drawFind } from './draw-find.ts';
import { drawImport } from './draw-import.ts';
import { drawMenu } from '../ui/menu.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';
import type { ColumnsOf } from './draw-metadata.ts';
import { drawLegend } from './draw-legend.ts';
import { drawMinimap } from './draw-minimap.ts';
import { drawPalette } from './draw-palette.ts';
import { drawPicture } from './draw-picture.ts';
import { drawSteps } from './draw-steps.ts';
import { drawToolbar } from './draw-toolbar.ts';
import { type Size, centreOf } from './geometry.ts';
import { keyboardHandler } from './keyboard-input.ts';
import { menuItems } from './menu-items.ts';
import { hasNameBoxes, nameBoxes } from './name-boxes.ts';
import { detailAt, gridLines } from './zoom-detail.ts';
import { boxOf } from './picture.ts';
import { pointerHandlers } from './pointer-input.ts';
import { keyOf } from './view-key.ts';
import type { CanvasActions } from './canvas-actions.ts';

/** The page that the canvas is drawn on. */
interface CanvasPage {
  /** Size in pixels, including the palette. */
  readonly width: number;
  readonly height: number;
  /** Size of the drawing area. */
  readonly screen: Size;
  readonly text: TextMetrics;
}

/** The whole page: toolbar, banners, and the current step or its placeholder. */
export function drawCanvas(
  state: CanvasState,
  page: CanvasPage,
  hands: CanvasHandlers,
  columnsOf: ColumnsOf,
): TemplateResult {
  const { view, menu } = state;
  return html`
    ${view ? html`${drawSteps(state, view, hands)} ${drawToolbar(state, view, hands, page)}` : nothing}
    ${view && state.step === 'build' ? nothing : drawBanners(state, hands)} ${drawStep(state, page, hands, columnsOf)}
    ${menu ? drawMenu(menuItems(state, menu.key, hands), menu.at, hands.actions.closeMenu) : nothing}
    <p class="unseen" role="status" aria-live="polite">${state.announcement}</p>
  `;
}

/** Above the drawing, beside the data objects. */
function drawBanners(state: CanvasState, hands: CanvasHandlers): TemplateResult {
  return html`<div class="banners">
    ${drawStale(state, hands)} ${drawLayoutFailure(state, hands)} ${drawFailure(state, hands)}
  </div>`;
}

function drawStep(state: CanvasState, page: CanvasPage, hands: CanvasHandlers, columnsOf: ColumnsOf): TemplateResult {
  const { view, stale } = state;
  if (!view) return drawViewport(state, hands, page.text);
  if (stale && isEmpty(view))
    return html`${state.step === 'build' ? drawBanners(state, hands) : nothing}${drawUnreadable(stale, hands.actions)}`;
  if (state.step === 'choose') return drawChooseObjects(state, view, hands, columnsOf);
  if (state.step === 'import') return drawImport(state, view, hands);
  return html`${drawComparison(state, hands)}
    <div class="build">
      ${guard(paletteParts(state), () => drawPalette(state, view, page, hands))}
      <div class="stage">
        ${drawBanners(state, hands)}
        ${isEmpty(view) ? drawEmpty(state, view, hands) : drawViewport(state, hands, page.text)}
        ${guard([view.elements, state.drawing?.source, state.picture], () => drawTypesLegend(state, view, hands))}
        ${drawFind(state, hands.actions)} ${drawMinimap(state, page.screen, hands.actions)}
      </div>
    </div>`;
}

/** A type of the legend is where a line that is being drawn may end; otherwise its cards are selected. */
function drawTypesLegend({ drawing }: CanvasState, view: GraphView, { edits, actions }: CanvasHandlers) {
  const source = drawing?.source;
  return drawLegend(view, source !== undefined, (type) =>
    source === undefined ? actions.selectType(type) : edits.correlate(source, type),
  );
}

/** All that the palette shows: neither a selection nor moving the canvas draws it again. */
function paletteParts(state: CanvasState): unknown[] {
  const { view, stale, paletteOpen, isOpening, filters, objects, otherSources, readingSources } = state;
  return [view, stale, paletteOpen, isOpening, filters, objects, otherSources, readingSources];
}

/** Drop target for the first data object. */
function drawEmpty(state: CanvasState, view: GraphView, hands: CanvasHandlers): TemplateResult {
  const { onDragOver, onDrop } = pointerHandlers(state, hands);
  const hasObjects = view.dataObjects.length > 0;
  return html`<section
    id="viewport"
    class="nothing"
    tabindex="0"
    aria-label=${t('Empty canvas')}
    @dragover=${onDragOver}
    @drop=${onDrop}
  >
    <div class="instead" id="empty">
      <h2>${hasObjects ? t('Next: add the first element') : t('Next: choose data objects')}</h2>
      <p>
        ${t('An element says what happens to the records of a data object, and when.')}
        ${
          hasObjects
            ? t('Drag a data object from the left onto the canvas, or press Enter on it.')
            : t('Choose the data objects that hold these records first.')
        }
      </p>
      <div class="buttons">
        ${
          hasObjects
            ? view.dataObjects.slice(0, shortcuts).map((object) =>
                button(
                  html`${icon('add')} ${t('Element for {0}', object.name)}`,
                  () => hands.edits.addElement(object),
                  {
                    appearance: 'primary',
                    className: 'add-element',
                  },
                ),
              )
            : button(t('Choose Data Objects'), () => hands.actions.goToStep('choose'), { appearance: 'primary' })
        }
        ${button(html`${icon('go-to-file')} ${t('Go to Text')}`, () => hands.actions.goToText(startOfText))}
      </div>
    </div>
  </section>`;
}

/** Data objects with a button on the empty canvas; the palette has them all. */
const shortcuts = 3;

const startOfText = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function drawViewport(state: CanvasState, hands: CanvasHandlers, text: TextMetrics): TemplateResult {
  const { viewport, picture, selected, also, grid, view, drawing } = state;
  const { onPointerDown, onPointerMove, onWheel, onDragOver, onDrop, onContextMenu } = pointerHandlers(state, hands);
  const name = view?.name ? t('Canvas of {0}.', view.name) : t('Canvas of the entity graph.');
  const lines = gridLines(viewport.zoom);
  const detail = detailAt(viewport.zoom, hasNameBoxes(picture));
  const names = picture && nameBoxes(picture, viewport.zoom, detail, text);
  return html`<section
    id="viewport"
    class=${`${grid ? 'grid' : ''} ${drawing ? 'drawing' : ''}`}
    tabindex="0"
    aria-label=${`${name} ${t('Arrow keys move it, plus and minus zoom, Enter goes to the elements.')}`}
    aria-busy=${picture ? 'false' : 'true'}
    .style=${
      grid
        ? `background-position: ${viewport.x}px ${viewport.y}px; background-size: ${lines.large}px ${lines.large}px, ${lines.large}px ${lines.large}px, ${lines.small}px ${lines.small}px, ${lines.small}px ${lines.small}px`
        : ''
    }
    @keydown=${keyboardHandler(state, hands)}
    @pointerdown=${onPointerDown}
    @pointermove=${onPointerMove}
    @wheel=${onWheel}
    @dragover=${onDragOver}
    @drop=${onDrop}
    @contextmenu=${onContextMenu}
  >
    ${
      picture
        ? html`<div
            id="world"
            class=${detail}
            .style=${`transform: translate(${viewport.x}px, ${viewport.y}px) scale(${viewport.zoom})`}
          >
            ${drawPencil(state)}
            ${guard([picture, selected, also, drawing !== undefined, names], () => drawPicture(state, picture, hands, names))}
          </div>`
        : html`<p class="waiting late muted" role="status">${t('Drawing the entity graph…')}</p>`
    }
  </section>`;
}

/** The line being drawn, which passes below cards, and the selection rectangle. */
function drawPencil({ drawing, marquee, picture }: CanvasState): TemplateResult {
  const source = drawing?.source === undefined ? undefined : boxOf(picture, keyOf.element(drawing.source));
  const from = source && centreOf(source);
  const to = drawing?.to;
  return html`<svg id="pencil" aria-hidden="true" width="1" height="1">
    ${from && to ? svg`<line class="draft" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} />` : nothing}
    ${marquee ? svg`<rect class="marquee" x=${marquee.x} y=${marquee.y} width=${marquee.width} height=${marquee.height} />` : nothing}
  </svg>`;
}

function drawStale(
  { stale, picture, view }: CanvasState,
  { actions }: CanvasHandlers,
): TemplateResult | typeof nothing {
  // Without a drawing its placeholder shows the same text.
  if (!stale || (view && isEmpty(view))) return nothing;
  const shown = view?.syntaxError
    ? t('The picture shows what could be read of it; nothing can be changed in it.')
    : t('The picture shows the last version that could be read; nothing can be changed in it.');
  return html`<div class="banner" id="stale" role="status">
    ${icon('warning')}
    <p>
      <strong>${t('The file cannot be read.')}</strong> ${stale.message}
      ${picture ? html`<span class="muted">${shown}</span>` : nothing}
    </p>
    ${button(t('Go to Error'), () => actions.goToText(stale.range), { appearance: 'small' })}
  </div>`;
}

function drawLayoutFailure(
  { layoutFailure }: CanvasState,
  { actions }: CanvasHandlers,
): TemplateResult | typeof nothing {
  if (layoutFailure === undefined) return nothing;
  return html`<div class="banner" id="layout-failure" role="alert">
    ${icon('warning')}
    <p>
      <strong>${t('The picture could not be arranged: {0}.', layoutFailure)}</strong>
      ${t('The elements are shown in rows instead.')}
    </p>
    ${button(t('Try Again'), actions.retryLayout, { appearance: 'small' })}
  </div>`;
}

function drawFailure({ failure }: CanvasState, { actions }: CanvasHandlers): TemplateResult | typeof nothing {
  if (!failure) return nothing;
  return html`<div class="banner" id="failure" role="alert">
    ${icon('warning')}
    <p>${failure.message}</p>
    ${button(t('Dismiss'), actions.dismissFailure, { appearance: 'small' })}
  </div>`;
}

/** Placeholder until a valid version of the file exists. */
function drawUnreadable({ message, range }: Stale, actions: CanvasActions): TemplateResult {
  return html`<section class="instead" id="unreadable" role="alert">
    <h2>${exclamationMark()} ${t('The file cannot be read')}</h2>
    <p>${message}</p>
    <div class="buttons">
      ${button(html`${icon('go-to-file')} ${t('Go to Error')}`, () => actions.goToText(range), { appearance: 'primary' })}
    </div>
  </section>`;
}
