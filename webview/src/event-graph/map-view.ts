import type { ProcessMapView } from '../../../protocol/event-graph.ts';
import { type EventGraphState, shownValue } from './event-graph-state.ts';

/** Texts of a map have 12 pixels: they are read at 9. */
const legible = 0.75;

/** The zoom that shows as much of the map as can be read; undefined without a map that has a place. */
export function fittingZoom(map: ProcessMapView | undefined): number | undefined {
  const picture = document.getElementById('picture');
  if (!map || !picture || picture.clientWidth === 0) return undefined;
  return Math.max(legible, Math.min(1, picture.clientWidth / map.width, picture.clientHeight / drawnHeight(map)));
}

/** Scrolls to the start of a map that does not fit. */
export function showStart(): void {
  document.querySelector('#drawing [data-start]')?.scrollIntoView({ block: 'end', inline: 'center' });
}

/** Size and selection change the existing drawing without rendering it again. */
export function showInDrawing({ map: loaded, zoom, chosen }: EventGraphState): void {
  const map = shownValue(loaded);
  const drawing = document.getElementById('drawing');
  if (!map || !drawing) return;
  drawing.setAttribute('width', String(Math.round(map.width * zoom)));
  drawing.setAttribute('height', String(Math.round(drawnHeight(map) * zoom)));
  drawing.setAttribute('viewBox', `0 ${map.legend.height} ${map.width} ${drawnHeight(map)}`);
  for (const each of drawing.querySelectorAll('.chosen')) each.classList.remove('chosen');
  if (chosen) drawing.querySelector(`[data-${chosen.kind}="${chosen.index}"]`)?.classList.add('chosen');
}

/** The legend stands above the map, so the page leaves it out of the drawing. */
function drawnHeight({ height, legend }: ProcessMapView): number {
  return height - legend.height;
}
