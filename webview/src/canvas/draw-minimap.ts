import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { t } from '../ui/translate.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { CanvasState } from './canvas-state.ts';
import type { Size } from './geometry.ts';
import { minimapPlace } from './minimap-place.ts';
import type { Picture } from './picture.ts';

/** The minimap with the visible section; shown while the drawing is partly hidden. */
export function drawMinimap(state: CanvasState, screen: Size, actions: CanvasActions): TemplateResult | typeof nothing {
  const { picture, viewport, minimap } = state;
  if (!picture || !minimap) return nothing;
  const { bounds } = picture;
  const seen = {
    x: -viewport.x / viewport.zoom,
    y: -viewport.y / viewport.zoom,
    width: screen.width / viewport.zoom,
    height: screen.height / viewport.zoom,
  };
  const allSeen =
    seen.x <= bounds.x &&
    seen.y <= bounds.y &&
    seen.x + seen.width >= bounds.x + bounds.width &&
    seen.y + seen.height >= bounds.y + bounds.height;
  if (allSeen) return nothing;
  const place = minimapPlace(picture, screen, viewport);
  if (!place) return nothing;
  const { size, corner } = place;
  const scale = Math.min(size.width / bounds.width, size.height / bounds.height);
  const go = (event: PointerEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    actions.centreOn({
      x: bounds.x + (event.clientX - box.left) / scale,
      y: bounds.y + (event.clientY - box.top) / scale,
    });
  };
  return html`<svg
    id="minimap"
    role="img"
    aria-label=${t('Overview of the whole canvas')}
    class=${corner}
    width=${size.width}
    height=${size.height}
    preserveAspectRatio="xMinYMin"
    viewBox=${`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
    @pointerdown=${(event: PointerEvent) => {
      event.stopPropagation();
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      go(event);
    }}
    @pointermove=${(event: PointerEvent) => event.buttons === 1 && go(event)}
  >
    ${guard([picture], () => drawCards(picture))}
    <rect
      class="seen"
      x=${seen.x}
      y=${seen.y}
      width=${seen.width}
      height=${seen.height}
      vector-effect="non-scaling-stroke"
    />
  </svg>`;
}

/** Two SVG paths for any number of cards. */
function drawCards({ cards }: Picture): readonly SVGTemplateResult[] {
  const outline = (wrong: boolean): string =>
    cards
      .filter(({ content }) => (content.problem !== undefined) === wrong)
      .map(({ box: { x, y, width, height } }) => `M${x} ${y}h${width}v${height}h${-width}z`)
      .join('');
  return [svg`<path class="mini" d=${outline(false)} />`, svg`<path class="mini wrong" d=${outline(true)} />`];
}
