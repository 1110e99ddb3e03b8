import type { LoadResult } from '../connectors/connector.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import type { StagedElement } from './build/staged-element.ts';
import type { QueriedDatabase } from './step-runner.ts';

/** Stages the rows of a query as a table. */
type LoadTable = (query: CompiledQuery, table: string) => Promise<LoadResult>;

/** How the rows of an element's data object are counted, where its joins could make several rows of one. */
export interface BaseRowsStep {
  /** Of the step, and of the table that `query` is staged as. */
  readonly name: string;
  /** Asks the source; absent when what identifies the rows is among those that are staged. */
  readonly query?: CompiledQuery;
  /** Gives the number as `rows`. */
  readonly sql: string;
}

/** Undefined when there are no joins, or nothing identifies the rows of the data object. */
export function baseRowsStep(
  { plan, rowOrder, columns }: StagedElement,
  { build, identifiers }: BuildDialect,
): BaseRowsStep | undefined {
  if (!plan.element.joins) return undefined;
  const name = `${plan.table}_identity`;
  const { identity } = plan;
  if (identity?.query) return { name, query: identity.query, sql: `SELECT c1 AS rows FROM ${identifiers.quote(name)}` };
  const wanted = identity?.columns.map((column) => columns[plan.query.columns.indexOf(column)]) ?? [rowOrder];
  const names = wanted.flatMap((column) => (column ? [column.stagedAs] : []));
  if (names.length === 0 || names.length < wanted.length) return undefined;
  return { name, sql: `SELECT ${build.countDistinct(names)} AS rows FROM ${identifiers.quote(plan.table)}` };
}

/** A warning when the joins of an element make several rows of one row of its data object, with the factor (docs/semantics.md#54-joins-that-multiply-rows). */
export async function multiplicationWarning(
  staging: QueriedDatabase,
  load: LoadTable,
  element: StagedElement,
  { name, query, sql }: BaseRowsStep,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (query) await load(query, name);
  const [row] = await staging.query(sql, { signal });
  const baseRows = Number(row?.['rows']);
  if (!(baseRows > 0) || baseRows >= element.rows) return undefined;
  const factor = (element.rows / baseRows).toFixed(2).replace(/\.?0+$/, '');
  return `The joins of "${element.plan.activityName}" make ${element.rows} rows of ${baseRows} (× ${factor}): each of them is an event.`;
}
