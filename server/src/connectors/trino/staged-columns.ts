import type { CompiledQuery } from '../../query/compiled-query.ts';
import { trino } from '../../dialects/trino.ts';
import { trinoJsonText } from '../../dialects/trino/json-text.ts';
import type { StagedColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { executedSql, type ExecutedSql } from './error-position.ts';
import { queryColumn, type ResultColumn } from './result-columns.ts';

/** The columns of a query as they are staged in an Iceberg table, which lacks some types of Trino. Throws a `SourceError`. */
export function icebergColumns(columns: readonly ResultColumn[]): readonly StagedColumn[] {
  return columns.map((column, index) => ({
    ...queryColumn(column),
    stagedAs: `c${index + 1}`,
    stagedType: stagedValue(column, `c${index + 1}`).type,
  }));
}

/** Number of parts in which rows are numbered independently. Numbers are unique, with gaps. */
const parts = 1024;

/** Stages the rows of a query: `rowid`, then `c1`, `c2`, … */
export function stageStatement(
  table: string,
  query: CompiledQuery,
  columns: readonly ResultColumn[],
  sample: number | undefined,
): ExecutedSql {
  const names = columns.map((_, index) => `c${index + 1}`);
  const values = columns.map((column, index) => {
    const name = `c${index + 1}`;
    return `${stagedValue(column, name).sql} AS ${name}`;
  });
  const limit = sample === undefined ? '' : ` LIMIT ${sample}`;
  return executedSql(
    `CREATE TABLE ${table} AS SELECT part + ${parts} * (row_number() OVER (PARTITION BY part) - 1) AS rowid, ${names.join(', ')} FROM (SELECT random(${parts}) AS part, ${values.join(', ')} FROM (\n`,
    query,
    `\n) AS q (${names.join(', ')})${limit}) AS numbered`,
  );
}

interface StagedValue {
  readonly type: string;
  readonly sql: string;
}

/** A value as the embedded engine stages it. */
function stagedValue({ name, type: given, sense }: ResultColumn, column: string): StagedValue {
  const type = given.toLowerCase();
  const text = (sql: string): StagedValue => ({ type: 'varchar', sql });
  if (/^(boolean|integer|bigint|real|double|date)$/.test(type) || type.startsWith('decimal'))
    return { type, sql: column };
  if (type === 'tinyint' || type === 'smallint') return { type: 'integer', sql: `CAST(${column} AS integer)` };
  if (/^timestamp\b/.test(type)) return { type: 'timestamp(6)', sql: microseconds(column, type) };
  if (/^(array|map|row)\b/.test(type)) {
    const json = trinoJsonText(column, given);
    if (json !== undefined) return text(json);
  } else if (sense !== 'other') {
    return text(`CAST(${trino.canonical.value(`(${column})`, type, sense)} AS varchar)`);
  } else if (/^(uuid|ipaddress|interval)\b/.test(type)) {
    return text(`CAST(${column} AS varchar)`);
  }
  throw new SourceError(
    'type-mismatch',
    `The column ${name} is of the type ${given}, which has no text to be stored as.`,
    {
      remedy: 'Leave it out of key, properties and expect, convert it with SQL, or use engine: embedded.',
    },
  );
}

/** Digits beyond microseconds are left out; a cast alone would round them. */
function microseconds(column: string, type: string): string {
  const digits = Number(/\((\d+)\)/.exec(type)?.[1] ?? 3);
  const naive = type.endsWith('with time zone')
    ? `CAST(at_timezone(${column}, 'UTC') AS timestamp(${digits}))`
    : column;
  if (digits <= 6) return `CAST(${naive} AS timestamp(6))`;
  const text = `CAST(${naive} AS varchar)`;
  return `CAST(substr(${text}, 1, length(${text}) - ${digits - 6}) AS timestamp(6))`;
}
