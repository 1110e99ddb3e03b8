import type { Times } from '../dialect.ts';
import { singleQuoted } from '../standard/lexical.ts';

/** `inZone` as a single expression: Citus rejects common table expressions inside a row expression. */
export function inZoneAtOnce(time: string, timeZone: string): ReturnType<Times['inZone']> {
  const zone = singleQuoted(timeZone);
  const day = `INTERVAL '1 day'`;
  const wall = (instant: string): string => `timezone(${zone}, ${instant} AT TIME ZONE 'UTC')`;
  const given = `(${time})`;
  const later = `(timezone(${zone}, ${given}) AT TIME ZONE 'UTC')`;
  const earlier = `(${given} - (${wall(`(${later} - ${day})`)} - (${later} - ${day})))`;
  return `(CASE WHEN ${wall(earlier)} = ${given} OR ${wall(later)} <> ${given} THEN ${earlier} ELSE ${later} END)`;
}
