import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { LoadResult } from '../connectors/connector.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { StagedElement } from './build/staged-element.ts';
import { type TimePlace, utcTime } from './build/utc-time.ts';
import { isPart } from './note-rows.ts';
import type { QueriedDatabase } from './step-runner.ts';

/** Stages the rows of a query as a table. */
type LoadTable = (query: CompiledQuery, table: string) => Promise<LoadResult>;

/** How to count the rows of an element's data object, if its joins could multiply them. */
interface BaseRowsStep {
  /** Name of the step, and of the staging table of `query`. */
  readonly name: string;
  /** A query for the source; absent when the identifying columns are staged anyway. */
  readonly query?: CompiledQuery;
  /** Returns the number of original rows as `rows`, and after joins as `made`. Counts rows that become events only. */
  readonly sql: string;
}

/** Undefined without joins, or without identifying columns. */
export function baseRowsStep(
  { plan, rowOrder, columns, start, key }: StagedElement,
  place: TimePlace,
): BaseRowsStep | undefined {
  if (!plan.element.joins) return undefined;
  const { build, identifiers } = place.dialect;
  const name = `${plan.table}_identity`;
  const { identity } = plan;
  const table = identifiers.quote(plan.table);
  const parts = [utcTime(start, place), ...key.map(({ stagedAs }) => stagedAs)];
  const isEvent = parts.map((part) => `${part} IS NOT NULL`).join(' AND ');
  if (identity?.query) {
    const sql = `SELECT (SELECT c1 FROM ${identifiers.quote(name)}) AS rows, count(*) AS made FROM ${table} WHERE ${isEvent}`;
    return { name, query: identity.query, sql };
  }
  const wanted = identity?.columns.map((column) => columns[plan.query.columns.indexOf(column)]) ?? [rowOrder];
  const names = wanted.flatMap((column) => (column ? [column.stagedAs] : []));
  if (names.length === 0 || names.length < wanted.length) return undefined;
  const sql = `SELECT ${build.countDistinct(names)} AS rows, count(*) AS made FROM ${table} WHERE ${isEvent}`;
  return { name, sql };
}

/**
 * A warning when the joins of an element multiply rows, with the factor
 * (docs/semantics.md#54-joins-that-multiply-rows).
 */
export async function multiplicationNote(
  staging: QueriedDatabase,
  load: LoadTable,
  element: StagedElement,
  { name, query, sql }: BaseRowsStep,
  signal: AbortSignal,
  slice: ImportSlice,
): Promise<ImportNote | undefined> {
  if (query) await load(query, name);
  const [row] = await staging.query(sql, { signal });
  const [base, made] = [Number(row?.['rows']), Number(row?.['made'])];
  if (!(base > 0) || base >= made) return undefined;
  const factor = (made / base).toFixed(2).replace(/\.?0+$/, '');
  const which = made < element.rows ? 'rows with a time' : 'rows';
  const { activityName } = element.plan;
  return [
    `The joins of "${activityName}" make `,
    isPart(slice) ? String(made) : { count: made, of: { kind: 'starts', element: activityName } },
    ` ${which} of ${base} (× ${factor}): each of them is an event.`,
  ];
}
