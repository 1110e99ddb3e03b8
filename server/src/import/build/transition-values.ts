import { stagedText } from './key-sql.ts';
import type { StatementsStep } from './plan-statement.ts';
import type { StagedElement } from './staged-element.ts';
import type { TimePlace } from './utc-time.ts';

/** How many other values a warning names. */
export const shownValues = 4;

/** The values that `lifecycle` of an element lists. */
export function listedValues({ plan }: StagedElement): readonly string[] {
  const { start = [], end = [] } = plan.element.lifecycle ?? {};
  return [...start, ...end].map(({ value }) => value);
}

/**
 * The values of the column that says which rows are starts and ends: those that `lifecycle` lists first, then those that
 * differ from them by case, then a few others. Undefined for elements whose rows are not paired.
 */
export function transitionValuesStep(element: StagedElement, place: TimePlace): StatementsStep | undefined {
  const { transition, plan } = element;
  if (!transition) return undefined;
  const { identifiers, literals } = place.dialect;
  const listed = listedValues(element).map(literals.quote);
  const folded = listed.map((value) => `lower(${value})`);
  const nearness = `CASE WHEN value IN (${listed.join(', ')}) THEN 0 WHEN lower(value) IN (${folded.join(', ')}) THEN 1 ELSE 2 END`;
  const values = `SELECT DISTINCT ${stagedText(transition, place)} AS value FROM ${identifiers.quote(plan.table)}`;
  const sql = `SELECT value FROM (SELECT value, ${nearness} AS nearness FROM (${values}) AS found WHERE value IS NOT NULL) AS near
    ORDER BY nearness, value LIMIT ${listed.length + shownValues + 1}`;
  const title = `Values of lifecycle of ${plan.activityName}`;
  return { name: 'transition_values', title, statements: [{ title, sql }] };
}
