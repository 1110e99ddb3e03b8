import { singleQuoted } from '../standard/lexical.ts';
import type { Times } from '../dialect.ts';

/** Sessions are in UTC, so a time has no zone. */
export const mysqlTimes: Times = {
  type: 'DATETIME(6)',
  literal: (iso) => `TIMESTAMP ${singleQuoted(iso.replace('T', ' '))}`,
  movable: ['0001-01-03', '9999-12-29'],
  isFinite: (time) => `NULLIF(${time} IS NOT NULL, FALSE)`,
  inZone: (time, timeZone) => `CONVERT_TZ(${time}, ${singleQuoted(timeZone)}, '+00:00')`,
  eraText: (text) => text,
  hasOffset: (text) => `${text} REGEXP '[0-9]:[0-9]{2}.*(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)[[:space:]]*$'`,
  zonedText: (text) =>
    `CONVERT_TZ(CAST(REGEXP_REPLACE(${text}, '(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)[[:space:]]*$', '') AS DATETIME(6)), ` +
    `COALESCE(NULLIF(REGEXP_SUBSTR(${text}, '[+-][0-9]{2}:[0-9]{2}[[:space:]]*$'), ''), '+00:00'), '+00:00')`,
  naiveText: (text) => `CAST(${text} AS DATETIME(6))`,
  formatted: undefined,
  utcLiteral: (iso) => `TIMESTAMP ${singleQuoted(iso.replace('T', ' ').replace(/(Z|[+-]00:?00)$/, ''))}`,
};
