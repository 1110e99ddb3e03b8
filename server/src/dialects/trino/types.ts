import type { ColumnSense } from '../../catalog/catalog.ts';
import type { TypeNames } from '../dialect.ts';

export const trinoTypes: TypeNames = {
  sense(type) {
    const [word = ''] = /^[a-z]+/i.exec(type) ?? [];
    return senses[word.toLowerCase()] ?? 'other';
  },
  firstCharacters: (value, count) => `substr(CAST(${value} AS varchar), 1, ${count})`,
  usual: {
    text: 'varchar',
    integer: 'bigint',
    number: 'double',
    boolean: 'boolean',
    json: 'json',
    date: 'date',
    timestamp: 'timestamp(6)',
    instant: 'timestamp(6) with time zone',
  },
};

/** By the first word of a type, such as that of `timestamp(3) with time zone`. */
const senses: Readonly<Record<string, ColumnSense>> = {
  boolean: 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  integer: 'integer',
  bigint: 'integer',
  decimal: 'number',
  real: 'number',
  double: 'number',
  varchar: 'text',
  char: 'text',
  uuid: 'text',
  ipaddress: 'text',
  // The type of a literal NULL.
  unknown: 'text',
  varbinary: 'binary',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  json: 'json',
  array: 'json',
  map: 'json',
  row: 'json',
};
