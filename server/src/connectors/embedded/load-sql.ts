import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { QueryColumn } from '../connector.ts';
import { staging as stagedAs } from './column-types.ts';

/** The CREATE TABLE of an import: the core SELECT with renamed and cast columns. */
export function loadSql(
  query: CompiledQuery,
  table: string,
  columns: readonly QueryColumn[],
  sample: number | undefined,
): StagingSql {
  return stagingSql(`CREATE TABLE ${quoteIdentifier(table)} AS`, query, columns, sample);
}

/** SQL that appends the rows of a query to an existing staging table. */
export function appendSql(query: CompiledQuery, table: string, columns: readonly QueryColumn[]): StagingSql {
  return stagingSql(`INSERT INTO ${quoteIdentifier(table)}`, query, columns, undefined);
}

interface StagingSql {
  readonly sql: string;
  /** Offset of the core SELECT. */
  readonly coreOffset: number;
}

function stagingSql(
  into: string,
  query: CompiledQuery,
  columns: readonly QueryColumn[],
  sample: number | undefined,
): StagingSql {
  const names = columns.map((_, index) => `c${index + 1}`);
  const list = columns.map(
    ({ type, name }, index) => `${stagedAs(`c${index + 1}`, type, name).expression} AS c${index + 1}`,
  );
  const prefix = `${into} SELECT ${list.join(', ')} FROM (\n`;
  const limit = sample === undefined ? '' : ` LIMIT ${sample}`;
  return { sql: `${prefix}${query.sql}\n) AS q(${names.join(', ')})${limit}`, coreOffset: prefix.length };
}

export function countSql(table: string): string {
  return `SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`;
}
