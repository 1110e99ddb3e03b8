import type { ActivityCondition } from './event-graph.ts';

/** The display name of the activity of a condition; a condition on start events only is marked as such. */
export function activityText({ activity, lifecycle = false }: ActivityCondition): string {
  return lifecycle && !activity.endsWith(' · change') ? `${activity} · start` : activity;
}

/** The conditions with one more, which replaces another on the same activity. */
export function addCondition(
  conditions: readonly ActivityCondition[],
  added: ActivityCondition,
): readonly ActivityCondition[] {
  return [...conditions.filter((each) => !isOnSame(each, added)), added];
}

/** The condition on the same activity, if there is one. */
export function conditionOn(
  conditions: readonly ActivityCondition[],
  wanted: Omit<ActivityCondition, 'occurs'>,
): ActivityCondition | undefined {
  return conditions.find((each) => isOnSame(each, wanted));
}

function isOnSame(one: Omit<ActivityCondition, 'occurs'>, other: Omit<ActivityCondition, 'occurs'>): boolean {
  return one.activity === other.activity && (one.lifecycle ?? false) === (other.lifecycle ?? false);
}
