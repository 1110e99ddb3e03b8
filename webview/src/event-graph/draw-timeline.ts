import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { EntityHit, EntityTimeline, TimelineEvent, ValueChange } from '../../../protocol/event-graph.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawNumber } from './draw-number.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import { drawChanges, drawPropertyChoice, shownProperties } from './draw-values.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** Entities by key, and the timeline of one with related events. */
export function drawTimelineTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { search, hits, timeline } = state;
  const colours = typeColours(state);
  const open = timeline?.kind === 'known' ? timeline.value.entity.id : undefined;
  return html`<div class="timeline">
    <aside class="entities">
      <label class="input search">
        ${icon('search')}<span class="unseen">${t('Find an entity')}</span>
        <input
          id="entity-search"
          type="search"
          placeholder=${t('Find by key or text of a property')}
          .value=${live(search)}
          @input=${(event: Event) => actions.searchFor((event.target as HTMLInputElement).value)}
        />
      </label>
      ${whenLoaded(hits, actions, (found) =>
        found.length === 0
          ? html`<p class="muted empty">
              ${t('Neither the key nor a property of an entity of the filter contains this text.')}
            </p>`
          : html`<ul aria-label=${t('Entities')}>
              ${found.map((hit) => drawHit(hit, hit.id === open, colours, actions))}
            </ul>`,
      )}
    </aside>
    ${
      timeline
        ? html`<div class="events">
            ${whenLoaded(timeline, actions, (value) => drawTimeline(value, state, actions))}
          </div>`
        : html`<section class="instead">
            <h2>${t('Choose an entity')}</h2>
            <p>${t('Its events are shown in their order, with those of everything that is related to it.')}</p>
          </section>`
    }
  </div>`;
}

function drawHit(
  { id, entityType, key, events, found }: EntityHit,
  open: boolean,
  colours: TypeColours,
  actions: EventGraphActions,
): TemplateResult {
  return html`<li .style=${`--type: ${colours(entityType)}`}>
    ${button(
      html`<span class="clip">${key}</span
        >${found ? html`<span class="clip">${found.property}: ${found.value}</span>` : nothing}<span class="muted clip"
          >${entityType} · ${t('{0} events', events.toLocaleString())}</span
        >`,
      () => actions.openEntity(id),
      { appearance: 'bare', className: 'hit', current: open },
    )}
  </li>`;
}

function drawTimeline(timeline: EntityTimeline, state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { entity, events, related, truncated, values } = timeline;
  const colours = typeColours(state);
  const shown = shownProperties(timeline, state.shownValues);
  const changesAt = changesByEvent(values.changes);
  const initial = drawChanges(changesAt.get(undefined) ?? [], shown);
  const places = placesInTime(events, changesAt, shown);
  const gaps = gapsBetween(events);
  return html`<header class="entity" .style=${`--type: ${colours(entity.entityType)}`}>
      <i class="type-dot"></i>
      <h2>${entity.key}</h2>
      <p class="muted">
        ${entity.entityType} ·
        ${drawNumber(t('{0} events', entity.events.toLocaleString()), { kind: 'entity', id: entity.id }, entity.key, actions)}
        ${truncated ? nothing : drawTotal(events)}
      </p>
    </header>
    ${related.length === 0 ? nothing : drawRelated(related, colours, actions)}
    ${drawPropertyChoice(timeline, shown, actions)}
    ${initial === nothing ? nothing : html`<div class="initial"><span class="muted">${t('Before the first event')}</span>${initial}</div>`}
    <ol class="line" aria-label=${t('Events')}>
      ${places.map(({ time, event, changes }, index) => {
        const drawn = drawChanges(changes, shown);
        const before = places[index - 1]?.time;
        if (!event) return drawn === nothing ? nothing : drawValues(time, before, drawn, colours(entity.entityType));
        const colour = colours(event.entity?.entityType ?? entity.entityType);
        return drawEvent(event, { before, colour, changes: drawn, gap: gaps.get(event.id), actions });
      })}
    </ol>
    ${truncated ? html`<p class="muted">${t('The first {0} events are shown.', events.length.toLocaleString())}</p>` : nothing}`;
}

/** From the first to the last event. */
function drawTotal(events: readonly TimelineEvent[]): TemplateResult | typeof nothing {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last || first === last) return nothing;
  return html`· ${t('{0} from the first to the last', durationText(Date.parse(last.time) - Date.parse(first.time)))}`;
}

/** The time since the event before, by the id of the event; long ones stand out. */
interface Gap {
  readonly text: string;
  /** Of the longest one, 0 to 1. */
  readonly share: number;
}

export function gapsBetween(events: readonly Pick<TimelineEvent, 'id' | 'time'>[]): ReadonlyMap<number, Gap> {
  const times = events.map(({ time }) => Date.parse(time));
  const gaps = times.map((time, index) => time - (times[index - 1] ?? time));
  const longest = Math.max(1, ...gaps);
  return new Map(
    events.flatMap(({ id }, index) => {
      const gap = gaps[index] ?? 0;
      return gap > 0 ? [[id, { text: `+${durationText(gap)}`, share: gap / longest }] as const] : [];
    }),
  );
}

/** Related entities that are seen at once; the others would push the events out of sight. */
const fewRelated = 12;

function drawRelated(
  related: EntityTimeline['related'],
  colours: TypeColours,
  actions: EventGraphActions,
): TemplateResult {
  const chips = (some: EntityTimeline['related'], label: string): TemplateResult =>
    html`<ul class="related" aria-label=${label}>
      ${some.map(
        ({ id, entityType, key, relationship }) =>
          html`<li .style=${`--type: ${colours(entityType)}`}>
            ${button(
              html`<i class="type-dot"></i><span class="clip">${key}</span
                ><span class="muted clip">${relationship}</span>`,
              () => actions.openEntity(id),
              { appearance: 'chip', title: `${relationship}: ${entityType} ${key}` },
            )}
          </li>`,
      )}
    </ul>`;
  const more = related.slice(fewRelated);
  return html`${chips(related.slice(0, fewRelated), t('Related entities'))}
  ${
    more.length === 0
      ? nothing
      : html`<details class="more-related">
          <summary>${t('{0} more related entities', more.length.toLocaleString())}</summary>
          ${chips(more, t('More related entities'))}
        </details>`
  }`;
}

type ChangesAt = ReadonlyMap<number | string | undefined, readonly ValueChange[]>;

/** By the id of the event, or by the time of values that no event carries; undefined: before the first one. */
function changesByEvent(changes: readonly ValueChange[]): ChangesAt {
  const groups = new Map<number | string | undefined, ValueChange[]>();
  for (const change of changes) {
    const place = change.event ?? change.time;
    const group = groups.get(place);
    if (group) group.push(change);
    else groups.set(place, [change]);
  }
  return groups;
}

interface PlaceInTime {
  readonly time: string;
  /** Absent where only values change. */
  readonly event?: TimelineEvent;
  readonly changes: readonly ValueChange[];
}

/** The events, and the times between them at which values of shown properties change. */
function placesInTime(
  events: readonly TimelineEvent[],
  changesAt: ChangesAt,
  shown: ReadonlySet<string>,
): readonly PlaceInTime[] {
  const dated = [...changesAt].flatMap(([time, changes]) =>
    typeof time === 'string' && changes.some(({ property }) => shown.has(property)) ? [{ time, changes }] : [],
  );
  const places: PlaceInTime[] = [];
  let next = 0;
  for (const event of events) {
    for (let value = dated[next]; value && value.time < event.time; value = dated[next]) {
      places.push(value);
      next += 1;
    }
    places.push({ time: event.time, event, changes: changesAt.get(event.id) ?? [] });
  }
  return [...places, ...dated.slice(next)];
}

interface EventPlace {
  /** The time of the place before. */
  readonly before: string | undefined;
  /** Colour of the type of the entity whose event it is. */
  readonly colour: string;
  readonly changes: ReturnType<typeof drawChanges>;
  readonly gap: Gap | undefined;
  readonly actions: EventGraphActions;
}

type TypeColours = (entityType: string) => string;

function typeColours({ overview }: EventGraphState): TypeColours {
  const colours = new Map(shownValue(overview)?.entityTypes.map(({ name, colour }) => [name, colour]));
  return (entityType) => colours.get(entityType) ?? 'var(--eg-muted)';
}

function drawEvent(event: TimelineEvent, { before, colour, changes, gap, actions }: EventPlace): TemplateResult {
  const { time, activity, lifecycle, qualifier, entity } = event;
  const own = qualifier === 'self';
  return html`<li class=${own ? 'own' : 'other'} .style=${`--type: ${colour}`}>
    ${drawTime(time, before)}<i class="point"></i>
    <span class="what"
      ><strong>${activity}</strong
      >${lifecycle === 'change' ? html` <span class="muted">${t('change')}</span>` : nothing}
      ${
        own
          ? nothing
          : html`${entity ? button(entity.key, () => actions.openEntity(entity.id), { appearance: 'link' }) : nothing}
              <span class="muted">${qualifier}</span>`
      }${changes}</span
    >
    ${gap ? html`<span class=${gap.share > 0.5 ? 'gap long' : 'gap'} title=${t('Time since the event before')}>${gap.text}</span>` : nothing}
  </li>`;
}

/** Values that change at no event. */
function drawValues(
  time: string,
  before: string | undefined,
  changes: ReturnType<typeof drawChanges>,
  colour: string,
): TemplateResult {
  return html`<li class="values" .style=${`--type: ${colour}`}>
    ${drawTime(time, before)}<i></i><span class="what"><span class="muted">${t('Values change')}</span>${changes}</span>
  </li>`;
}

/** Omits the day if it is that of the previous row. */
function drawTime(time: string, before: string | undefined): TemplateResult {
  const [day = '', hour = ''] = timeText(time).split(' ');
  const sameDay = before !== undefined && timeText(before).startsWith(day);
  return html`<span class="when">${sameDay ? '' : day}</span><span class="when">${hour}</span>`;
}
