import type { CellValue } from '../connector.ts';
import { isoDate, utcTextReader } from '../utc-text.ts';
import type { ResultColumn } from './result-columns.ts';
import { plainTime, shortTime } from './time-text.ts';

/** Converts a value of the protocol to the JSON value of a preview; times without zone are in `timeZone`. */
export function cellReader(column: ResultColumn, timeZone: string): (value: unknown) => CellValue {
  const read = readerOf(column, timeZone);
  return (value) => (value === null || value === undefined ? null : read(value));
}

function readerOf({ sense, type, zoned, columnType }: ResultColumn, timeZone: string): (value: unknown) => CellValue {
  switch (sense) {
    case 'boolean':
      return Boolean;
    case 'integer':
      return type === 'bigint' ? String : Number;
    case 'number':
      // NaN and the infinities are texts.
      return type.startsWith('decimal') ? String : (value) => (typeof value === 'number' ? value : String(value));
    case 'binary':
      return (value) => Buffer.from(String(value), 'base64').toString('hex');
    case 'date':
      return (value) => isoDate(plainTime(String(value), (date) => `${date} BC`));
    case 'timestamp': {
      const read = utcTextReader(zoned === true ? 'UTC' : timeZone);
      return (value) => read(plainTime(String(value), (date, clock) => `${date}${clock} BC`));
    }
    case 'time':
      return (value) => shortTime(String(value));
    default:
      return columnType.print ?? textOf;
  }
}

/** Values of types that are unknown here may have any form. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
