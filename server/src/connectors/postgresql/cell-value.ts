import type { CellValue } from '../connector.ts';
import type { ResultColumn } from './result-columns.ts';
import { isoDate, utcTextReader } from '../utc-text.ts';

/** Converts PostgreSQL's text of a value to the JSON value of a preview; times without zone are in `timeZone`. */
export function cellReader(column: ResultColumn, timeZone: string): (text: string | null) => CellValue {
  const read = readerOf(column, timeZone);
  return (text) => (text === null ? null : read(text));
}

function readerOf({ sense, oid }: ResultColumn, timeZone: string): (text: string) => CellValue {
  switch (sense) {
    case 'boolean':
      return (text) => text === 't';
    case 'integer':
      return oid === bigintOid ? unchanged : Number;
    case 'number':
      return oid === realOid || oid === doubleOid ? finiteNumber : unchanged;
    case 'binary':
      // `\x` and hexadecimal digits, by the session's settings.
      return (text) => text.slice(2);
    case 'date':
      return isoDate;
    case 'timestamp':
      return utcTextReader(timeZone);
    default:
      return unchanged;
  }
}

const bigintOid = 20;
const realOid = 700;
const doubleOid = 701;

function unchanged(text: string): string {
  return text;
}

/** JSON has no NaN and infinities: they stay texts. */
function finiteNumber(text: string): CellValue {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
