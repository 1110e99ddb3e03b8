import { type TemplateResult, html, nothing } from 'lit';
import type {
  MapEdgeView,
  MapMeasure,
  MapNodeView,
  PathMeasure,
  ProcessMapView,
  ShownNumber,
} from '../../../protocol/event-graph.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { drawActivityButtons } from './activity-filter.ts';
import { drawNumber } from './draw-number.ts';
import { drawVariants } from './draw-variants.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';
import { pathItems, pathName } from './path-filter.ts';
import { percentText } from './share-text.ts';

/** The measures that the page can draw. */
export const measureNames: Readonly<Record<MapMeasure, string>> = {
  events: t('Events'),
  objects: t('Unique objects'),
  pairs: t('Event–object pairs'),
};

/** Details of the chosen activity or path; without one, of the map. */
export function drawChosen(state: EventGraphState, map: ProcessMapView, actions: EventGraphActions): TemplateResult {
  const { chosen, overview } = state;
  const node = chosen?.kind === 'node' ? map.nodes[chosen.index] : undefined;
  const edge = chosen?.kind === 'edge' ? map.edges[chosen.index] : undefined;
  if (node) return drawNode(node, map, state, actions);
  if (edge) return drawEdge(edge, map, state, actions);
  const name = overview?.kind === 'known' ? overview.value.name : '';
  return html`<section class="facts" aria-label=${t('Summary')}>
    <h2>${name}</h2>
    <dl>
      <dt>${t('Entities')}</dt>
      <dd>${drawNumber(map.entities.toLocaleString(), { kind: 'entities' }, t('Entities'), actions)}</dd>
      <dt>${t('Distinct events')}</dt>
      <dd>${drawNumber(map.events.toLocaleString(), { kind: 'events' }, t('Distinct events'), actions)}</dd>
    </dl>
    ${drawVariants(state, actions)}
    <p class="muted">${t('Click an activity or a path to see more of it.')}</p>
    <ul class="bars" aria-label=${t('Activities')}>
      ${map.nodes
        .slice(0, 12)
        .map(
          (each, index) =>
            html`<li>
              ${button(each.activity, () => actions.choose({ kind: 'node', index }), { appearance: 'link', className: 'clip' })}
            </li>`,
        )}
    </ul>
  </section>`;
}

function drawNode(
  { activity, count, events, starts, ends, service }: MapNodeView,
  { edges, measure }: ProcessMapView,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const number = (which: Extract<ShownNumber, { kind: 'node' }>['number'], shown: number | string): TemplateResult =>
    drawNumber(shown.toLocaleString(), { kind: 'node', activity, number: which }, activity, actions);
  const outOf = edges.filter(({ source }) => source === activity);
  const into = edges.filter(({ target }) => target === activity);
  return html`<section class="facts" aria-label=${activity}>
    <h2>${activity}</h2>
    <dl>
      <dt>${t('Events')}</dt>
      <dd>${number('events', events)}</dd>
      ${
        measure === undefined || measure === 'events'
          ? nothing
          : html`<dt>${measureNames[measure]}</dt>
              <dd>${number('count', count)}</dd>`
      }
      <dt>${t('First of an entity')}</dt>
      <dd>${number('starts', starts)}</dd>
      <dt>${t('Last of an entity')}</dt>
      <dd>${number('ends', ends)}</dd>
      ${
        service
          ? html`<dt>${t('Service time, median')}</dt>
              <dd>${number('serviceMedian', service.medianText)}</dd>
              <dt>${t('Service time, 90 % within')}</dt>
              <dd>${number('serviceP90', service.p90Text)}</dd>`
          : nothing
      }
    </dl>
    ${drawActivityButtons(activity, state, actions)}
    ${drawPaths(t('Comes after'), into, ({ source }) => source, edges, actions)}
    ${drawPaths(t('Goes on with'), outOf, ({ target }) => target, edges, actions)}
  </section>`;
}

/** The numbers of a path on a map that compares. */
function drawCompared({ compared, medianText }: MapEdgeView): TemplateResult | typeof nothing {
  if (!compared) return nothing;
  return html`<dt>${t('Share of these')}</dt>
    <dd>${percentText(compared.share ?? 0)}</dd>
    <dt>${t('Share of the others')}</dt>
    <dd>${percentText(compared.otherShare ?? 0)}</dd>
    <dt>${t('Median time, these')}</dt>
    <dd>${medianText}</dd>
    <dt>${t('Median time, the others')}</dt>
    <dd>${compared.medianText}</dd>`;
}

function drawPaths(
  title: string,
  edges: readonly MapEdgeView[],
  nameOf: (edge: MapEdgeView) => string,
  all: readonly MapEdgeView[],
  actions: EventGraphActions,
): TemplateResult | typeof nothing {
  if (edges.length === 0) return nothing;
  return html`<h3>${title}</h3>
    <ul>
      ${edges.map(
        (edge) =>
          html`<li class="path">
            <span class="clip"
              >${button(nameOf(edge), () => actions.choose({ kind: 'edge', index: all.indexOf(edge) }), { appearance: 'link', title: pathName(edge) })}${edge.entityType === undefined ? nothing : html` <span class="muted">${edge.entityType}</span>`}</span
            >
            <span class="muted"
              >${pathNumber(edge, 'count', edge.count.toLocaleString(), actions)} ·
              ${pathNumber(edge, 'median', edge.medianText, actions)}</span
            >
          </li>`,
      )}
    </ul>`;
}

function pathNumber(
  { source, target, entityType }: MapEdgeView,
  number: PathMeasure,
  shown: string,
  actions: EventGraphActions,
): TemplateResult {
  const path: ShownNumber = {
    kind: 'path',
    source,
    target,
    ...(entityType === undefined ? {} : { entityType }),
    number,
  };
  return drawNumber(shown, path, pathName({ source, target }), actions);
}

function drawEdge(
  edge: MapEdgeView,
  { measure }: ProcessMapView,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const [taking, cases, slower] = pathItems(edge, state, actions);
  const { entityType, count, medianText, p90Text, totalText } = edge;
  return html`<section class="facts" aria-label=${t('Path')}>
    <h2>${pathName(edge)}</h2>
    <dl>
      ${
        entityType === undefined
          ? nothing
          : html`<dt>${t('Entity type')}</dt>
              <dd>${entityType}</dd>`
      }
      <dt>${measure === undefined || measure === 'events' ? t('Times') : measureNames[measure]}</dt>
      <dd>${pathNumber(edge, 'count', count.toLocaleString(), actions)}</dd>
      <dt>${t('Median time')}</dt>
      <dd>${pathNumber(edge, 'median', medianText, actions)}</dd>
      <dt>${t('90 % within')}</dt>
      <dd>${pathNumber(edge, 'p90', p90Text, actions)}</dd>
      <dt>${t('Total time')}</dt>
      <dd>${pathNumber(edge, 'total', totalText, actions)}</dd>
      ${drawCompared(edge)}
    </dl>
    <div class="buttons" role="group" aria-label=${t('Filter')}>
      ${button(t('Only with'), () => taking?.run(), { appearance: 'small', title: taking?.label })}
      ${button(t('Cases'), () => cases?.run(), { appearance: 'small', title: cases?.label })}
      ${button(t('Only slower'), () => slower?.run(), { appearance: 'small', title: slower?.label })}
    </div>
  </section>`;
}
