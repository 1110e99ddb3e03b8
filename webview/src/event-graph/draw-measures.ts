import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { MeasureAnswer, MeasureHistogram, MeasureUnit } from '../../../protocol/analysis.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { isMissed, numberText, valueText } from '../../../protocol/measure-outcome.ts';
import type { MeasureResult } from '../../../protocol/measures.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawBins } from './draw-bins.ts';
import { whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { unitText } from './map-words.ts';
import { drawChooseType } from './type-filter.ts';

/** Measures that every entity type has, with what they say. */
const everyType: Readonly<Record<string, string>> = {
  throughput: t('Throughput time'),
  events: t('Events'),
  rework: t('Repeated activities'),
  idle: t('Idle since the last event'),
};

/** Whether a measure is one of every type, or of the file. */
export function isOffered(name: string, written: readonly MeasureResult[]): boolean {
  return Object.hasOwn(everyType, name) || written.some((each) => each.name === name);
}

/** Distribution, quantiles and groups of the chosen measure, with the target of one of the file. */
export function drawMeasuresTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { filter, measure } = state;
  if (filter.entityType === undefined) return drawChooseType(state);
  const written = (shownValue(state.writtenMeasures) ?? []).find(({ name }) => name === measure);
  const name = Object.hasOwn(everyType, measure) ? (everyType[measure] ?? measure) : measure;
  // Its failure is that of the groups, and of the measure over the whole graph: it is told once.
  const isFailed = state.histogram?.kind === 'failed';
  return html`<div class="throughput side-by-side">
    <section aria-label=${name}>
      <h2>${drawChoice(state, actions)}</h2>
      ${written && !isFailed ? drawTarget(written, actions) : nothing}
      ${whenLoaded(state.histogram, actions, (histogram) => drawHistogram(histogram, { name, written, state }, actions))}
    </section>
    ${
      isFailed
        ? nothing
        : html`<section aria-label=${t('In groups')}>
            <h2>${t('In groups')} ${drawDimensions(state, actions)}</h2>
            ${whenLoaded(state.measureGroups, actions, ([answer]) => (answer ? drawGroups(answer, written, state, actions) : html``))}
          </section>`
    }
  </div>`;
}

/** The measures of the file that are of the type of the filter, or of events, as far as they are known. */
export function measuresOf({ filter, writtenMeasures }: EventGraphState): readonly MeasureResult[] {
  return (shownValue(writtenMeasures) ?? []).filter(
    ({ entityType }) => entityType === null || entityType === filter.entityType,
  );
}

/** Measures of every type, and those of the file. */
function drawChoice(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { measure } = state;
  const written = measuresOf(state);
  // While those of the file are not known, the chosen one is.
  const isUnknown = !isOffered(measure, written);
  const option = (value: string, label: string): TemplateResult =>
    html`<option value=${value} .selected=${live(value === measure)}>${label}</option>`;
  const missed = (result: MeasureResult): string =>
    isMissed(result) ? t('{0} (misses its target)', result.name) : result.name;
  return html`<select
    class="input"
    id="measure"
    aria-label=${t('Measure')}
    @change=${(event: Event) => actions.chooseMeasure((event.target as HTMLSelectElement).value)}
  >
    ${
      written.length === 0 && !isUnknown
        ? nothing
        : html`<optgroup label=${t('Of the file')}>
            ${written.map((each) => option(each.name, missed(each)))} ${isUnknown ? option(measure, measure) : nothing}
          </optgroup>`
    }
    <optgroup label=${t('Of every entity')}>
      ${Object.entries(everyType).map(([value, label]) => option(value, label))}
    </optgroup>
  </select>`;
}

/** What the target of a measure of the file asks of the whole graph, and what was found. */
function drawTarget({ target, error, sql }: MeasureResult, actions: EventGraphActions): TemplateResult {
  if (error !== undefined) return html`<p class="note">${icon('question')} <span>${error}</span></p>`;
  const mark = { true: ['pass', 'kept', t('Met')], false: ['error', 'broken', t('Missed')] } as const;
  return html`<ul class="targets" aria-label=${t('Target, over the whole graph')}>
      ${target.map(({ text, foundText, met }) => {
        const [name, kind, said] =
          met === null ? (['question', 'unsure', t('Without values')] as const) : mark[`${met}`];
        return html`<li>
          <span class=${`outcome ${kind}`} title=${said}>${icon(name)}</span>
          <span>${text}</span>${met === null ? nothing : html` <span class="muted">${foundText}</span>`}
        </li>`;
      })}
    </ul>
    <div class="buttons">
      ${sql === '' ? nothing : button(html`${icon('terminal')} ${t('Show Its SQL')}`, () => actions.openSqlConsole(sql), { appearance: 'labelled' })}
    </div>`;
}

interface ShownMeasure {
  readonly name: string;
  /** Of a measure of the file: its result over the whole graph. */
  readonly written: MeasureResult | undefined;
  readonly state: EventGraphState;
}

function textOf(value: number | null, unit: MeasureUnit, written: MeasureResult | undefined): string {
  if (value === null) return '–';
  return written ? valueText(value, written.unit) : unit === 'ms' ? durationText(value) : numberText(value);
}

function drawHistogram(histogram: MeasureHistogram, shown: ShownMeasure, actions: EventGraphActions): TemplateResult {
  const { bins, numbers, unit } = histogram;
  const { written, state } = shown;
  const fact = (name: string, value: string): TemplateResult =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  const text = (value: number | null): string => textOf(value, unit, written);
  const isThroughput = state.measure === 'throughput';
  if (bins.length === 0) return drawNoValues(written);
  const last = bins.at(-1)?.to ?? null;
  return html`<dl class="quantiles">
      ${fact(written?.activity ? t('Events') : t('Entities'), numbers.count.toLocaleString())}
      ${numbers.missing > 0 && !isThroughput ? fact(t('Without a value'), numbers.missing.toLocaleString()) : nothing}
      ${fact(t('Median'), text(numbers.median))} ${fact(t('90 % within'), text(numbers.p90))}
      ${fact(t('Mean'), text(numbers.mean))} ${fact(unit === 'ms' ? t('Longest') : t('Largest'), text(last))}
    </dl>
    ${drawClasses(histogram, shown, actions)}
    <p class="muted ends"><span>${text(bins[0]?.from ?? 0)}</span><span>${text(last)}</span></p>
    ${isThroughput ? drawBrushed(histogram, state, actions) : nothing}`;
}

function drawNoValues(written: MeasureResult | undefined): TemplateResult {
  return html`<p class="muted">
    ${written ? t('No entity of this filter has a value.') : t('No entity of this filter has events.')}
  </p>`;
}

function drawClasses(
  { bins, numbers, unit }: MeasureHistogram,
  { name, written, state }: ShownMeasure,
  actions: EventGraphActions,
): TemplateResult {
  const [low, high] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  const text = (value: number): string => textOf(value, unit, written);
  // A whole number that has a column of its own is in its middle.
  const hasEach = bins.every(({ from, to }) => from === to);
  const placeOf = (value: number): number =>
    hasEach ? (value - low + 0.5) / bins.length : (value - low) / (high - low);
  const mark = (label: string, value: number | null): TemplateResult | typeof nothing =>
    value === null || high === low
      ? nothing
      : html`<i class="quantile" title=${`${label}: ${text(value)}`} .style=${`left: ${100 * placeOf(value)}%`}></i>`;
  const isThroughput = state.measure === 'throughput';
  return drawBins({
    id: 'bins',
    label: isThroughput
      ? t('Entities by throughput time. Arrow keys choose a column, with Shift several, Enter filters by them.')
      : t('How often which values of {0} occur', name),
    bins: bins.map(({ from, to, count }) => ({
      count,
      text: isThroughput
        ? brushText(text(from), text(to), count)
        : from === to
          ? t('{0}: {1}', text(from), count.toLocaleString())
          : t('{0} – {1}: {2}', text(from), text(to), count.toLocaleString()),
    })),
    brushed: state.brushed,
    marks: [mark(t('Median'), numbers.median), mark(t('90 % within'), numbers.p90)],
    brushing: isThroughput ? { onBrush: actions.brushThroughput, onChoose: actions.filterByThroughput } : undefined,
  });
}

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
    <span>${brushText(from, to, count)}</span>
    ${button(t('Only These'), actions.filterByThroughput, { appearance: 'small', id: 'filter-throughput' })}
  </p>`;
}

function brushText(from: string, to: string, count: number): string {
  return count === 1
    ? t('{0} – {1}: 1 entity', from, to)
    : t('{0} – {1}: {2} entities', from, to, count.toLocaleString());
}

const periods: readonly string[] = ['month', 'quarter', 'year', 'week', 'day'];

/** Groups by variant, period or property of the chosen entity type: entities of it have no values of others. */
function drawDimensions(
  { properties: ofType, measureBy }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const names = (shownValue(ofType) ?? []).map(({ name }) => name);
  const isUnknown = measureBy !== 'variant' && ![...periods, ...names].includes(measureBy);
  const properties = isUnknown ? [...names, measureBy] : names;
  const option = (value: string, label: string): TemplateResult =>
    html`<option value=${value} .selected=${live(value === measureBy)}>${label}</option>`;
  return html`<select
    class="input"
    id="measure-by"
    aria-label=${t('In groups')}
    @change=${(event: Event) => actions.groupMeasure((event.target as HTMLSelectElement).value)}
  >
    ${option('variant', t('by variant'))}
    <optgroup label=${t('Time of the first event')}>${periods.map((unit) => option(unit, unitText(unit)))}</optgroup>
    <optgroup label=${t('Property')}>${properties.map((name) => option(name, name))}</optgroup>
  </select>`;
}

function drawGroups(
  { groups: found, more = 0, unit }: MeasureAnswer,
  written: MeasureResult | undefined,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const by = state.measureBy;
  const isPeriod = periods.includes(by);
  const nameOf = (group: (typeof found)[number]): string | null => group.by[by] ?? null;
  const groups = isPeriod
    ? found.toSorted((one, other) => ((nameOf(one) ?? '') < (nameOf(other) ?? '') ? -1 : 1))
    : found;
  if (groups.every(({ count }) => count === 0)) return drawNoValues(written);
  const longest = Math.max(1, ...groups.map(({ p90 }) => p90 ?? 0));
  const width = (value: number | null): string => `width: ${(100 * (value ?? 0)) / longest}%`;
  return html`<table class="groups">
      <thead>
        <tr>
          <th scope="col">${by === 'variant' ? t('Variant') : isPeriod ? t('Period') : by}</th>
          <th scope="col" class="track-head">${t('Median and 90 %')}</th>
          <th scope="col">${t('Median')}</th>
          <th scope="col">${t('90 % within')}</th>
          <th scope="col">${written?.activity ? t('Events') : t('Entities')}</th>
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
              <td>${textOf(group.median, unit, written)}</td>
              <td>${textOf(group.p90, unit, written)}</td>
              <td>${group.count.toLocaleString()}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 ? html`<p class="muted">${more === 1 ? t('1 more group with fewer entities.') : t('{0} more groups with fewer entities.', more.toLocaleString())}</p>` : nothing}`;
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
