import type { Dialect, ExactValues, Times } from './dialect.ts';
import { formatPattern } from './standard/format-pattern.ts';
import { mysqlCanonicalText, mysqlTextComparison } from './mysql/canonical-text.ts';
import { mysqlNumbers, mysqlTimes } from './mysql/comparisons.ts';
import { mysqlCompletion } from './mysql/completion.ts';
import { mysqlLexis } from './mysql/lexis.ts';
import { mysqlTypes } from './mysql/types.ts';
import { singleQuoted } from './standard/quoting.ts';

/**
 * `0000-00-00` is not NULL in the source, but missing when staged; floats and padded numbers are printed differently.
 */
const exact: ExactValues = {
  texts: (type, sense) =>
    sense === 'text' ||
    (/^(tiny|small|medium|big)?int|^integer|^decimal|^numeric/i.test(type) && !/zerofill/i.test(type)),
  nulls: (sense) => sense !== undefined && sense !== 'date' && sense !== 'timestamp',
  times: () => false,
};

function microseconds(since: string, count: string): string {
  return `TIMESTAMPADD(MICROSECOND, ${count}, TIMESTAMP ${singleQuoted(`${since} 00:00:00`)})`;
}

/** Sessions are in UTC, so a time has no zone. */
const times: Times = {
  type: 'DATETIME(6)',
  literal: (iso) => `TIMESTAMP ${singleQuoted(iso.replace('T', ' '))}`,
  movable: ['0001-01-03', '9999-12-29'],
  isFinite: (time) => `NULLIF(${time} IS NOT NULL, FALSE)`,
  inZone: (time, timeZone) => `CONVERT_TZ(${time}, ${singleQuoted(timeZone)}, '+00:00')`,
  endOfDay: (date) => `TIMESTAMP(${date}, '23:59:59.999999')`,
  readableText: (text) => text,
  hasOffset: (text) => `${text} REGEXP '[0-9]:[0-9]{2}.*(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)[[:space:]]*$'`,
  zonedText: (text) =>
    `CONVERT_TZ(CAST(REGEXP_REPLACE(${text}, '(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)[[:space:]]*$', '') AS DATETIME(6)), ` +
    `COALESCE(NULLIF(REGEXP_SUBSTR(${text}, '[+-][0-9]{2}:[0-9]{2}[[:space:]]*$'), ''), '+00:00'), '+00:00')`,
  naiveText: (text) => `CAST(${text} AS DATETIME(6))`,
  written: {
    reads: () => true,
    text(column, digits) {
      const text = `CAST(${column} AS CHAR)`;
      return digits === 0 ? text : `LPAD(${text}, ${digits}, '0')`;
    },
    parsed(text, format) {
      const pattern = format.replaceAll('%M', '%i').replaceAll('%S', '%s');
      return `CASE WHEN ${text} REGEXP ${singleQuoted(formatPattern(format))} THEN STR_TO_DATE(${text}, ${singleQuoted(pattern)}) END`;
    },
    atTimeOfDay: (date, time) => `TIMESTAMP(${date}, COALESCE(${time}, TIME '00:00:00'))`,
  },
  stored: {
    // Casts take any text for a number.
    number: undefined,
    epoch: (value, unit) => microseconds('1970-01-01', `ROUND(${value} * ${unit === 'seconds' ? 1_000_000 : 1000})`),
    excelDays: (value) => microseconds('1899-12-30', `ROUND(${value} * 86400000) * 1000`),
    jsonDate: (text) => microseconds('1970-01-01', `NULLIF(REGEXP_SUBSTR(${text}, '-?[0-9]+'), '') * 1000`),
    areInUtc: true,
  },
  utcLiteral: (iso) => `TIMESTAMP ${singleQuoted(iso.replace('T', ' ').replace(/(Z|[+-]00:?00)$/, ''))}`,
};

/**
 * MySQL and MariaDB. Sessions set `sql_mode`, so that SQL means the same on every server: double quotes are for names, a
 * backslash is an ordinary character, and `||` joins texts (`connectors/mysql/session-setup.ts`).
 */
export const mysql: Dialect = {
  name: 'mysql',
  label: 'MySQL',
  isEmbedded: false,
  lexis: mysqlLexis,
  /** Names of columns differ neither by case nor by accents; unquoted names keep their spelling. */
  identifiers: {
    quote: inBackticks,
    fold: nameKey,
    key: nameKey,
    isBare: (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
    maxBytes: undefined,
    reservedPrefix: undefined,
    path: splitAtFirstDot,
  },
  literals: { quote: singleQuoted, text: singleQuoted },
  operators: {
    /** Without backslash escapes, LIKE has no default escape character. */
    comparison(operator) {
      const sign = operator === '!=' ? '<>' : operator.toUpperCase();
      return { sign, suffix: operator.endsWith('like') ? " ESCAPE '\\'" : '' };
    },
    texts: mysqlTextComparison,
    comparesUnlikeTypes: true,
    times: mysqlTimes,
    numbers: mysqlNumbers,
  },
  canonical: mysqlCanonicalText,
  exact,
  times,
  types: mysqlTypes,
  completion: mysqlCompletion,
  /** There is no parser for it here: names and brackets are checked, the rest by the server. */
  validator: {
    parser: async ({ namesOnly }) => namesOnly(mysql),
    parserVersion: undefined,
    acceptsUnknownOperators: false,
  },
  build: undefined,
};

/** Throws on NUL, which no name has. */
function inBackticks(name: string): string {
  if (name.includes('\0')) throw new RangeError('SQL text cannot contain the character NUL.');
  return `\`${name.replaceAll('`', '``')}\``;
}

function nameKey(name: string): string {
  return /^[\x20-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Database and table. */
function splitAtFirstDot(name: string): readonly string[] {
  const dot = name.indexOf('.');
  return dot > 0 && dot < name.length - 1 ? [name.slice(0, dot), name.slice(dot + 1)] : [name];
}
