import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { EntityHit, EntityTimeline, TimelineEvent } from '../../../protocol/event-graph.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawNumber } from './draw-number.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';

/** Entities by key, and the timeline of one with related events. */
export function drawTimelineTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { search, hits, timeline } = state;
  const open = timeline?.kind === 'known' ? timeline.value.entity.id : undefined;
  return html`<div class="timeline">
    <aside class="entities">
      <label class="input search">
        ${icon('search')}<span class="unseen">${t('Find an entity')}</span>
        <input
          id="entity-search"
          type="search"
          placeholder=${t('Find an entity by its key')}
          .value=${live(search)}
          @input=${(event: Event) => actions.searchFor((event.target as HTMLInputElement).value)}
        />
      </label>
      ${whenLoaded(hits, actions, (found) =>
        found.length === 0
          ? html`<p class="muted empty">${t('No key has this in it.')}</p>`
          : html`<ul aria-label=${t('Entities')}>
              ${found.map((hit) => drawHit(hit, hit.id === open, actions))}
            </ul>`,
      )}
    </aside>
    ${
      timeline
        ? html`<div class="events">${whenLoaded(timeline, actions, (value) => drawTimeline(value, actions))}</div>`
        : html`<section class="instead">
            <h2>${t('Choose an entity')}</h2>
            <p>${t('Its events are shown in their order, with those of everything that is related to it.')}</p>
          </section>`
    }
  </div>`;
}

function drawHit(
  { id, entityType, key, events }: EntityHit,
  open: boolean,
  actions: EventGraphActions,
): TemplateResult {
  return html`<li>
    ${button(
      html`<span class="clip">${key}</span
        ><span class="muted clip">${entityType} · ${t('{0} events', events.toLocaleString())}</span>`,
      () => actions.openEntity(id),
      { appearance: 'bare', className: 'hit', current: open },
    )}
  </li>`;
}

function drawTimeline(
  { entity, events, related, truncated }: EntityTimeline,
  actions: EventGraphActions,
): TemplateResult {
  return html`<header class="entity">
      <h2>${entity.key}</h2>
      <p class="muted">
        ${entity.entityType} ·
        ${drawNumber(t('{0} events', entity.events.toLocaleString()), { kind: 'entity', id: entity.id }, entity.key, actions)}
      </p>
    </header>
    ${
      related.length === 0
        ? nothing
        : html`<ul class="related" aria-label=${t('Related entities')}>
            ${related.map(
              ({ id, entityType, key, relationship }) =>
                html`<li>
                  ${button(html`${icon('link')}<span class="clip">${key}</span><span class="muted clip">${relationship}</span>`, () => actions.openEntity(id), { appearance: 'chip', title: `${relationship}: ${entityType} ${key}` })}
                </li>`,
            )}
          </ul>`
    }
    <ol class="line" aria-label=${t('Events')}>
      ${events.map((event, index) => drawEvent(event, events[index - 1], actions))}
    </ol>
    ${truncated ? html`<p class="muted">${t('The first {0} events are shown.', events.length.toLocaleString())}</p>` : nothing}`;
}

function drawEvent(
  event: TimelineEvent,
  before: TimelineEvent | undefined,
  actions: EventGraphActions,
): TemplateResult {
  const { time, activity, lifecycle, qualifier, entity } = event;
  const own = qualifier === 'self';
  const [day = '', hour = ''] = timeText(time).split(' ');
  const sameDay = before !== undefined && timeText(before.time).startsWith(day);
  return html`<li class=${own ? 'own' : 'other'}>
    <span class="when">${sameDay ? '' : day}</span><span class="when">${hour}</span><i class="point"></i>
    <span class="what"
      ><strong>${activity}</strong
      >${lifecycle === 'change' ? html` <span class="muted">${t('change')}</span>` : nothing}
      ${
        own
          ? nothing
          : html`${entity ? button(entity.key, () => actions.openEntity(entity.id), { appearance: 'link' }) : nothing}
              <span class="muted">${qualifier}</span>`
      }</span
    >
  </li>`;
}
