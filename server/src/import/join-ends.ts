import type { LoadResult, StagedColumn } from '../connectors/connector.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { CompiledQuery, EndColumn, EndQuery } from '../query/compiled-query.ts';
import { stagedText } from './build/key-sql.ts';
import type { StatementsStep } from './build/plan-statement.ts';
import { stagedColumns } from './build/staged-element.ts';
import { type TimePlace, utcTime } from './build/utc-time.ts';
import { exactDigits, isFloat, orderedNumber } from '../dialects/duckdb/number-comparison.ts';
import { queryError } from '../connectors/embedded/query-error.ts';
import { type DuckDbSession, isDiskFull, isDuckDbError, isOutOfMemory } from '../store/duckdb-store.ts';
import type { RelationshipPlan } from './plan-import.ts';
import { QueryFailure } from './query-failure.ts';

/** An end of a relationship across data sources, staged. */
export interface StagedEnd {
  readonly end: EndQuery;
  readonly loaded: LoadResult;
}

/** Joins the staged ends of a relationship in the embedded engine (docs/semantics.md#162-relationships-across-data-sources). */
export function joinEndsStep(
  { name, query, table }: RelationshipPlan,
  ends: readonly StagedEnd[],
  place: TimePlace,
): StatementsStep {
  return {
    name: table,
    title: `Pairs of ${name}, joined over what was read of each data source`,
    statements: [...endViews(ends, place), { title: 'The join', sql: `${createPairs(table)}${query.sql}` }],
  };
}

/**
 * Runs the statements of `joinEndsStep`. If the join runs out of memory, a second statement removes equal pairs:
 * separately, join and deduplication spill to disk; together, they compete for memory and fail. If the disk cannot hold
 * all matches, the join may use more memory instead. Rejects with a `QueryFailure`, the database's error, or the
 * signal's reason.
 */
export async function joinEnds(
  database: Pick<DuckDbSession, 'run'>,
  plan: RelationshipPlan,
  { statements }: StatementsStep,
  signal: AbortSignal,
): Promise<void> {
  const { name, query, table } = plan;
  const join = statements.at(-1)?.sql ?? '';
  const failed = (error: unknown, of: { readonly query: CompiledQuery; readonly table: string }): unknown =>
    signal.aborted ? error : joinFailure(error, { name, ...of });
  try {
    for (const { sql } of statements.slice(0, -1)) await database.run(sql, { signal });
    await database.run(join, { signal, isWithinMemory: query.everyMatch !== undefined });
  } catch (error) {
    if (!isOutOfMemory(error) || !query.everyMatch) throw failed(error, plan);
    const matches = { query: { ...query, ...query.everyMatch }, table: `${table}_matches` };
    try {
      await database.run(`${createPairs(matches.table)}${matches.query.sql}`, { signal });
      await database.run(`${createPairs(table)}SELECT DISTINCT * FROM ${quoteIdentifier(matches.table)}`, { signal });
      await database.run(`DROP TABLE ${quoteIdentifier(matches.table)}`, { signal });
    } catch (again) {
      if (!isDiskFull(again)) throw failed(again, matches);
      // The disk is full of matches. Their distinct pairs may be few enough for memory.
      await database.run(`DROP TABLE IF EXISTS ${quoteIdentifier(matches.table)}`);
      await database.run(join, { signal }).catch((last: unknown) => {
        throw failed(last, plan);
      });
    }
  }
}

function createPairs(table: string): string {
  return `CREATE TABLE ${quoteIdentifier(table)} AS\n`;
}

/**
 * An error of a join, with its place in the entity graph.
 * @param join.table the table to fill; empty for a preview, which runs the join alone
 */
export function joinFailure(
  error: unknown,
  { name, query, table }: { readonly name: string; readonly query: CompiledQuery; readonly table: string },
): unknown {
  if (!isDuckDbError(error)) return error;
  const core = { offset: table === '' ? 0 : createPairs(table).length, length: query.sql.length };
  return new QueryFailure(queryError(error, { core }, undefined), query, name);
}

/** The views of the staged ends of a relationship, with their columns converted for the comparison. */
export function endViews(
  ends: readonly StagedEnd[],
  place: TimePlace,
): readonly { readonly title: string; readonly sql: string }[] {
  const ordersExactly = comparesFloats(ends);
  return ends.map((staged) => ({
    title: `Values of ${staged.end.view} as they are compared`,
    sql: endViewSql(staged, place, ordersExactly),
  }));
}

/** Whether floating-point numbers may be compared with others by order: DuckDB would round these before. */
function comparesFloats(ends: readonly StagedEnd[]): boolean {
  return ends.some(({ end, loaded }) => {
    const column = stagedColumns(end.query.columns, loaded, end.view);
    return end.columns.some(({ of, form }) => {
      const type = form === 'number' ? column(of).stagedType : '';
      return type === 'VARCHAR' || isFloat(type);
    });
  });
}

/** @param ordersExactly `comparesFloats` of all ends of the relationship */
function endViewSql({ end, loaded }: StagedEnd, place: TimePlace, ordersExactly: boolean): string {
  const column = stagedColumns(end.query.columns, loaded, end.view);
  const items = end.columns.map(
    ({ as, of, form }) => `${formed(column(of), form, place, ordersExactly)} AS ${quoteIdentifier(as)}`,
  );
  // No mapping may use the cross table.
  const list = items.length > 0 ? items.join(', ') : '1 AS "none"';
  return `CREATE TEMPORARY VIEW ${quoteIdentifier(end.view)} AS SELECT ${list} FROM ${quoteIdentifier(end.table)}`;
}

function formed(column: StagedColumn, form: EndColumn['form'], place: TimePlace, ordersExactly: boolean): string {
  switch (form) {
    case 'text':
      return stagedText(column, place);
    case 'time':
      return `coalesce(${utcTime(column, place)}, CAST(${column.stagedAs} AS TIMESTAMP))`;
    case 'digits':
      return isFloat(column.stagedType) ? exactDigits(column.stagedAs) : stagedText(column, place);
    case 'number':
      return ordersExactly ? orderedNumber({ sql: column.stagedAs, type: column.stagedType }) : column.stagedAs;
    case 'value':
      return column.sense === 'timestamp' ? utcTime(column, place) : column.stagedAs;
  }
}

/** The pairs of a relationship across data sources: their keys are canonical texts. */
export function joinedPairs({ query }: RelationshipPlan, rows: number): LoadResult {
  const columns = query.columns.map((name): StagedColumn => ({
    name,
    type: 'VARCHAR',
    sense: 'text',
    stagedAs: name,
    stagedType: 'VARCHAR',
  }));
  return { sourceRows: rows, columns, warnings: [] };
}
