import pg from 'pg';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagedColumn } from '../connector.ts';
import { type ExecutedSql, executedSql } from './error-position.ts';
import { type ResultColumn, queryColumn } from './result-columns.ts';

/** A statement that stages rows, with the description of a plan. */
interface StagingStatement {
  readonly title: string;
  readonly executed: ExecutedSql;
}

/** Search path of generated statements, as SQL. */
export const stagingPath = 'pg_temp, pg_catalog';

/**
 * Stages the rows of a query for a build in a temporary table, with the columns `rowid` (from 0), `c1`, `c2`, …
 * @param sample number of rows
 */
export function stageRows(
  query: CompiledQuery,
  table: string,
  sample: number | undefined,
  columns: readonly ResultColumn[],
): readonly StagingStatement[] {
  const name = pg.escapeIdentifier(table);
  return [
    {
      title: 'Executed: the core query into a temporary table',
      executed: rowsSql(`CREATE TEMP TABLE ${name} ON COMMIT DROP AS `, query, sample, columns.map(expressionOf)),
    },
    { title: 'What is known of its columns', executed: executedSql(`ANALYZE pg_temp.${name}`, '', '') },
  ];
}

export function countStaged(table: string): StagingStatement {
  const sql = `SELECT count(*) FROM pg_temp.${pg.escapeIdentifier(table)}`;
  return { title: 'What it has', executed: executedSql(sql, '', '') };
}

function rowsSql(
  start: string,
  query: CompiledQuery,
  sample: number | undefined,
  expressions: readonly string[],
): ExecutedSql {
  const names = expressions.map((_, index) => `c${index + 1}`);
  const columns = expressions.map((expression, index) => `${expression} AS c${index + 1}`);
  const limit = sample === undefined ? '' : ` LIMIT ${sample}`;
  return executedSql(
    `${start}SELECT row_number() OVER () - 1 AS rowid, ${columns.join(', ')} FROM (\n`,
    query.sql,
    `\n) AS q (${names.join(', ')})${limit}`,
  );
}

/** PostgreSQL types that correspond to those of the embedded engine. */
const stagedTypes: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
  SMALLINT: 'smallint',
  INTEGER: 'integer',
  BIGINT: 'bigint',
  FLOAT: 'real',
  DOUBLE: 'double precision',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
};

export function stagedColumns(columns: readonly ResultColumn[]): readonly StagedColumn[] {
  return columns.map((column, index) => {
    const { stagedType } = column.columnType;
    const type = isWideNumber(column)
      ? 'numeric'
      : (stagedTypes[stagedType] ?? stagedType.replace('DECIMAL', 'numeric'));
    return {
      ...queryColumn(column),
      stagedAs: `c${index + 1}`,
      stagedType: type,
      staging: expressionOf(column, index),
    };
  });
}

/** Whether the embedded engine may have to stage the numbers of a column as texts. */
function isWideNumber({ columnType }: ResultColumn): boolean {
  return columnType.sense === 'number' && columnType.stagedType === 'VARCHAR';
}

/** Texts are compared by their bytes from here on, whatever the collation of the column. */
function expressionOf(column: ResultColumn, index: number): string {
  const name = `c${index + 1}`;
  const { cast, printed, stagedType } = column.columnType;
  if (isWideNumber(column)) return name;
  if (printed) return `${printed(name)} COLLATE "C"`;
  const value = cast?.(name) ?? name;
  return stagedType === 'VARCHAR' ? `(${value})::text COLLATE "C"` : value;
}
