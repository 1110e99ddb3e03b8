import { isUtcName } from '../../model/utc-names.ts';
import type { TimeComparison } from '../dialect.ts';
import { offsetByTime } from '../standard/zone-offsets.ts';

/**
 * Times of SQLite as microseconds since 1970, which the functions of SQLite do not have: they round to milliseconds.
 */
export const sqliteTimes: TimeComparison = {
  /** Texts of one form have the order of the times, and an index finds them; so do numbers of one unit. */
  areAlike(left, right, timeZone) {
    if (left.type !== right.type) return false;
    if (isNumber(left.type)) return true;
    if (left.timeForm === undefined || left.timeForm !== right.timeForm) return false;
    return left.timeForm.endsWith('Z') || (left.timeZone ?? timeZone) === (right.timeZone ?? timeZone);
  },
  operand(value, { type, timeZone: own }, ofSource) {
    const timeZone = own ?? ofSource;
    const ofNumber = numbers[type.toUpperCase()];
    if (ofNumber) return ofNumber(value);
    const isDate = /^DATE\b/i.test(type);
    const microseconds = isDate ? ofDate(value) : ofText(value);
    if (isUtcName(timeZone)) return microseconds;
    const local = `${microseconds} - 1000000 * ${localOffset(value, timeZone)}`;
    const hasOffset = `substr(${value}, 11) GLOB '*[-+Zz]*'`;
    return isDate ? `(${local})` : `(CASE WHEN ${hasOffset} THEN ${microseconds} ELSE ${local} END)`;
  },
};

/** By the types of the catalog. Days are exact to the millisecond. */
const numbers: Readonly<Record<string, (number: string) => string>> = {
  'TIMESTAMP AS UNIX SECONDS': (number) => `round(${number} * 1e6)`,
  'TIMESTAMP AS UNIX MILLISECONDS': (number) => `round(${number} * 1e3)`,
  'TIMESTAMP AS JULIAN DAYS': (number) => `round((${number} - 2440587.5) * 86400e3) * 1e3`,
};

function isNumber(type: string): boolean {
  return numbers[type.toUpperCase()] !== undefined;
}

/** The offset of a time without one: texts of times have their order, if one that ends earlier counts as whole. */
function localOffset(text: string, timeZone: string): string {
  const offset = offsetByTime(timeZone, (time) => `t < '${time.replace(/(?: 00:00)?:00$/, '')}'`);
  return `(SELECT ${offset} FROM (SELECT replace(${text}, 'T', ' ') AS t))`;
}

function ofDate(text: string): string {
  return `unixepoch(substr(${text}, 1, 10)) * 1000000`;
}

/**
 * The seconds without their fraction, and the fraction. SQLite knows offsets with minutes after a colon only; without
 * seconds, an offset begins after the minutes.
 */
function ofText(text: string): string {
  const seconds = `unixepoch(substr(${text}, 1, 19) || ${sqliteOffset(`ltrim(substr(${text}, 20), '.0123456789')`)})`;
  const whole = `${seconds} * 1000000 + round(CAST('0' || substr(${text}, 20, 7) AS REAL) * 1000000)`;
  const ofMinutes = `unixepoch(substr(${text}, 1, 16) || ${sqliteOffset(`substr(${text}, 17)`)}) * 1000000`;
  return `CASE WHEN substr(${text}, 17, 1) IN ('', ':') THEN ${whole} ELSE ${ofMinutes} END`;
}

function sqliteOffset(text: string): string {
  const offset = `trim(${text})`;
  return (
    `CASE WHEN ${offset} GLOB '[+-][0-9][0-9]' THEN ${offset} || ':00'` +
    ` WHEN ${offset} GLOB '[+-][0-9][0-9][0-9][0-9]' THEN substr(${offset}, 1, 3) || ':' || substr(${offset}, 4)` +
    ` ELSE ${offset} END`
  );
}
