import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { MapEdgeView, MapMeasure, MapNodeView, ProcessMapView } from '../../../protocol/event-graph.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { whenLoaded } from './draw-parts.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';

/** The process map with its sliders, and details of the selected activity or path. */
export function drawMapTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return whenLoaded(state.map, actions, (map) =>
    map.nodes.length === 0
      ? html`<section class="instead" id="no-events">
          <h2>${t('No events')}</h2>
          <p>${t('No entity matches the filter.')}</p>
          <div class="buttons">
            <button class="button quiet" @click=${actions.clearFilter}>${t('Clear Filter')}</button>
          </div>
        </section>`
      : html`<div class="map">
          <div
            id="picture"
            tabindex="0"
            role="group"
            aria-label=${t('Process map. Arrow keys go from activity to activity.')}
            @click=${(event: Event) => chooseAt(event, actions)}
            @keydown=${(event: KeyboardEvent) => walk(event, map, state, actions)}
            @wheel=${(event: WheelEvent) => zoomByWheel(event, actions)}
          >
            ${guard([map.svg], () => unsafeSvg(map.svg))}
          </div>
          <aside class="side">${drawControls(state, map, actions)} ${drawChosen(state, map, actions)}</aside>
        </div>`,
  );
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
    <label class="check">
      <input
        type="checkbox"
        .checked=${mapParams.lifecycle ?? false}
        @change=${(event: Event) => actions.setMap({ lifecycle: (event.target as HTMLInputElement).checked })}
      />
      ${t('Tell start and change apart')}
    </label>
    <div class="zoom" role="group" aria-label=${t('Zoom')}>
      <button class="action" title=${t('Zoom out (-)')} aria-label=${t('Zoom out')} @click=${() => actions.zoomBy(0.8)}>
        ${icon('zoom-out')}
      </button>
      <span>${Math.round(zoom * 100)} %</span>
      <button class="action" title=${t('Zoom in (+)')} aria-label=${t('Zoom in')} @click=${() => actions.zoomBy(1.25)}>
        ${icon('zoom-in')}
      </button>
      <button class="action" title=${t('Fit (F)')} aria-label=${t('Fit')} @click=${() => actions.zoomBy(0)}>
        ${icon('screen-full')}
      </button>
    </div>
  </div>`;
}

/** The page draws no other unit than those here. */
const measureNames: Readonly<Record<MapMeasure, string>> = {
  events: t('Events'),
  objects: t('Unique objects'),
  pairs: t('Event–object pairs'),
};

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
      @change=${(event: Event) => onChange(Number((event.target as HTMLInputElement).value) / 100)}
    />
  </label>`;
}

function drawChosen(
  { chosen, overview }: EventGraphState,
  map: ProcessMapView,
  actions: EventGraphActions,
): TemplateResult {
  const node = chosen?.kind === 'node' ? map.nodes[chosen.index] : undefined;
  const edge = chosen?.kind === 'edge' ? map.edges[chosen.index] : undefined;
  if (node) return drawNode(node, map);
  if (edge) return drawEdge(edge, map);
  const name = overview?.kind === 'known' ? overview.value.name : '';
  return html`<section class="facts" aria-label=${t('Summary')}>
    <h2>${name}</h2>
    <p>${t('{0} entities, {1} distinct events.', map.entities.toLocaleString(), map.events.toLocaleString())}</p>
    <p class="muted">${t('Click an activity or a path to see more of it.')}</p>
    <ul class="bars" aria-label=${t('Activities')}>
      ${map.nodes.slice(0, 12).map(
        (each, index) =>
          html`<li>
            <button class="link clip" @click=${() => actions.choose({ kind: 'node', index })}>${each.activity}</button>
          </li>`,
      )}
    </ul>
  </section>`;
}

function drawNode(
  { activity, count, events, starts, ends }: MapNodeView,
  { edges, measure }: ProcessMapView,
): TemplateResult {
  const outOf = edges.filter(({ source }) => source === activity);
  const into = edges.filter(({ target }) => target === activity);
  return html`<section class="facts" aria-label=${activity}>
    <h2>${activity}</h2>
    <dl>
      <dt>${t('Events')}</dt>
      <dd>${events.toLocaleString()}</dd>
      ${
        measure === undefined || measure === 'events'
          ? nothing
          : html`<dt>${measureNames[measure]}</dt>
              <dd>${count.toLocaleString()}</dd>`
      }
      <dt>${t('First of an entity')}</dt>
      <dd>${starts.toLocaleString()}</dd>
      <dt>${t('Last of an entity')}</dt>
      <dd>${ends.toLocaleString()}</dd>
    </dl>
    ${drawPaths(t('Comes after'), into, ({ source }) => source)}
    ${drawPaths(t('Goes on with'), outOf, ({ target }) => target)}
  </section>`;
}

function drawPaths(
  title: string,
  edges: readonly MapEdgeView[],
  nameOf: (edge: MapEdgeView) => string,
): TemplateResult | typeof nothing {
  if (edges.length === 0) return nothing;
  return html`<h3>${title}</h3>
    <ul>
      ${edges.map(
        (edge) =>
          html`<li class="path">
            <span class="clip"
              >${nameOf(edge)}${edge.entityType === undefined ? nothing : html` <span class="muted">${edge.entityType}</span>`}</span
            >
            <span class="muted">${edge.count.toLocaleString()} · ${edge.medianText}</span>
          </li>`,
      )}
    </ul>`;
}

function drawEdge(
  { source, target, entityType, count, medianText, p90Text }: MapEdgeView,
  { measure }: ProcessMapView,
): TemplateResult {
  return html`<section class="facts" aria-label=${t('Path')}>
    <h2>${source} → ${target}</h2>
    <dl>
      ${
        entityType === undefined
          ? nothing
          : html`<dt>${t('Entity type')}</dt>
              <dd>${entityType}</dd>`
      }
      <dt>${measure === undefined || measure === 'events' ? t('Times') : measureNames[measure]}</dt>
      <dd>${count.toLocaleString()}</dd>
      <dt>${t('Median time')}</dt>
      <dd>${medianText}</dd>
      <dt>${t('90 % within')}</dt>
      <dd>${p90Text}</dd>
    </dl>
  </section>`;
}

function chooseAt(event: Event, actions: EventGraphActions): void {
  const found = (event.target as Element).closest<SVGGElement>('[data-node], [data-edge]');
  const { node, edge } = found?.dataset ?? {};
  if (node !== undefined) actions.choose({ kind: 'node', index: Number(node) });
  else if (edge !== undefined) actions.choose({ kind: 'edge', index: Number(edge) });
  else actions.choose(undefined);
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
