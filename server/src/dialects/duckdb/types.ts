import type { ColumnSense } from '../../catalog/catalog.ts';
import type { TypeNames } from '../dialect.ts';

export const duckdbTypes: TypeNames = {
  sense: columnSense,
  firstCharacters: (value, count) => `left(${value}::text, ${count})`,
  usual: {
    text: 'VARCHAR',
    integer: 'BIGINT',
    number: 'DOUBLE',
    boolean: 'BOOLEAN',
    json: 'JSON',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    instant: 'TIMESTAMP WITH TIME ZONE',
  },
};

/** Type category of a DuckDB type. */
export function columnSense(type: string): ColumnSense {
  const name = type.toUpperCase();
  if (name.endsWith(']')) return 'json';
  if (/^TIMESTAMP/.test(name)) return 'timestamp';
  if (/^(?:STRUCT|MAP|UNION|JSON|VARIANT)/.test(name)) return 'json';
  if (/^(?:DECIMAL|NUMERIC|FLOAT|DOUBLE|REAL)/.test(name)) return 'number';
  return senses[name] ?? (name.startsWith('ENUM') ? 'text' : 'other');
}

const senses: Readonly<Record<string, ColumnSense>> = {
  DATE: 'date',
  TIME: 'time',
  'TIME WITH TIME ZONE': 'time',
  TINYINT: 'integer',
  SMALLINT: 'integer',
  INTEGER: 'integer',
  BIGINT: 'integer',
  HUGEINT: 'integer',
  UTINYINT: 'integer',
  USMALLINT: 'integer',
  UINTEGER: 'integer',
  UBIGINT: 'integer',
  UHUGEINT: 'integer',
  VARCHAR: 'text',
  TEXT: 'text',
  UUID: 'text',
  BOOLEAN: 'boolean',
  BLOB: 'binary',
};
