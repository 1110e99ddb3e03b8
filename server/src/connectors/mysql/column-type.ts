import type { ColumnSense } from '../../catalog/catalog.ts';

/** How values of a type are read, staged and used. */
export interface ColumnType {
  readonly sense: ColumnSense;
  readonly zoned?: boolean;
  /** DuckDB type of the staged column. */
  readonly stagedType: string;
  /** SQL of a value that the protocol or the driver would not give exactly. */
  readonly select?: (column: string) => string;
}

/** All knowledge about types. @param type as servers write it, such as `decimal(10,2) unsigned`. */
export function columnTypeOf(type: string): ColumnType {
  const [, name = '', parameters = ''] = /^([a-z0-9_ ]+?)\s*(?:\(([^]*)\))?(?: unsigned| zerofill)*$/i.exec(type) ?? [];
  const isUnsigned = / unsigned\b/i.test(type);
  const word = name.toLowerCase();
  const integer = integers[word];
  if (integer) return { sense: 'integer', stagedType: isUnsigned ? integer.unsigned : integer.signed };
  if (word === 'decimal' || word === 'numeric') return decimalType(parameters);
  if (word === 'bit')
    return { sense: 'integer', stagedType: Number(parameters || 1) < 64 ? 'BIGINT' : 'DECIMAL(20,0)' };
  if (/^(enum|set)\b/i.test(type)) return text;
  if (/(text|char)$/.test(word)) return text;
  if (/(blob|binary)$/.test(word)) return { sense: 'binary', stagedType: 'VARCHAR' };
  return others[word] ?? (spatial.has(word) ? geometry : { sense: 'other', stagedType: 'VARCHAR' });
}

const text: ColumnType = { sense: 'text', stagedType: 'VARCHAR' };

/** TINYINT(1) is an integer: it holds 2 as well as 1. */
const integers: Readonly<Record<string, { readonly signed: string; readonly unsigned: string }>> = {
  tinyint: { signed: 'SMALLINT', unsigned: 'SMALLINT' },
  smallint: { signed: 'SMALLINT', unsigned: 'INTEGER' },
  mediumint: { signed: 'INTEGER', unsigned: 'INTEGER' },
  int: { signed: 'INTEGER', unsigned: 'BIGINT' },
  bigint: { signed: 'BIGINT', unsigned: 'DECIMAL(20,0)' },
  year: { signed: 'SMALLINT', unsigned: 'SMALLINT' },
};

const others: Readonly<Record<string, ColumnType>> = {
  // The text protocol prints six digits of a float.
  float: { sense: 'number', stagedType: 'FLOAT', select: (column) => `${column} + 0e0` },
  double: { sense: 'number', stagedType: 'DOUBLE' },
  date: { sense: 'date', stagedType: 'DATE' },
  datetime: { sense: 'timestamp', stagedType: 'TIMESTAMP', zoned: false },
  timestamp: { sense: 'timestamp', stagedType: 'TIMESTAMP', zoned: true },
  // From -838:59:59 to 838:59:59, which no type of DuckDB holds.
  time: { sense: 'time', stagedType: 'VARCHAR' },
  json: { sense: 'json', stagedType: 'VARCHAR' },
  uuid: text,
  inet4: text,
  inet6: text,
};

const spatial: ReadonlySet<string> = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  'geomcollection',
]);

const geometry: ColumnType = {
  sense: 'other',
  stagedType: 'VARCHAR',
  select: (column) => `ST_AsText(${column})`,
};

/** DuckDB's decimals have at most 38 digits; larger ones are texts, unless all values are smaller (`segments/wide-decimals.ts`). */
function decimalType(parameters: string): ColumnType {
  const [precision = 10, scale = 0] = parameters === '' ? [] : parameters.split(',').map(Number);
  return { sense: 'number', stagedType: precision <= 38 ? `DECIMAL(${precision},${scale})` : 'VARCHAR' };
}
