import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagedColumn } from '../connector.ts';
import { executedSql, type ExecutedSql } from './error-position.ts';
import { queryColumn, type ResultColumn } from './result-columns.ts';

/**
 * The `COPY` statement of the core SELECT: every column in a form that DuckDB reads without loss, named `c1`, `c2`, …
 */
export function copyStatement(
  query: CompiledQuery,
  columns: readonly ResultColumn[],
  sample: number | undefined,
): ExecutedSql {
  const names = columns.map((_, index) => stagedName(index));
  const expressions = columns.map(({ columnType }, index) => columnType.cast?.(stagedName(index)) ?? stagedName(index));
  // In a CSV with one column, a NULL would be an empty line, which readers skip.
  if (expressions.length === 1) expressions.push('0');
  const limit = sample === undefined ? '' : ` LIMIT ${sample}`;
  return executedSql(
    `COPY (SELECT ${expressions.join(', ')} FROM (\n`,
    query.sql,
    `\n) AS q (${names.join(', ')})${limit}) TO STDOUT (FORMAT csv)`,
  );
}

/** The query without rows, to determine its columns without running it. */
export function emptyStatement(query: CompiledQuery): ExecutedSql {
  return executedSql('SELECT * FROM (\n', query.sql, '\n) AS q LIMIT 0');
}

export function stagedColumns(columns: readonly ResultColumn[]): readonly StagedColumn[] {
  return columns.map((column, index) => ({
    ...queryColumn(column),
    stagedAs: stagedName(index),
    stagedType: column.columnType.stagedType,
  }));
}

function stagedName(index: number): string {
  return `c${index + 1}`;
}
