import type { LoadResult, StagedColumn } from '../connectors/connector.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { CompiledQuery, EndColumn, EndQuery } from '../query/compiled-query.ts';
import { stagedText } from './build/key-sql.ts';
import type { StatementsStep } from './build/plan-statement.ts';
import { stagedColumns } from './build/staged-element.ts';
import { type TimePlace, utcTime } from './build/utc-time.ts';
import { queryError } from '../connectors/embedded/query-error.ts';
import { isDuckDbError } from '../store/duckdb-store.ts';
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
    statements: [
      ...ends.map((staged) => ({
        title: `Values of ${staged.end.view} as they are compared`,
        sql: endViewSql(staged, place),
      })),
      { title: 'The join', sql: `${createPairs(table)}${query.sql}` },
    ],
  };
}

function createPairs(table: string): string {
  return `CREATE TABLE ${quoteIdentifier(table)} AS\n`;
}

/** An error of the join, with its place in the entity graph. */
export function joinFailure(
  error: unknown,
  { name, query, table }: Pick<RelationshipPlan, 'name' | 'table'> & { readonly query: CompiledQuery },
): unknown {
  if (!isDuckDbError(error)) return error;
  // Without a table the join is run by itself, for a preview.
  const core = { offset: table === '' ? 0 : createPairs(table).length, length: query.sql.length };
  return new QueryFailure(queryError(error, { core }, undefined), query, name);
}

/** The view of a staged end: its columns in the forms in which the join compares them. */
export function endViewSql({ end, loaded }: StagedEnd, place: TimePlace): string {
  const column = stagedColumns(end.query.columns, loaded, end.view);
  const items = end.columns.map(({ as, of, form }) => `${formed(column(of), form, place)} AS ${quoteIdentifier(as)}`);
  // A cross table may be named by no mapping that is left.
  const list = items.length > 0 ? items.join(', ') : '1 AS "none"';
  return `CREATE TEMPORARY VIEW ${quoteIdentifier(end.view)} AS SELECT ${list} FROM ${quoteIdentifier(end.table)}`;
}

function formed(column: StagedColumn, form: EndColumn['form'], place: TimePlace): string {
  switch (form) {
    case 'text':
      return stagedText(column, place);
    case 'time':
      return `coalesce(${utcTime(column, place)}, CAST(${column.stagedAs} AS TIMESTAMP))`;
    case 'number':
      // Numbers too large for any numeric type are staged as texts.
      return column.stagedType === 'VARCHAR' ? `TRY_CAST(${column.stagedAs} AS DOUBLE)` : column.stagedAs;
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
