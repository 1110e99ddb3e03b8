import type { ColumnSense } from '../../catalog/catalog.ts';

/** How values of a type are read, staged and used. */
export interface ColumnType {
  readonly sense: ColumnSense;
  readonly zoned?: boolean;
  /** DuckDB type of the staged column. */
  readonly stagedType: string;
  /** SQL of a value that the protocol would not give exactly. */
  readonly select?: (column: string) => string;
}

/** All knowledge about types. @param type as the server writes it, such as `timestamp(3) with time zone` */
export function columnTypeOf(type: string): ColumnType {
  const lower = type.toLowerCase();
  const [, name = '', parameters = ''] = /^([a-z0-9 ]+?)\s*(?:\(([^]*)\))?$/.exec(lower) ?? [];
  if (name === 'decimal') return { sense: 'number', stagedType: `DECIMAL(${parameters.replace(/\s/g, '')})` };
  if (/^timestamp\b/.test(lower)) return timestampType(lower);
  if (/^time\b/.test(lower)) return { sense: 'time', stagedType: 'VARCHAR' };
  if (/^(array|map|row)\b/.test(lower)) return nestedType(lower);
  if (name === 'char') return { ...text, select: (column) => `rtrim(${column})` };
  return plainTypes[name] ?? { sense: 'other', stagedType: 'VARCHAR' };
}

const text: ColumnType = { sense: 'text', stagedType: 'VARCHAR' };

const plainTypes: Readonly<Record<string, ColumnType>> = {
  boolean: { sense: 'boolean', stagedType: 'BOOLEAN' },
  tinyint: { sense: 'integer', stagedType: 'SMALLINT' },
  smallint: { sense: 'integer', stagedType: 'SMALLINT' },
  integer: { sense: 'integer', stagedType: 'INTEGER' },
  // A JSON number, of which JavaScript keeps 53 bits.
  bigint: { sense: 'integer', stagedType: 'BIGINT', select: (column) => `CAST(${column} AS varchar)` },
  real: { sense: 'number', stagedType: 'FLOAT' },
  double: { sense: 'number', stagedType: 'DOUBLE' },
  varchar: text,
  varbinary: { sense: 'binary', stagedType: 'VARCHAR' },
  date: { sense: 'date', stagedType: 'DATE' },
  json: { sense: 'json', stagedType: 'VARCHAR' },
  uuid: text,
  ipaddress: text,
  /** The type of a literal NULL. */
  unknown: text,
};

function timestampType(type: string): ColumnType {
  if (!type.endsWith('with time zone')) return { sense: 'timestamp', stagedType: 'TIMESTAMP', zoned: false };
  const digits = /\((\d+)\)/.exec(type)?.[1] ?? '3';
  return {
    ...{ sense: 'timestamp', stagedType: 'TIMESTAMP', zoned: true },
    select: (column) => `CAST(at_timezone(${column}, 'UTC') AS timestamp(${digits}))`,
  };
}

/** JSON by the server, which keeps large integers; of types that it cannot convert, by the protocol. */
function nestedType(type: string): ColumnType {
  const json: ColumnType = { sense: 'json', stagedType: 'VARCHAR' };
  return noJson.test(type) ? json : { ...json, select: (column) => `json_format(CAST(${column} AS json))` };
}

const noJson =
  /\b(varbinary|uuid|ipaddress|interval|hyperloglog|qdigest|tdigest|setdigest|geometry|sphericalgeography|bingtile|char|time)\b|map\((date|timestamp|array|row|map)/;
