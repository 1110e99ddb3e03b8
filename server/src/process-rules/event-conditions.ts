import type { Dialect } from '../dialects/dialect.ts';
import type { RuleLifecycle } from '../model/process-rule.ts';

/** Condition on `activity` and `lifecycle` of events. */
export function eventsOf(activity: string, lifecycle: RuleLifecycle, { literals }: Dialect): string {
  const condition = `activity = ${literals.quote(activity)}`;
  return lifecycle === 'any' ? condition : `${condition} AND lifecycle = '${lifecycle}'`;
}
