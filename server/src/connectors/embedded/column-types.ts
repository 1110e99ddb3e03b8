import type { Column } from '../../catalog/catalog.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import type { QueryColumn } from '../connector.ts';

export function catalogColumn({ name, type }: Pick<Column, 'name' | 'type'>): Column {
  return { name, type, sense: columnSense(type), nullable: true, primaryKey: false };
}

export function queryColumn(name: string, type: string): QueryColumn {
  const sense = columnSense(type);
  return { name, type, sense, ...(sense === 'timestamp' && { zoned: isZoned(type) }) };
}

/** The type of times with digits below microseconds. */
export const nanoseconds = 'TIMESTAMP_NS';

/** SQL that is true for a time in nanoseconds that is one in microseconds, to which DuckDB's cast cuts it. */
export function isInMicroseconds(time: string): string {
  return `(NOT isfinite(${time}) OR epoch_ns(${time}) % 1000 = 0)`;
}

/**
 * How a result column is staged: its expression and the resulting type.
 * @param name of the result column, for errors
 */
export function staging(
  column: string,
  type: string,
  name: string = column,
): { readonly expression: string; readonly stagedType: string } {
  const upper = type.toUpperCase();
  if (isZoned(type)) {
    // `AT TIME ZONE` alone uses the calendar of the zone, which is ten times slower.
    const finite = `make_timestamp(epoch_us(${column}))`;
    const expression = `CASE WHEN isfinite(${column}) THEN ${finite} ELSE ${column} AT TIME ZONE 'UTC' END`;
    return { expression, stagedType: 'TIMESTAMP' };
  }
  switch (columnSense(type)) {
    case 'timestamp':
      if (upper === nanoseconds) return { expression: microseconds(column, name), stagedType: 'TIMESTAMP' };
      return upper === 'TIMESTAMP' ? same(column, type) : cast(column, 'TIMESTAMP');
    case 'json':
      return { expression: `CAST(to_json(${column}) AS VARCHAR)`, stagedType: 'VARCHAR' };
    case 'binary':
      return { expression: `lower(hex(${column}))`, stagedType: 'VARCHAR' };
    case 'text':
      return upper === 'VARCHAR' || upper === 'UUID' ? same(column, type) : cast(column, 'VARCHAR');
    case 'other':
      return cast(column, 'VARCHAR');
    default:
      return same(column, type);
  }
}

/** Fails for digits below microseconds. */
function microseconds(column: string, name: string): string {
  const value = `CAST(${column} AS VARCHAR)`;
  const failure = `${embeddedLiteral(`The column ${name} has the value `)} || ${value} || ', which has digits below microseconds: read it with CAST to TIMESTAMP to cut them off.'`;
  return `CASE WHEN ${column} IS NULL OR ${isInMicroseconds(column)} THEN CAST(${column} AS TIMESTAMP) ELSE error(${failure}) END`;
}

function isZoned(type: string): boolean {
  return /^(?:TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/i.test(type);
}

function same(expression: string, stagedType: string): { expression: string; stagedType: string } {
  return { expression, stagedType };
}

function cast(column: string, type: string): { expression: string; stagedType: string } {
  return { expression: `CAST(${column} AS ${type})`, stagedType: type };
}
