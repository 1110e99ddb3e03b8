import type { Column } from '../../catalog/catalog.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import type { QueryColumn } from '../connector.ts';

export function catalogColumn({ name, type }: Pick<Column, 'name' | 'type'>): Column {
  return { name, type, sense: columnSense(type), nullable: true, primaryKey: false };
}

export function queryColumn(name: string, type: string): QueryColumn {
  const sense = columnSense(type);
  return { name, type, sense, ...(sense === 'timestamp' && { zoned: isZoned(type) }) };
}

/** How a result column is staged: its expression and the resulting type. */
export function staging(column: string, type: string): { readonly expression: string; readonly stagedType: string } {
  const name = type.toUpperCase();
  if (isZoned(type)) {
    // `AT TIME ZONE` alone uses the calendar of the zone, which is ten times slower.
    const finite = `make_timestamp(epoch_us(${column}))`;
    const expression = `CASE WHEN isfinite(${column}) THEN ${finite} ELSE ${column} AT TIME ZONE 'UTC' END`;
    return { expression, stagedType: 'TIMESTAMP' };
  }
  switch (columnSense(type)) {
    case 'timestamp':
      return name === 'TIMESTAMP' ? same(column, type) : cast(column, 'TIMESTAMP');
    case 'json':
      return { expression: `CAST(to_json(${column}) AS VARCHAR)`, stagedType: 'VARCHAR' };
    case 'binary':
      return { expression: `lower(hex(${column}))`, stagedType: 'VARCHAR' };
    case 'text':
      return name === 'VARCHAR' || name === 'UUID' ? same(column, type) : cast(column, 'VARCHAR');
    case 'other':
      return cast(column, 'VARCHAR');
    default:
      return same(column, type);
  }
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
