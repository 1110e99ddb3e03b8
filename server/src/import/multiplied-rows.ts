import type { LoadResult } from '../connectors/connector.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { QueriedDatabase } from './checks.ts';
import type { StagedElement } from './build/staged-element.ts';

/** Stages the rows of a query as a table. */
type LoadTable = (query: CompiledQuery, table: string) => Promise<LoadResult>;

/**
 * A warning when the joins of an element make several rows of one row of its data object, with the factor (design rule
 * 2); undefined when they do not, or when nothing identifies the rows of the data object.
 */
export async function multiplicationWarning(
  staging: QueriedDatabase,
  load: LoadTable,
  element: StagedElement | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!element?.plan.element.joins) return undefined;
  const baseRows = await countBaseRows(staging, load, element, signal);
  if (baseRows === undefined || baseRows === 0 || baseRows >= element.rows) return undefined;
  const factor = (element.rows / baseRows).toFixed(2).replace(/\.?0+$/, '');
  return `The joins of "${element.plan.activityName}" make ${element.rows} rows of ${baseRows} (× ${factor}): each of them is an event.`;
}

async function countBaseRows(
  staging: QueriedDatabase,
  load: LoadTable,
  element: StagedElement,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { plan, rowOrder, columns } = element;
  if (plan.identity?.query) {
    const table = `${plan.table}_identity`;
    const { columns: counted } = await load(plan.identity.query, table);
    const [row] = await staging.query(`SELECT ${counted[0]?.stagedAs ?? 'c1'} AS rows FROM ${quoteIdentifier(table)}`);
    return Number(row?.['rows']);
  }
  const identity = plan.identity?.columns.map((name) => columns[plan.query.columns.indexOf(name)]) ?? [rowOrder];
  const names = identity.flatMap((column) => (column ? [column.stagedAs] : []));
  if (names.length === 0 || names.length < identity.length) return undefined;
  const sql = `SELECT count(DISTINCT (${names.join(', ')})) AS rows FROM ${quoteIdentifier(plan.table)}`;
  const [row] = await staging.query(sql, { signal });
  return Number(row?.['rows']);
}
