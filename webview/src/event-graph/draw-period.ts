import { type TemplateResult, html } from 'lit';
import type { GraphFilter } from '../../../protocol/event-graph.ts';
import { t } from '../ui/translate.ts';
import type { EventGraphActions } from './event-graph-state.ts';

/** The period in which entities have events. In a narrow window it is among the conditions. */
export function drawPeriod(filter: GraphFilter, actions: EventGraphActions): readonly TemplateResult[] {
  const day = (label: string, part: 'from' | 'to'): TemplateResult =>
    html`<label class="field period"
      ><span class="muted">${label}</span
      ><input
        class="input"
        type="date"
        .value=${filter[part]?.slice(0, 10) ?? ''}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLInputElement;
          const { [part]: _, ...others } = filter;
          actions.filterBy(value === '' ? others : { ...others, [part]: `${value}T00:00:00Z` });
        }}
    /></label>`;
  return [day(t('with events from'), 'from'), day(t('to before'), 'to')];
}
