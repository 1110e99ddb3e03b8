import { duckdb } from '../dialects/duckdb.ts';
import type { RuleLifecycle } from '../model/process-rule.ts';

/** Condition on `activity` and `lifecycle` of events. */
export function eventsOf(activity: string, lifecycle: RuleLifecycle): string {
  const condition = `activity = ${duckdb.literals.quote(activity)}`;
  return lifecycle === 'any' ? condition : `${condition} AND lifecycle = '${lifecycle}'`;
}
