import { type TemplateResult, html } from 'lit';
import type { GraphFilter, TypeFilter } from '../../../protocol/event-graph.ts';
import { type EventGraphState, shownValue } from './event-graph-state.ts';
import { t } from '../ui/translate.ts';

/** The filter, if it selects entities of one type. */
export function typeFilterOf(filter: GraphFilter): TypeFilter | undefined {
  const { entityType } = filter;
  return entityType === undefined ? undefined : { ...filter, entityType };
}

/** Instead of a tab about entities of one type: what to do, unless the graph has none. */
export function drawChooseType({ overview }: Pick<EventGraphState, 'overview'>): TemplateResult {
  if (shownValue(overview)?.entityTypes.length === 0)
    return html`<p class="instead muted">${t('The graph has no entities.')}</p>`;
  return html`<section class="instead" id="choose-type">
    <h2>${t('Choose an entity type')}</h2>
    <p>${t('These numbers are those of entities of one type: choose it above.')}</p>
  </section>`;
}
