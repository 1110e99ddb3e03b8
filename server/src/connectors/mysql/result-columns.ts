import type { FieldPacket } from 'mysql2';
import type { QueryColumn, StagedColumn } from '../connector.ts';
import { columnTypeOf, type ColumnType } from './column-type.ts';

/** A result column and how to read it. */
export interface ResultColumn extends QueryColumn {
  readonly columnType: ColumnType;
}

/** The columns of a result, from the metadata of the protocol. */
export function resultColumns(fields: readonly FieldPacket[]): readonly ResultColumn[] {
  return fields.map((field) => {
    const type = typeOf(field as unknown as Definition);
    const columnType = columnTypeOf(type);
    const { sense, zoned } = columnType;
    return { name: field.name, type, sense, ...(zoned !== undefined && { zoned }), columnType };
  });
}

/** The column in the connector's interface. */
export function queryColumn({ name, type, sense, zoned }: ResultColumn): QueryColumn {
  return { name, type, sense, ...(zoned !== undefined && { zoned }) };
}

/** Columns of a staging table are named `c1`, `c2`, … */
export function stagedColumns(columns: readonly ResultColumn[]): readonly StagedColumn[] {
  return columns.map((column, index) => ({
    ...queryColumn(column),
    stagedAs: `c${index + 1}`,
    stagedType: column.columnType.stagedType,
  }));
}

/** A column definition of the protocol. */
interface Definition {
  readonly columnType: number;
  readonly columnLength: number;
  readonly decimals: number;
  readonly flags: number | readonly string[];
  readonly characterSet: number;
  readonly extendedFormat?: string;
  readonly extendedTypeName?: string;
}

const unsignedFlag = 32;
const enumFlag = 256;
const setFlag = 2048;
/** The character set `binary`. */
const binarySet = 63;
/** Bytes of a character in utf8mb4, which results have. */
const characterBytes = 4;

/** The type of a result column as the server writes types. */
function typeOf(field: Definition): string {
  const flags = typeof field.flags === 'number' ? field.flags : 0;
  const unsigned = (flags & unsignedFlag) !== 0 ? ' unsigned' : '';
  if (field.extendedFormat === 'json') return 'json';
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  const plain = plainTypes[field.columnType];
  if (plain !== undefined) return plain + (integerTypes.has(plain) ? unsigned : '');
  const { columnType, columnLength, decimals, characterSet } = field;
  switch (columnType) {
    case 0:
    case 246: {
      const signs = (decimals > 0 ? 1 : 0) + (unsigned === '' ? 1 : 0);
      return `decimal(${Math.max(1, columnLength - signs)},${decimals})${unsigned}`;
    }
    case 16:
      return `bit(${columnLength})`;
    case 7:
      return `timestamp${fraction(decimals)}`;
    case 12:
      return `datetime${fraction(decimals)}`;
    case 11:
      return `time${fraction(decimals)}`;
    default: {
      if ((flags & enumFlag) !== 0) return 'enum';
      if ((flags & setFlag) !== 0) return 'set';
      // A literal NULL is an empty binary text.
      const isBinary = characterSet === binarySet && columnLength > 0;
      if (columnType >= 249 && columnType <= 252) return isBinary ? 'blob' : 'text';
      const length = isBinary ? columnLength : Math.floor(columnLength / characterBytes);
      const base = isBinary ? 'binary' : 'char';
      return `${columnType === 254 ? '' : 'var'}${base}(${length})`;
    }
  }
}

function fraction(decimals: number): string {
  return decimals > 0 && decimals <= 6 ? `(${decimals})` : '';
}

const plainTypes: Readonly<Record<number, string>> = {
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  // A NULL without a type.
  6: 'varchar(0)',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  13: 'year',
  14: 'date',
  245: 'json',
  255: 'geometry',
};

const integerTypes: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint']);
