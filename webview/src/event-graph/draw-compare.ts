import { type TemplateResult, html, nothing } from 'lit';
import type {
  ComparedPath,
  ComparedShares,
  ComparedVariant,
  FilterComparison,
  MeasureAnswer,
  MeasureUnit,
} from '../../../protocol/analysis.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { drawInterval } from './draw-interval.ts';
import { whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { mapWords } from './map-words.ts';
import { pathName } from './path-filter.ts';
import { percentText, pointsText } from './share-text.ts';
import { drawChooseType } from './type-filter.ts';
import { runs } from './variant-words.ts';

/** Rows of a table. */
const mostRows = 30;

/** Measures, paths and variants of the entities of the filter beside those of others. */
export function drawCompareTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { filter, compare, comparison } = state;
  if (filter.entityType === undefined) return drawChooseType(state);
  const isAll = compare.kind === 'others' && Object.keys(filter).length === 1;
  return html`<div class="throughput compare">
    <section aria-label=${t('Compared')}>${drawChoice(state, actions)}</section>
    ${
      isAll
        ? html`<section class="instead" id="nothing-to-compare">
            <h2>${t('Choose some entities')}</h2>
            <p>
              ${t('Add a condition to the filter above: its entities are compared with all others. Or keep this filter as the other side, and change it then.')}
            </p>
          </section>`
        : whenLoaded(comparison, actions, (found) => drawComparison(found, actions))
    }
  </div>`;
}

/** What the entities of the filter are compared with, in words. */
export function comparedText({ compare }: Pick<EventGraphState, 'compare'>): string {
  if (compare.kind === 'others') return t('all others');
  const conditions = filterConditions(compare.filter, mapWords).map(({ text }) => text);
  return conditions.length === 0 ? t('all entities') : conditions.join(' · ');
}

function drawChoice(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { compare, filter, savedFilters, isComparedOnMap } = state;
  const saved = Object.entries(shownValue(savedFilters) ?? {}).filter(
    ([, { entityType }]) => entityType === undefined || entityType === filter.entityType,
  );
  const entityType = filter.entityType ?? '';
  const isWhole = compare.kind === 'filter' && Object.keys(compare.filter).length === 1;
  const isOther = compare.kind === 'filter' && !isWhole;
  const choose = (value: string): void => {
    if (value === 'others') actions.compareWith({ kind: 'others' });
    else if (value === 'all') actions.compareWith({ kind: 'filter', filter: { entityType } });
    else if (value === 'this') actions.compareWithThis();
    else if (value.startsWith('=')) actions.compareWithSaved(value.slice(1));
  };
  return html`<div class="panel-row">
    <label class="field"
      ><span class="muted">${t('The entities of the filter, beside')}</span
      ><select
        class="input"
        id="compare-with"
        @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
      >
        <option value="others" ?selected=${compare.kind === 'others'}>${t('all others')}</option>
        <option value="all" ?selected=${isWhole}>${t('all entities')}</option>
        ${isOther ? html`<option value="kept" selected>${comparedText(state)}</option>` : nothing}
        <option value="this">${t('this filter, to change it then')}</option>
        ${
          saved.length === 0
            ? nothing
            : html`<optgroup label=${t('Saved filters')}>
                ${saved.map(([name]) => html`<option value=${`=${name}`}>${name}</option>`)}
              </optgroup>`
        }
      </select></label
    >
    <label class="check">
      <input
        type="checkbox"
        id="compare-on-map"
        .checked=${isComparedOnMap}
        @change=${(event: Event) => actions.showsComparisonOnMap((event.target as HTMLInputElement).checked)}
      />
      ${t('Both numbers on the paths of the map')}
    </label>
  </div>`;
}

function drawComparison(
  { entities, measures, paths, variants }: FilterComparison,
  actions: EventGraphActions,
): TemplateResult {
  if (entities.one === 0 || entities.other === 0) return drawNoEntities(entities.one === 0, actions);
  return html`<section aria-label=${t('Measures')}>
      <h2>${t('Measures')}</h2>
      ${drawMeasures(measures, entities)}
    </section>
    <section class="wide-table" aria-label=${t('Paths')}>
      <h2>${t('Paths')} <span class="muted">${t('entities that take them')}</span></h2>
      ${drawShares(paths, (path) =>
        button(
          pathName(path),
          () => actions.filterByPath({ source: path.source, target: path.target, follows: 'directly' }),
          {
            appearance: 'link',
            title: t('Show only these entities'),
          },
        ),
      )}
    </section>
    <section aria-label=${t('Variants')}>
      <h2>${t('Variants')} <span class="muted">${t('those that differ most')}</span></h2>
      ${drawShares(variants, (variant) => drawVariantName(variant, actions))}
    </section>`;
}

/** Shares of no entities say nothing. */
function drawNoEntities(isHere: boolean, actions: EventGraphActions): TemplateResult {
  return html`<section class="instead" id="no-entities">
    <h2>${isHere ? t('No entity is left by the filter') : t('There is no entity to compare with')}</h2>
    <p>
      ${isHere ? t('Remove a condition above, or take the last change back, to compare its entities.') : t('Choose another side above: the one that is chosen has no entities.')}
    </p>
    ${isHere ? html`<div class="buttons">${button(t('Undo'), actions.undoFilter)}</div>` : nothing}
  </section>`;
}

function drawVariantName(
  { number, id, events, activities }: ComparedVariant,
  actions: EventGraphActions,
): TemplateResult {
  const path = runs(activities).join(' → ');
  return html`${button(t('Variant {0}', number.toLocaleString()), () => actions.chooseVariant({ id, events, path: path.slice(0, 240) }), { appearance: 'link', title: t('Show only the entities of this variant: {0}', path) })}
    <span class="muted">${path}</span>`;
}

const measureTexts: Readonly<Record<string, string>> = {
  throughput: t('Throughput'),
  events: t('Events'),
  rework: t('Rework'),
  idle: t('Idle'),
};

function drawMeasures(measures: readonly MeasureAnswer[], entities: FilterComparison['entities']): TemplateResult {
  return html`<table class="groups">
    <thead>
      <tr>
        <th scope="col">${t('Measure')}</th>
        <th scope="col">${t('Median here')}</th>
        <th scope="col">${t('there')}</th>
        <th scope="col">${t('Mean here')}</th>
        <th scope="col">${t('there')}</th>
        <th scope="col" class="track-head">${t('Difference of the means, 95 %')}</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">${t('Entities')}</th>
        <td colspan="2">${t('{0} and {1}', entities.one.toLocaleString(), entities.other.toLocaleString())}</td>
        <td colspan="3"></td>
      </tr>
      ${measures.map(drawMeasure)}
    </tbody>
  </table>`;
}

function drawMeasure({ name, unit, groups: [group] }: MeasureAnswer): TemplateResult | typeof nothing {
  if (!group) return nothing;
  const { compare } = group;
  const { difference } = compare ?? {};
  const signed = (value: number): string => {
    const shown = valueText(Math.abs(value), unit);
    // A small difference is shown as 0, which has no sign.
    return shown === valueText(0, unit) ? shown : `${value > 0 ? '+' : '−'}${shown}`;
  };
  return html`<tr>
    <th scope="row">${measureTexts[name] ?? name}</th>
    <td>${valueText(group.median, unit)}</td>
    <td>${valueText(compare?.median ?? null, unit)}</td>
    <td>${valueText(group.mean, unit)}</td>
    <td>${valueText(compare?.mean ?? null, unit)}</td>
    <td class="track-cell">
      ${
        difference
          ? drawInterval({
              value: difference.mean,
              low: difference.low,
              high: difference.high,
              reach: Math.max(Math.abs(difference.low), Math.abs(difference.high)),
              text: t('{0} ({1} to {2})', signed(difference.mean), signed(difference.low), signed(difference.high)),
            })
          : html`<span class="muted">${t('too few values')}</span>`
      }
    </td>
  </tr>`;
}

function valueText(value: number | null, unit: MeasureUnit): string {
  if (value === null) return '–';
  return unit === 'ms' ? durationText(value) : value.toLocaleString(undefined, { maximumFractionDigits: 2 });
}

function drawShares<T extends ComparedPath | ComparedVariant>(
  all: readonly T[],
  nameOf: (row: T) => TemplateResult,
): TemplateResult {
  const rows = all.slice(0, mostRows);
  const reach = Math.max(0, ...rows.map(({ difference: { low, high } }) => Math.max(Math.abs(low), Math.abs(high))));
  return html`<table class="groups">
      <thead>
        <tr>
          <th scope="col">${t('Name')}</th>
          <th scope="col">${t('Here')}</th>
          <th scope="col">${t('There')}</th>
          <th scope="col" class="track-head">${t('Difference, 95 %')}</th>
          <th scope="col">${t('Median here')}</th>
          <th scope="col">${t('there')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <th scope="row" class="shared-name">${nameOf(row)}</th>
              <td title=${row.one.entities.toLocaleString()}>${percentText(row.one.share)}</td>
              <td title=${row.other.entities.toLocaleString()}>${percentText(row.other.share)}</td>
              <td class="track-cell">${drawDifference(row, reach)}</td>
              <td>${valueText(row.one.median, 'ms')}</td>
              <td>${valueText(row.other.median, 'ms')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${all.length > mostRows ? html`<p class="muted">${t('{0} more that differ less.', (all.length - mostRows).toLocaleString())}</p>` : nothing}`;
}

function drawDifference({ difference: { value, low, high } }: ComparedShares, reach: number): TemplateResult {
  const text = t('{0} points ({1} to {2})', pointsText(value), pointsText(low), pointsText(high));
  return drawInterval({ value, low, high, reach, text });
}
