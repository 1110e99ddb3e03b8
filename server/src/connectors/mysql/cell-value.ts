import type { CellValue } from '../connector.ts';
import { utcTextReader } from '../utc-text.ts';
import type { ResultColumn } from './result-columns.ts';
import type { DriverValue } from './session.ts';
import { isZeroDate } from './zero-date.ts';

/** Converts a value to the JSON value of a preview; times without zone are in `timeZone`, zero dates are NULL. */
export function cellReader(column: ResultColumn, timeZone: string): (value: DriverValue) => CellValue {
  const read = readerOf(column, timeZone);
  return (value) => (value === null ? null : read(value));
}

function readerOf(
  { sense, type, zoned }: ResultColumn,
  timeZone: string,
): (value: Exclude<DriverValue, null>) => CellValue {
  switch (sense) {
    case 'integer':
      if (type.startsWith('bit')) return (value) => bitsOf(value);
      return type.startsWith('bigint') ? String : Number;
    case 'number':
      if (type === 'float') return (value) => shortestFloat(Number(value));
      return type === 'double' ? Number : String;
    case 'binary':
      return (value) => (Buffer.isBuffer(value) ? value.toString('hex') : Buffer.from(String(value)).toString('hex'));
    case 'date':
      return (value) => (isNoDate(value) ? null : String(value));
    case 'timestamp': {
      const read = utcTextReader(zoned === true ? 'UTC' : timeZone);
      return (value) => (isNoDate(value) ? null : read(String(value)));
    }
    default:
      return textOf;
  }
}

function isNoDate(value: Exclude<DriverValue, null>): boolean {
  return isZeroDate(Buffer.from(String(value)));
}

function textOf(value: Exclude<DriverValue, null>): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : String(value);
}

/** Up to 53 bits as a number, else as a text. */
function bitsOf(value: Exclude<DriverValue, null>): CellValue {
  const text = Buffer.isBuffer(value) ? BigInt(`0x${value.toString('hex') || '0'}`).toString() : String(value);
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** The shortest number that is the same float of four bytes. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
