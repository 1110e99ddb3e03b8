import type { ColumnSense } from '../../catalog/catalog.ts';
import { trino } from '../../dialects/trino.ts';
import { trinoJsonText } from '../../dialects/trino/json-text.ts';
import { protocolJson } from './protocol-json.ts';

/** How values of a type are read, staged and used. */
export interface ColumnType {
  readonly sense: ColumnSense;
  readonly zoned?: boolean;
  /** DuckDB type of the staged column. */
  readonly stagedType: string;
  /** SQL of a value that the protocol would not give exactly. */
  readonly select?: (column: string) => string;
  /** Prints a value of the protocol that is not a scalar. */
  readonly print?: (value: unknown) => string;
}

/** All knowledge about reading types. @param type as the server writes it, such as `timestamp(3) with time zone` */
export function columnTypeOf(type: string): ColumnType {
  return { sense: trino.types.sense(type), ...readingOf(type) };
}

function readingOf(given: string): Omit<ColumnType, 'sense'> {
  const type = given.toLowerCase();
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
      return structureReading(given);
    default:
      return { stagedType: stagedTypes[name] ?? 'VARCHAR' };
  }
}

/** JSON by the server, or by the protocol where the server cannot convert a part, such as `varbinary`. */
function structureReading(type: string): Omit<ColumnType, 'sense'> {
  return trinoJsonText('', type) === undefined
    ? { stagedType: 'VARCHAR', print: protocolJson(type) }
    : { stagedType: 'VARCHAR', select: (column) => trinoJsonText(column, type) ?? column };
}

function timestampReading(type: string, parameters: string): Omit<ColumnType, 'sense'> {
  if (!type.endsWith('with time zone')) return { stagedType: 'TIMESTAMP', zoned: false };
  const digits = /^\d+/.exec(parameters)?.[0] ?? '3';
  return {
    stagedType: 'TIMESTAMP',
    zoned: true,
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
