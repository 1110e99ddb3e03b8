import type { ColumnSense } from '../../catalog/catalog.ts';
import { trino } from '../../dialects/trino.ts';

/** How values of a type are read, staged and used. */
export interface ColumnType {
  readonly sense: ColumnSense;
  readonly zoned?: boolean;
  /** DuckDB type of the staged column. */
  readonly stagedType: string;
  /** SQL of a value that the protocol would not give exactly. */
  readonly select?: (column: string) => string;
}

/** All knowledge about reading types. @param type as the server writes it, such as `timestamp(3) with time zone` */
export function columnTypeOf(type: string): ColumnType {
  return { sense: trino.types.sense(type), ...readingOf(type.toLowerCase()) };
}

function readingOf(type: string): Omit<ColumnType, 'sense'> {
  const [, name = '', parameters = ''] = /^([a-z]+)\b\s*(?:\(([^]*)\))?/.exec(type) ?? [];
  switch (name) {
    case 'decimal':
      return { stagedType: `DECIMAL(${parameters.replace(/\s/g, '')})` };
    case 'timestamp':
      return timestampReading(type, parameters);
    case 'bigint':
      // A JSON number, of which JavaScript keeps 53 bits.
      return { stagedType: 'BIGINT', select: (column) => `CAST(${column} AS varchar)` };
    case 'char':
      return { stagedType: 'VARCHAR', select: (column) => `rtrim(${column})` };
    case 'array':
    case 'map':
    case 'row':
      // JSON by the server, which keeps large integers; of types that it cannot convert, by the protocol.
      if (noJson.test(type)) return { stagedType: 'VARCHAR' };
      return { stagedType: 'VARCHAR', select: (column) => `json_format(CAST(${column} AS json))` };
    default:
      return { stagedType: stagedTypes[name] ?? 'VARCHAR' };
  }
}

function timestampReading(type: string, parameters: string): Omit<ColumnType, 'sense'> {
  if (!type.endsWith('with time zone')) return { stagedType: 'TIMESTAMP', zoned: false };
  const digits = /^\d+/.exec(parameters)?.[0] ?? '3';
  return {
    ...{ stagedType: 'TIMESTAMP', zoned: true },
    select: (column) => `CAST(at_timezone(${column}, 'UTC') AS timestamp(${digits}))`,
  };
}

const stagedTypes: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  tinyint: 'SMALLINT',
  smallint: 'SMALLINT',
  integer: 'INTEGER',
  real: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
};

const noJson =
  /\b(varbinary|uuid|ipaddress|interval|hyperloglog|qdigest|tdigest|setdigest|geometry|sphericalgeography|bingtile|char|time)\b|map\((date|timestamp|array|row|map)/;
