import { type TemplateResult, html } from 'lit';
import { conditionOn } from '../../../protocol/activity-conditions.ts';
import type { ActivityCondition } from '../../../protocol/event-graph.ts';
import { button } from '../ui/button.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';

/** The activity behind a name on the map. On a map with separate start and change events, the name means one of them. */
export function placeOf(
  activity: string,
  { lifecycle = false }: EventGraphState['mapParams'],
): Omit<ActivityCondition, 'occurs'> {
  return lifecycle ? { activity, lifecycle } : { activity };
}

/** The menu of an activity. */
export function activityItems(
  activity: string,
  { filter, mapParams }: EventGraphState,
  actions: EventGraphActions,
): readonly MenuItem[] {
  const known = conditionOn(filter.activities ?? [], placeOf(activity, mapParams));
  const item = (occurs: boolean, label: string): MenuItem => ({
    label,
    icon: occurs ? 'filter' : 'circle-slash',
    ...(known?.occurs === occurs ? { disabled: true, hint: t('The filter has this condition') } : {}),
    run: () => actions.filterByActivity(activity, occurs),
  });
  const explained = { activities: [{ ...placeOf(activity, mapParams), occurs: true }] };
  return [
    item(true, t('Only Entities with This Activity')),
    item(false, t('Only Entities without This Activity')),
    ...(filter.entityType === undefined
      ? []
      : [{ label: t('What Goes with This Activity'), icon: 'question', run: () => actions.explain(explained) }]),
  ];
}

/** The filter actions of the chosen activity as visible buttons. */
export function drawActivityButtons(
  activity: string,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const [present, absent] = activityItems(activity, state, actions);
  const choose = (item: MenuItem | undefined, text: string): TemplateResult =>
    button(text, () => item?.disabled !== true && item?.run(), {
      appearance: 'small',
      unavailable: item?.disabled,
      title: item?.hint ?? item?.label,
    });
  return html`<div class="buttons" role="group" aria-label=${t('Filter')}>
    ${choose(present, t('Only with'))} ${choose(absent, t('Only without'))}
  </div>`;
}
