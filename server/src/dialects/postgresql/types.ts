import type { ColumnSense } from '../../catalog/catalog.ts';
import type { TypeNames } from '../dialect.ts';

export const postgresqlTypes: TypeNames = {
  sense(type) {
    const name = type.toLowerCase().replace(/\s*\([^)]*\)/, '');
    return name.endsWith('[]') ? 'json' : (senses[name] ?? 'other');
  },
  firstCharacters: (value, count) => `left(${value}::text, ${count})`,
  usual: {
    text: 'text',
    integer: 'bigint',
    number: 'double precision',
    boolean: 'boolean',
    json: 'jsonb',
    date: 'date',
    timestamp: 'timestamp without time zone',
    instant: 'timestamp with time zone',
  },
};

/** By the name that the catalog shows, and by the aliases that people write. */
const senses: Readonly<Record<string, ColumnSense>> = {
  smallint: 'integer',
  int2: 'integer',
  integer: 'integer',
  int: 'integer',
  int4: 'integer',
  bigint: 'integer',
  int8: 'integer',
  oid: 'integer',
  numeric: 'number',
  decimal: 'number',
  real: 'number',
  float4: 'number',
  'double precision': 'number',
  float8: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  text: 'text',
  name: 'text',
  '"char"': 'text',
  char: 'text',
  character: 'text',
  bpchar: 'text',
  varchar: 'text',
  'character varying': 'text',
  uuid: 'text',
  json: 'json',
  jsonb: 'json',
  bytea: 'binary',
  date: 'date',
  time: 'time',
  'time without time zone': 'time',
  'time with time zone': 'time',
  timetz: 'time',
  timestamp: 'timestamp',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamp',
  timestamptz: 'timestamp',
};
