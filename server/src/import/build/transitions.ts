import type { StagedColumn } from '../../connectors/connector.ts';
import { stagedText } from './key-sql.ts';
import { phaseOf } from './phases.ts';
import type { StagedElement } from './staged-element.ts';
import type { TimePlace } from './utc-time.ts';

/** SQL of the transition of a row: the phase of its event, NULL if it neither starts nor ends an activity. */
export function transitionSql({ plan }: StagedElement, column: StagedColumn, place: TimePlace): string {
  const { lifecycle } = plan.element;
  const { literals } = place.dialect;
  const text = stagedText(column, place);
  const cases = (['start', 'end'] as const).map((each) => {
    const values = (lifecycle?.[each] ?? []).map(({ value }) => literals.quote(value)).join(', ');
    return `WHEN ${text} IN (${values}) THEN ${phaseOf(each)}`;
  });
  return `CASE ${cases.join(' ')} END`;
}

/** SQL of the phase of an event before pairing, and of whether it opens an activity. */
export const rawPhaseSql = `CAST(CASE WHEN rows.transition = ${phaseOf('end')} THEN ${phaseOf('end')} ELSE ${phaseOf('start')} END AS smallint)`;
export const opensSql = `coalesce(rows.transition = ${phaseOf('start')}, false)`;

/** The table of all events in order: `ranked`, or the one from which it is made where rows are paired. */
export function rankedTable({ hasTransitions }: { readonly hasTransitions: boolean }): string {
  return hasTransitions ? 'unpaired' : 'ranked';
}
