import { pairsTable, numbersOf } from './pairs.ts';
import { phaseOf } from './phases.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { StatementsStep } from './plan-statement.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * Counts starts without an end and ends without a start, by the number of the element: `element`, `starts`, `ends`.
 * Undefined without elements whose rows are paired.
 */
export function unpairedStep(elements: readonly StagedElement[], { build }: BuildDialect): StatementsStep | undefined {
  const numbers = numbersOf(elements);
  if (numbers === '') return undefined;
  const sql = `SELECT event.element AS element, ${build.countIf('event.opens')} AS starts, ${build.countIf('NOT event.opens')} AS ends
    FROM unpaired AS event
      LEFT JOIN ${pairsTable} AS of_start ON of_start.start_event_id = event.id LEFT JOIN ${pairsTable} AS of_end ON of_end.end_event_id = event.id
    WHERE event.element IN (${numbers}) AND (event.opens OR event.phase = ${phaseOf('end')}) AND of_start.start_event_id IS NULL AND of_end.end_event_id IS NULL
    GROUP BY event.element ORDER BY event.element`;
  const title = 'Counting starts without end and ends without start';
  return { name: 'unpaired_transitions', title, statements: [{ title: 'Events of each element', sql }] };
}
