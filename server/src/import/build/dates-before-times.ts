import type { BuildDialect } from './build-dialect.ts';
import type { StatementsStep } from './plan-statement.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * Counts the starts that are dates, and so midnight, of which the next event of an entity has a time on the same day, by
 * element (`element`, `events`). Undefined without starts of both kinds.
 */
export function datesBeforeTimesStep(
  elements: readonly StagedElement[],
  { graph, literals }: BuildDialect,
): StatementsStep | undefined {
  const named = (fits: (element: StagedElement) => boolean): string =>
    elements
      .filter(fits)
      .map(({ plan }) => literals.quote(plan.activityName))
      .join(', ');
  const dated = named(({ start }) => start.sense === 'date' && start.isEndOfDay !== true);
  const timed = named(({ start }) => start.sense === 'timestamp');
  if (dated === '' || timed === '') return undefined;
  const sql = `SELECT earlier.element AS element, count(DISTINCT earlier.id) AS events FROM ${graph}.directly_follows AS edge
    JOIN ${graph}.event AS earlier ON earlier.id = edge.source_event_id
    JOIN ${graph}.event AS later ON later.id = edge.target_event_id
    WHERE earlier.element IN (${dated}) AND earlier.lifecycle = 'start' AND later.element IN (${timed}) AND later.lifecycle = 'start'
      AND later.time > earlier.time AND later.time < earlier.time + INTERVAL '1' DAY
    GROUP BY 1 ORDER BY 1`;
  const title = 'Counting dates that come before times of the same day';
  return { name: 'dates_before_times', title, statements: [{ title: 'Events of each element', sql }] };
}
