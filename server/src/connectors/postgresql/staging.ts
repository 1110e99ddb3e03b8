import pg from 'pg';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagedColumn } from '../connector.ts';
import { type ExecutedSql, executedSql } from './error-position.ts';
import { type ResultColumn, queryColumn } from './result-columns.ts';

/** A statement that stages rows, with the description of a plan. */
export interface StagingStatement {
  readonly title: string;
  readonly executed: ExecutedSql;
}

/** Stages the rows of a query for a build, with the columns `rowid` (an identity), `c1`, `c2`, … */
export interface Staging {
  /** Search path of generated statements, as SQL. */
  readonly path: string;
  /** @param sample number of rows */
  fill(
    query: CompiledQuery,
    table: string,
    sample: number | undefined,
    columns: readonly ResultColumn[],
  ): readonly StagingStatement[];
  readonly count: (table: string) => StagingStatement;
}

/** Stages rows in a temporary table. */
export const temporaryStaging: Staging = {
  path: 'pg_temp, pg_catalog',
  fill(query, table, sample, columns) {
    const start = `CREATE TEMP TABLE ${pg.escapeIdentifier(table)} ON COMMIT DROP AS `;
    return [
      {
        title: 'Executed: the core query into a temporary table',
        executed: rowsSql(start, 'row_number() OVER () - 1', query, sample, columns.map(expressionOf), ''),
      },
      analyze(`pg_temp.${pg.escapeIdentifier(table)}`),
    ];
  },
  count: (table) => countOf(`pg_temp.${pg.escapeIdentifier(table)}`),
};

/**
 * Stages rows in a table that is distributed while it is empty. Each row gets a random UUID, because a sequence would
 * send all rows through the coordinator; 122 random bits make UUIDs unique. @param schema the schema of the build, as
 * an SQL name
 */
export function distributedStaging(schema: string, distribute: (table: string) => string): Staging {
  const name = (table: string): string => `${schema}.${pg.escapeIdentifier(table)}`;
  return {
    path: `${schema}, pg_catalog`,
    fill(query, table, sample, columns) {
      const expressions = columns.map(inDefaultCollation);
      const of = (start: string, end: string): ExecutedSql =>
        rowsSql(start, 'gen_random_uuid()', query, sample, expressions, end);
      return [
        {
          title: 'The columns of the core query, as a table',
          executed: of(`CREATE TABLE ${name(table)} AS `, ' WITH NO DATA'),
        },
        { title: 'Its rows will be on all nodes', executed: executedSql(distribute(name(table)), '', '') },
        // No ANALYZE: Citus refuses it after a statement that was executed on shards of the coordinator.
        { title: 'Executed: the core query into this table', executed: of(`INSERT INTO ${name(table)} `, '') },
      ];
    },
    count: (table) => countOf(name(table)),
  };
}

function countOf(table: string): StagingStatement {
  return { title: 'What it has', executed: executedSql(`SELECT count(*) FROM ${table}`, '', '') };
}

function analyze(table: string): StagingStatement {
  return { title: 'What is known of its columns', executed: executedSql(`ANALYZE ${table}`, '', '') };
}

function rowsSql(
  start: string,
  number: string,
  query: CompiledQuery,
  sample: number | undefined,
  expressions: readonly string[],
  end: string,
): ExecutedSql {
  const names = expressions.map((_, index) => `c${index + 1}`);
  const columns = expressions.map((expression, index) => `${expression} AS c${index + 1}`);
  const limit = sample === undefined ? '' : ` LIMIT ${sample}`;
  return executedSql(
    `${start}SELECT ${number} AS rowid, ${columns.join(', ')} FROM (\n`,
    query.sql,
    `\n) AS q (${names.join(', ')})${limit}${end}`,
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
    const type = stagedTypes[stagedType] ?? stagedType.replace('DECIMAL', 'numeric');
    return {
      ...queryColumn(column),
      stagedAs: `c${index + 1}`,
      stagedType: type,
      staging: expressionOf(column, index),
    };
  });
}

/** Citus colocates tables by text only if their columns have the same collation. */
function inDefaultCollation(column: ResultColumn, index: number): string {
  const expression = expressionOf(column, index);
  return column.columnType.stagedType === 'VARCHAR' ? `(${expression}) COLLATE "default"` : expression;
}

function expressionOf({ columnType }: ResultColumn, index: number): string {
  const name = `c${index + 1}`;
  const { cast, printed, stagedType } = columnType;
  if (printed) return printed(name);
  const value = cast?.(name) ?? name;
  return stagedType === 'VARCHAR' ? `(${value})::text` : value;
}
