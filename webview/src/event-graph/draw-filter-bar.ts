import { type TemplateResult, html, nothing } from 'lit';
import type { GraphFilter, GraphOverview } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawConditionEditor } from './draw-condition-editor.ts';
import { drawPeriod } from './draw-period.ts';
import { drawSavedFilters } from './draw-saved-filters.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { mapWords } from './map-words.ts';

/** The filter of the page with its conditions, and how many entities it leaves. */
export function drawFilterBar(
  state: EventGraphState,
  overview: GraphOverview,
  actions: EventGraphActions,
): TemplateResult {
  const { filter, filterPanel } = state;
  return html`<div class="filter-bar" role="group" aria-label=${t('Filter')}>
      ${drawTypeAndPeriod(filter, overview, actions)}
      ${filterConditions(filter, mapWords)
        // The period has its fields.
        .filter(({ part }) => part !== 'from')
        .map(({ text, rest }) =>
          button(html`<span class="clip">${text}</span>${icon('close')}`, () => actions.filterBy(rest), {
            appearance: 'chip',
            title: t('Remove this condition: {0}', text),
          }),
        )}
      ${
        filter.entityType === undefined
          ? nothing
          : button(html`${icon('add')}<span class="tool-name">${t('Condition')}</span>`, actions.openConditions, {
              appearance: 'labelled',
              id: 'add-condition',
              label: t('Add a condition'),
              title: t('Add a condition: values, ranges, durations, paths, related entities'),
              expanded: filterPanel === 'condition',
            })
      }
      ${button(icon('bookmark'), actions.openSavedFilters, {
        appearance: 'labelled',
        id: 'saved-filters',
        label: t('Saved filters'),
        title: t('Saved filters: use one, or save this one under a name'),
        expanded: filterPanel === 'saved',
      })}
      ${
        Object.keys(filter).every((key) => key === 'entityType')
          ? nothing
          : button(html`${icon('clear-all')} ${t('Clear')}`, actions.clearFilter, { appearance: 'labelled' })
      }
      ${
        state.filtersBefore.length === 0
          ? nothing
          : button(icon('discard'), actions.undoFilter, {
              appearance: 'labelled',
              id: 'undo-filter',
              label: t('Undo'),
              title: t('Undo the last change of the filter (Ctrl+Z)'),
            })
      }
      ${drawMatching(state, overview)}
    </div>
    ${filterPanel === 'condition' ? drawConditionEditor(state, overview, actions) : nothing}
    ${filterPanel === 'saved' ? drawSavedFilters(state, actions) : nothing}`;
}

function drawTypeAndPeriod(
  filter: GraphFilter,
  overview: GraphOverview,
  actions: EventGraphActions,
): readonly TemplateResult[] {
  const { entityType } = filter;
  return [
    html`<label class="field"
      ><span class="muted">${t('Entities')}</span>
      <select
        class="input"
        id="entity-type"
        @change=${(event: Event) => changeFilter(filter, { entityType: (event.target as HTMLSelectElement).value }, actions)}
      >
        <option value="" ?selected=${entityType === undefined}>${t('of all types')}</option>
        ${overview.entityTypes.map(
          ({ name, entities }) =>
            html`<option value=${name} ?selected=${entityType === name}>
              ${name} (${entities.toLocaleString()})
            </option>`,
        )}
      </select></label
    >`,
    ...drawPeriod(filter, actions),
  ];
}

/** Such as `119 of 316 orders`. */
function drawMatching(
  { filter, matching }: EventGraphState,
  { entityTypes }: GraphOverview,
): TemplateResult | typeof nothing {
  const count = shownValue(matching);
  const type = entityTypes.find(({ name }) => name === filter.entityType);
  if (count === undefined || !type) return nothing;
  const text = t('{0} of {1} entities', count.toLocaleString(), type.entities.toLocaleString());
  return html`<span id="matching" role="status" class=${matching?.kind === 'known' ? '' : 'stale'}>${text}</span>`;
}

function changeFilter(
  filter: GraphFilter,
  part: Partial<Record<keyof GraphFilter, unknown>>,
  actions: EventGraphActions,
): void {
  const next = Object.fromEntries(
    Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined && value !== ''),
  );
  actions.filterBy(next as GraphFilter);
}
