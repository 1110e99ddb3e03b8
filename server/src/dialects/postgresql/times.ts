import type { Times } from '../dialect.ts';
import { inZone, isFinite, offsetPattern } from '../standard/times.ts';
import { postgresqlLiterals } from './literals.ts';

export const postgresqlTimes: Times = {
  movable: ['4714-11-26 BC', '294276-12-29'],
  isFinite,
  inZone,
  eraText: (text) => text,
  hasOffset: (text) => `${text} ~ ${postgresqlLiterals.quote(offsetPattern)}`,
  zonedText: (text) => `CASE WHEN ${isTime(text, 'timestamptz')} THEN ${text}::timestamptz AT TIME ZONE 'UTC' END`,
  naiveText: (text) => `CASE WHEN ${isTime(text, 'timestamp')} THEN ${text}::timestamp END`,
};

/** PostgreSQL also reads words such as `tomorrow`, which are no time of an event. */
function isTime(text: string, type: string): string {
  return `${text} ~ '^\\s*([0-9]{4}-|-?infinity)' AND pg_input_is_valid(${text}, '${type}')`;
}
