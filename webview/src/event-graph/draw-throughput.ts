import { type TemplateResult, html, nothing } from 'lit';
import type { MeasureAnswer, MeasureHistogram } from '../../../protocol/analysis.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { unitText } from './map-words.ts';
import { drawChooseType } from './type-filter.ts';

/** Distribution and quantiles of the throughput time, and its groups. */
export function drawThroughputTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  if (state.filter.entityType === undefined) return drawChooseType();
  return html`<div class="throughput">
    <section aria-label=${t('Throughput time')}>
      <h2>${t('Throughput time')}</h2>
      ${whenLoaded(state.throughput, actions, (histogram) => drawHistogram(histogram, state, actions))}
    </section>
    <section aria-label=${t('In groups')}>
      <h2>${t('In groups')} ${drawDimensions(state, actions)}</h2>
      ${whenLoaded(state.throughputGroups, actions, ([answer]) => (answer ? drawGroups(answer, state, actions) : html``))}
    </section>
  </div>`;
}

function drawHistogram(
  histogram: MeasureHistogram,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const { bins, numbers } = histogram;
  const fact = (name: string, value: number | null): TemplateResult =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value === null ? '–' : durationText(value)}</dd>
    </div>`;
  if (bins.length === 0) return html`<p class="muted">${t('No entity of this filter has events.')}</p>`;
  return html`<dl class="quantiles">
      <div>
        <dt>${t('Entities')}</dt>
        <dd>${numbers.count.toLocaleString()}</dd>
      </div>
      ${fact(t('Median'), numbers.median)} ${fact(t('90 % within'), numbers.p90)} ${fact(t('Mean'), numbers.mean)}
      ${fact(t('Longest'), bins.at(-1)?.to ?? null)}
    </dl>
    ${drawBins(histogram, state, actions)}
    <p class="muted ends">
      <span>${durationText(bins[0]?.from ?? 0)}</span><span>${durationText(bins.at(-1)?.to ?? 0)}</span>
    </p>
    ${drawBrushed(histogram, state, actions)}`;
}

function drawBins(
  { bins, numbers }: MeasureHistogram,
  { brushed }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [low, high] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  const mark = (name: string, value: number | null): TemplateResult | typeof nothing =>
    value === null || high === low
      ? nothing
      : html`<i
          class="quantile"
          title=${`${name}: ${durationText(value)}`}
          .style=${`left: ${(100 * (value - low)) / (high - low)}%`}
        ></i>`;
  const [from, to] = brushed ? [Math.min(brushed.from, brushed.to), Math.max(brushed.from, brushed.to)] : [-1, -1];
  return html`<div
    class="columns bins"
    id="bins"
    tabindex="0"
    role="group"
    aria-label=${t('Entities by throughput time. Arrow keys choose a column, with Shift several, Enter filters by them.')}
    @keydown=${(event: KeyboardEvent) => brushByKey(event, bins.length, brushed, actions)}
    @pointerdown=${(event: PointerEvent) => brushByPointer(event, actions)}
  >
    ${bins.map(({ from: start, to: end, count }, index) => {
      const text = t('{0} – {1}: {2} entities', durationText(start), durationText(end), count.toLocaleString());
      return html`<span
        class=${index >= from && index <= to ? 'column brushed' : 'column'}
        data-bin=${index}
        title=${text}
        ><i .style=${`height: ${count === 0 ? 0 : Math.max(1, (count / most) * 100)}%`}></i
      ></span>`;
    })}
    ${mark(t('Median'), numbers.median)} ${mark(t('90 % within'), numbers.p90)}
  </div>`;
}

type Brushed = EventGraphState['brushed'];

/** What the chosen columns mean, with the button that filters by them. */
function drawBrushed(
  { bins }: MeasureHistogram,
  { brushed }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  if (!brushed) return html`<p class="muted">${t('Drag over columns to filter by throughput time.')}</p>`;
  const chosen = bins.slice(Math.min(brushed.from, brushed.to), Math.max(brushed.from, brushed.to) + 1);
  const count = chosen.reduce((sum, each) => sum + each.count, 0);
  const [from, to] = [durationText(chosen[0]?.from ?? 0), durationText(chosen.at(-1)?.to ?? 0)];
  return html`<p class="brush-choice" role="status">
    <span>${t('{0} – {1}: {2} entities', from, to, count.toLocaleString())}</span>
    ${button(t('Only These'), actions.filterByThroughput, { appearance: 'small', id: 'filter-throughput' })}
  </p>`;
}

function brushByKey(event: KeyboardEvent, all: number, brushed: Brushed, actions: EventGraphActions): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step !== undefined) {
    const at = brushed ? Math.min(all - 1, Math.max(0, brushed.to + step)) : 0;
    actions.brushThroughput({ from: event.shiftKey && brushed ? brushed.from : at, to: at });
  } else if (event.key === 'Enter') actions.filterByThroughput();
  else if (event.key === 'Escape') actions.brushThroughput(undefined);
  else return;
  event.preventDefault();
}

/** Chooses the columns between press and release, and filters by them. */
function brushByPointer(event: PointerEvent, actions: EventGraphActions): void {
  const columns = event.currentTarget as HTMLElement;
  if (event.button !== 0) return;
  const binAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = columns.getBoundingClientRect();
    const all = columns.querySelectorAll('[data-bin]').length;
    return Math.min(all - 1, Math.max(0, Math.floor(((clientX - left) / width) * all)));
  };
  event.preventDefault();
  columns.focus();
  columns.setPointerCapture(event.pointerId);
  const from = binAt(event);
  actions.brushThroughput({ from, to: from });
  const ending = new AbortController();
  const { signal } = ending;
  columns.addEventListener('pointermove', (move) => actions.brushThroughput({ from, to: binAt(move) }), { signal });
  columns.addEventListener(
    'pointerup',
    () => {
      ending.abort();
      actions.filterByThroughput();
    },
    { signal },
  );
  columns.addEventListener(
    'pointercancel',
    () => {
      ending.abort();
      actions.brushThroughput(undefined);
    },
    { signal },
  );
}

const periods = ['month', 'quarter', 'year', 'week', 'day'] as const;

function drawDimensions({ overview, throughputBy }: EventGraphState, actions: EventGraphActions): TemplateResult {
  const elements = shownValue(overview)?.elements ?? [];
  const properties = [...new Set(elements.flatMap((element) => element.properties))];
  const option = (value: string, label: string): TemplateResult =>
    html`<option value=${value} ?selected=${value === throughputBy}>${label}</option>`;
  return html`<select
    class="input"
    id="throughput-by"
    aria-label=${t('In groups')}
    @change=${(event: Event) => actions.groupThroughput((event.target as HTMLSelectElement).value)}
  >
    ${option('variant', t('by variant'))}
    <optgroup label=${t('Time of the first event')}>${periods.map((unit) => option(unit, unitText(unit)))}</optgroup>
    <optgroup label=${t('Property')}>${properties.map((name) => option(name, name))}</optgroup>
  </select>`;
}

function drawGroups(
  { groups: found, more = 0 }: MeasureAnswer,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const by = state.throughputBy;
  const isPeriod = (periods as readonly string[]).includes(by);
  const nameOf = (group: (typeof found)[number]): string | null => group.by[by] ?? null;
  const groups = isPeriod
    ? found.toSorted((one, other) => ((nameOf(one) ?? '') < (nameOf(other) ?? '') ? -1 : 1))
    : found;
  const longest = Math.max(1, ...groups.map(({ p90 }) => p90 ?? 0));
  const width = (value: number | null): string => `width: ${(100 * (value ?? 0)) / longest}%`;
  return html`<table class="groups">
      <thead>
        <tr>
          <th scope="col">${by === 'variant' ? t('Variant') : isPeriod ? t('Period') : by}</th>
          <th scope="col" class="track-head">${t('Median and 90 %')}</th>
          <th scope="col">${t('Median')}</th>
          <th scope="col">${t('90 % within')}</th>
          <th scope="col">${t('Entities')}</th>
        </tr>
      </thead>
      <tbody>
        ${groups.map(
          (group) =>
            html`<tr>
              <th scope="row">${drawGroupName(nameOf(group), by, isPeriod, state, actions)}</th>
              <td class="track-cell" aria-hidden="true">
                <span class="bar-track"
                  ><span class="bar-fill soft" .style=${width(group.p90)}></span
                  ><span class="bar-fill" .style=${width(group.median)}></span
                ></span>
              </td>
              <td>${group.median === null ? '–' : durationText(group.median)}</td>
              <td>${group.p90 === null ? '–' : durationText(group.p90)}</td>
              <td>${group.count.toLocaleString()}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 ? html`<p class="muted">${t('{0} more groups with fewer entities.', more.toLocaleString())}</p>` : nothing}`;
}

/** A value of a property filters by it. */
function drawGroupName(
  name: string | null,
  by: string,
  isPeriod: boolean,
  { filter }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  if (by === 'variant') return html`${t('Variant {0}', name ?? '–')}`;
  if (isPeriod) return html`${name ?? '–'}`;
  const others = (filter.values ?? []).filter(({ property }) => property !== by);
  const shown =
    name === null ? html`<em>${t('no value')}</em>` : name === '' ? html`<em>${t('empty')}</em>` : html`${name}`;
  return button(shown, () => actions.filterBy({ ...filter, values: [...others, { property: by, values: [name] }] }), {
    appearance: 'link',
    title: t('Show only these entities'),
  });
}
