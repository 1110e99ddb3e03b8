import { isUtcName } from '../../model/utc-names.ts';
import type { NumberComparison, TimeColumn, TimeComparison } from '../dialect.ts';
import { singleQuoted } from '../standard/quoting.ts';
import { offsetByTime } from '../standard/zone-offsets.ts';

/** Zero dates are missing in a graph, and a `TIMESTAMP` is in UTC, while a `DATETIME` is in the zone of the source. */
export const mysqlTimes: TimeComparison = {
  areAlike: () => false,
  operand(value, column, timeZone, other) {
    const known = `CASE WHEN YEAR(${value}) * MONTH(${value}) * DAYOFMONTH(${value}) > 0 THEN ${value} END`;
    const zone = zoneOf(column, timeZone);
    const isComparedAsStored = !isZoned(other) && zoneOf(other, timeZone) === zone;
    if (isZoned(column) || isComparedAsStored || isUtcName(zone)) return `(${known})`;
    const local = `CAST(${known} AS DATETIME(6))`;
    // Servers may lack the tables of `CONVERT_TZ`.
    const offset = offsetByTime(zone, (time) => `${value} < ${singleQuoted(time)}`);
    return `(${local} - INTERVAL ${offset} SECOND)`;
  },
  areEqualAsStored(left, right, timeZone) {
    const zones = new Set([left, right].map((column) => (isZoned(column) ? 'UTC' : zoneOf(column, timeZone))));
    return zones.size === 1 || [...zones].every(isUtcName);
  },
};

function zoneOf(column: TimeColumn, timeZone: string): string {
  return column.timeZone ?? timeZone;
}

function isZoned({ type }: TimeColumn): boolean {
  return /^timestamp\b/i.test(type);
}

/** The server rounds an integer or decimal to a floating-point number before it compares it with one. */
export const mysqlNumbers: NumberComparison = {
  condition(left, operator, right) {
    if (isFloat(left.type) === isFloat(right.type)) return undefined;
    const sign = operator === '!=' ? '<>' : operator;
    const [one, other] = [left, right].map(({ sql, type }) => (isFloat(type) ? exactFloat(sql) : sql));
    const exact = `${one} ${sign} ${other}`;
    // Numbers with more digits than a decimal has are not equal before either.
    return operator === '=' ? `${left.sql} = ${right.sql} AND ${exact}` : exact;
  },
};

function isFloat(type: string): boolean {
  return /^(?:float|double)/i.test(type);
}

/** A cast to a decimal keeps the shortest digits, which are not exact for whole numbers beyond 2^53. */
function exactFloat(value: string): string {
  const isWhole = `ABS(${value}) < 9.2e18 AND TRUNCATE(${value}, 0) = ${value}`;
  const whole = `CAST(CAST(${value} AS SIGNED) AS DECIMAL(65, 30))`;
  return `(CASE WHEN ${isWhole} THEN ${whole} ELSE CAST(${value} AS DECIMAL(65, 30)) END)`;
}
