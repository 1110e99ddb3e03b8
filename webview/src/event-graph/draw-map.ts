import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { MapMeasure, PathMeasure, ProcessMapView } from '../../../protocol/event-graph.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawChosen, measureNames } from './draw-map-details.ts';
import { whenLoaded } from './draw-parts.ts';
import { panByDragging } from './map-pan.ts';
import { drawSplitter } from './side-splitter.ts';
import { type EventGraphActions, type EventGraphState, type MenuSubject, shownValue } from './event-graph-state.ts';

/** The process map with its sliders, and details of the selected activity or path. */
export function drawMapTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return whenLoaded(state.map, actions, (map) =>
    map.nodes.length === 0
      ? drawNoEvents(state, actions)
      : html`<div class="map">
          <div class="drawn">
            ${drawLegend(map)}
            <div
              id="picture"
              tabindex="0"
              role="group"
              aria-label=${t('Process map. Arrow keys go from activity to activity, Enter opens the menu of one.')}
              @click=${(event: Event) => actions.choose(partAt(event))}
              @pointerdown=${panByDragging}
              @contextmenu=${(event: MouseEvent) => openMenuAt(event, map, actions)}
              @keydown=${(event: KeyboardEvent) => walk(event, map, state, actions)}
              @wheel=${(event: WheelEvent) => zoomByWheel(event, actions)}
            >
              ${guard([map.svg], () => unsafeSvg(map.svg))}
            </div>
          </div>
          ${drawSplitter(state.sideWidth, actions.widenSide)}
          <aside class="side" .style=${state.sideWidth === undefined ? '' : `--side: ${state.sideWidth}px`}>
            ${drawControls(state, map, actions)} ${drawChosen(state, map, actions)}
          </aside>
        </div>`,
  );
}

function drawNoEvents({ overview }: EventGraphState, actions: EventGraphActions): TemplateResult {
  const isEmpty = shownValue(overview)?.totals.events === 0;
  return html`<section class="instead" id="no-events">
    <h2>${t('No events')}</h2>
    <p>${isEmpty ? t('The import found no events. Its notes say why.') : t('No entity matches the filter.')}</p>
    <div class="buttons">
      ${isEmpty ? button(t('Data Quality'), () => actions.show('quality')) : button(t('Clear Filter'), actions.clearFilter)}
    </div>
  </section>`;
}

/** The server escapes every text in the drawing. */
function unsafeSvg(svg: string): TemplateResult {
  // The directive expects the content of an SVG element; the drawing is the element itself.
  return html`<svg id="drawing" xmlns="http://www.w3.org/2000/svg">${unsafeSVG(svg)}</svg>`;
}

function drawControls(
  { mapParams, zoom }: EventGraphState,
  map: ProcessMapView,
  actions: EventGraphActions,
): TemplateResult {
  const { activities, paths, measure } = map;
  const shareOf = ({ shown, all }: { shown: number; all: number }): number => (all === 0 ? 1 : shown / all);
  return html`<div class="controls">
    ${drawPathMeasures(mapParams.pathMeasure ?? 'count', actions)}
    ${measure === undefined ? nothing : drawMeasures(mapParams.measure ?? measure, actions)}
    ${slider(
      t('Activities'),
      t('{0} of {1}', activities.shown, activities.all),
      mapParams.activities ?? shareOf(activities),
      (share) => actions.setMap({ activities: share }),
    )}
    ${slider(t('Paths'), t('{0} of {1}', paths.shown, paths.all), mapParams.paths ?? shareOf(paths), (share) =>
      actions.setMap({ paths: share }),
    )}
    <div class="some-paths" role="group" aria-label=${t('Paths shown')}>
      ${button(t('Main Paths'), () => actions.setMap({ activities: 1, paths: 0 }), {
        appearance: 'small',
        id: 'main-paths',
        title: t('All activities, and the most frequent paths that lead to each'),
      })}
      ${button(t('All Paths'), () => actions.setMap({ activities: 1, paths: 1 }), {
        appearance: 'small',
        id: 'all-paths',
        title: t('All activities and all paths'),
      })}
    </div>
    <label class="check">
      <input
        type="checkbox"
        .checked=${mapParams.lifecycle ?? false}
        @change=${(event: Event) => actions.setMap({ lifecycle: (event.target as HTMLInputElement).checked })}
      />
      ${t('Tell start and change apart')}
    </label>
    <div class="zoom" role="group" aria-label=${t('Zoom')}>
      ${button(icon('zoom-out'), () => actions.zoomBy(0.8), { appearance: 'icon', title: t('Zoom out (-)'), label: t('Zoom out') })}
      <span>${Math.round(zoom * 100)} %</span>
      ${button(icon('zoom-in'), () => actions.zoomBy(1.25), { appearance: 'icon', title: t('Zoom in (+)'), label: t('Zoom in') })}
      ${button(icon('screen-full'), () => actions.zoomBy(0), { appearance: 'icon', title: t('Fit (F)'), label: t('Fit') })}
    </div>
  </div>`;
}

const pathMeasureNames: Readonly<Record<PathMeasure, string>> = {
  count: t('Count'),
  median: t('Median'),
  p90: t('90 %'),
  total: t('Total'),
};
const pathMeasureHints: Readonly<Record<PathMeasure, string>> = {
  count: t('Wide paths are frequent'),
  median: t('Wide and coloured paths have a long median time'),
  p90: t('On wide and coloured paths, 90 % take long'),
  total: t('Wide and coloured paths take most of the time of all entities together'),
};

/** What width, colour and label of paths show. */
function drawPathMeasures(chosen: PathMeasure, actions: EventGraphActions): TemplateResult {
  return html`<div class="path-measures" role="group" aria-label=${t('Paths show')}>
    <span aria-hidden="true">${t('Paths show')}</span>
    <div class="choices">
      ${(Object.keys(pathMeasureNames) as PathMeasure[]).map((measure) =>
        button(pathMeasureNames[measure], () => actions.setMap({ pathMeasure: measure }), {
          appearance: 'small',
          id: `paths-${measure}`,
          pressed: measure === chosen,
          title: pathMeasureHints[measure],
        }),
      )}
    </div>
  </div>`;
}

/** Says what the numbers on the map count, and what the map omits. The legend of the drawing could be scrolled out of view. */
function drawLegend({ legend, colours, scale }: ProcessMapView): TemplateResult {
  return html`<section class="legend muted" aria-label=${t('Legend')}>
    ${legend.sentences.map((sentence) => html`<span>${sentence}</span>`)}
    ${
      scale === undefined
        ? nothing
        : html`<span class="scale" role="img" aria-label=${t('Colours of paths: {0} to {1}.', scale.from, scale.to)}
            >${scale.from}<i .style=${`background: linear-gradient(to right, ${scale.colours.join(', ')})`}></i
            >${scale.to}</span
          >`
    }
    ${
      colours.length === 0
        ? nothing
        : html`<ul aria-label=${t('Entity types')}>
            ${colours.map(
              ({ entityType, colour }) =>
                html`<li>
                  <i class="swatch" .style=${`background: ${colour}`}></i><span class="clip">${entityType}</span>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

function drawMeasures(chosen: MapMeasure, actions: EventGraphActions): TemplateResult {
  return html`<label class="measure">
    <span>${t('Count')}</span>
    <select
      class="input"
      id="measure"
      @change=${(event: Event) => actions.setMap({ measure: (event.target as HTMLSelectElement).value as MapMeasure })}
    >
      ${Object.entries(measureNames).map(
        ([measure, name]) => html`<option value=${measure} ?selected=${measure === chosen}>${name}</option>`,
      )}
    </select>
  </label>`;
}

function slider(label: string, value: string, share: number, onChange: (share: number) => void): TemplateResult {
  return html`<label class="slider">
    <span class="slider-label"><span>${label}</span><span class="muted">${value}</span></span>
    <input
      type="range"
      min="0"
      max="100"
      aria-label=${label}
      aria-valuetext=${value}
      .value=${String(Math.round(share * 100))}
      .style=${`--share: ${Math.round(share * 100)}%`}
      @input=${({ target }: Event) => (target as HTMLElement).style.setProperty('--share', `${(target as HTMLInputElement).value}%`)}
      @change=${(event: Event) => onChange(Number((event.target as HTMLInputElement).value) / 100)}
    />
  </label>`;
}

type MapPart = NonNullable<EventGraphState['chosen']>;

/** The activity or path under the pointer: its box, its line or its number. */
function partAt(event: Event): MapPart | undefined {
  const found = (event.target as Element).closest<SVGGElement>('[data-node], [data-edge], [data-label]');
  const { node, label, edge = label } = found?.dataset ?? {};
  if (node !== undefined) return { kind: 'node', index: Number(node) };
  return edge === undefined ? undefined : { kind: 'edge', index: Number(edge) };
}

/** Opens the menu of the activity or path under the pointer, and chooses it. */
function openMenuAt(event: MouseEvent, map: ProcessMapView, actions: EventGraphActions): void {
  const part = partAt(event);
  const subject = part && menuOf(part, map);
  if (!subject) return;
  event.preventDefault();
  actions.choose(part);
  actions.openMenu(subject, { x: event.clientX, y: event.clientY });
}

function menuOf({ kind, index }: MapPart, { nodes, edges }: ProcessMapView): MenuSubject | undefined {
  const [node, path] = [nodes[index], edges[index]];
  if (kind === 'node') return node && { kind: 'activity', activity: node.activity };
  return path && { kind: 'path', path };
}

/** Below the chosen activity or path; false where none is. */
function openMenuOf(part: MapPart | undefined, map: ProcessMapView, actions: EventGraphActions): boolean {
  const subject = part && menuOf(part, map);
  if (!subject) return false;
  const place = part.kind === 'node' ? `[data-node="${part.index}"]` : `[data-label="${part.index}"]`;
  const box = document.querySelector(place)?.getBoundingClientRect();
  actions.openMenu(subject, { x: box?.left ?? 0, y: (box?.bottom ?? 0) + 2 });
  return true;
}

function walk(
  event: KeyboardEvent,
  map: ProcessMapView,
  { chosen }: EventGraphState,
  actions: EventGraphActions,
): void {
  const at = chosen?.kind === 'node' ? chosen.index : -1;
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step !== undefined) {
    actions.choose({ kind: 'node', index: (at + step + map.nodes.length) % map.nodes.length });
  } else if (event.key === 'Enter' || event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    if (!openMenuOf(chosen, map, actions)) return;
  } else if (event.key === 'Escape') actions.choose(undefined);
  else if (event.key === '+') actions.zoomBy(1.25);
  else if (event.key === '-') actions.zoomBy(0.8);
  else if (event.key.toLowerCase() === 'f' && !event.ctrlKey && !event.metaKey) actions.zoomBy(0);
  else return;
  event.preventDefault();
}

function zoomByWheel(event: WheelEvent, actions: EventGraphActions): void {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  actions.zoomBy(event.deltaY < 0 ? 1.1 : 0.9);
}
