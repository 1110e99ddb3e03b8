import type { BuildingDialect } from './dialect.ts';
import { duckdbCanonicalText } from './duckdb/canonical-text.ts';
import { duckdbCompletion } from './duckdb/completion.ts';
import { duckdbJudging } from './duckdb/judging.ts';
import { duckdbNumbers } from './duckdb/number-comparison.ts';
import { duckdbLists } from './duckdb/lists.ts';
import { duckdbTypes } from './duckdb/types.ts';
import { standardMeasuring } from './standard/measuring.ts';
import { commonBuild } from './standard/build.ts';
import { doubleQuoted, lowerAscii, singleQuoted } from './standard/quoting.ts';
import { isFineTimeSql } from './standard/fine-times.ts';
import { standardLexis } from './standard/lexis.ts';
import { exactValues } from './standard/exact-values.ts';
import {
  endOfDay,
  inZone,
  isFinite,
  offsetPattern,
  timesInUtc,
  timestampLiteral,
  timestampType,
  utcLiteral,
} from './standard/times.ts';

/**
 * DuckDB: the embedded engine. It stages and builds graphs, and runs the SQL of all sources without their own engine.
 */
export const duckdb: BuildingDialect = {
  name: 'duckdb',
  label: 'DuckDB',
  isEmbedded: true,
  lexis: standardLexis,
  /** Names are case-insensitive, even quoted, and data objects have no schema. */
  identifiers: {
    quote: doubleQuoted,
    fold: lowerAscii,
    key: lowerAscii,
    isBare: (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
    maxBytes: undefined,
    reservedPrefix: undefined,
    path: (name) => [name],
  },
  literals: { quote: singleQuoted, text: singleQuoted },
  operators: {
    /** A text that is compared with a UUID would be cast to one. */
    texts: {
      operand: castToText,
      group: castToText,
      areAlike: (left, right) => (left.type === 'UUID') === (right.type === 'UUID'),
      selected: (text) => text,
    },
    times: timesInUtc((type) => /^TIMESTAMP WITH TIME ZONE|^TIMESTAMPTZ/i.test(type)),
    numbers: duckdbNumbers,
    /** LIKE has no default escape character. */
    comparison(operator) {
      const sign = operator === '!=' ? '<>' : operator.toUpperCase();
      return { sign, suffix: operator.endsWith('like') ? " ESCAPE '\\'" : '' };
    },
  },
  canonical: duckdbCanonicalText,
  exact: exactValues,
  times: {
    type: timestampType,
    literal: timestampLiteral,
    movable: ['290308-12-25 (BC)', '294247-01-08'],
    isFinite,
    inZone,
    endOfDay,
    /** Converts PostgreSQL's `0044-03-15 12:00:00 BC` to DuckDB's `0044-03-15 (BC) 12:00:00`. */
    readableText: (text) =>
      `(CASE WHEN ${isFineTimeSql(text)} THEN NULL WHEN ends_with(${text}, ' BC') THEN regexp_replace(${text}, '^\\s*([^ T]+)(.*) BC$', '\\1 (BC)\\2') ELSE ${text} END)`,
    hasOffset: (text) => `regexp_matches(${text}, '${offsetPattern}')`,
    zonedText: (text) => `TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`,
    naiveText: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
    written: {
      reads: () => true,
      text: (column, digits) => (digits === 0 ? `${column}::VARCHAR` : `lpad(${column}::VARCHAR, ${digits}, '0')`),
      parsed(text, format, sense) {
        const time = `try_strptime(${text}, ${singleQuoted(format)})`;
        return sense === 'timestamp' ? time : `${time}::${sense.toUpperCase()}`;
      },
      atTimeOfDay: (date, time) => `${date} + coalesce(${time}, TIME '00:00:00')`,
    },
    stored: {
      number: (text) => `CAST(${text} AS BIGINT)`,
      epoch: (value, unit) =>
        unit === 'seconds' ? `to_timestamp(${value})` : `make_timestamptz(CAST(${value} AS BIGINT) * 1000)`,
      excelDays: (value) =>
        `TIMESTAMP '1899-12-30 00:00:00' + to_milliseconds(CAST(round(CAST(${value} AS DOUBLE) * 86400000) AS BIGINT))`,
      jsonDate: (text) => `make_timestamptz(CAST(regexp_extract(${text}, '-?[0-9]+') AS BIGINT) * 1000)`,
    },
    utcLiteral,
  },
  types: duckdbTypes,
  completion: duckdbCompletion,
  validator: {
    parser: async ({ embeddedEngine }) => embeddedEngine,
    parserVersion: undefined,
    acceptsUnknownOperators: false,
  },
  build: {
    ...commonBuild,
    keepsRowOrder: true,
    sortedText: (expression) => expression,
    /** Numbers too large for any numeric type are staged as text. */
    sequenceNumber({ sense, stagedAs, stagedType }) {
      if (sense === 'boolean') return `CAST(${stagedAs} AS TINYINT)`;
      return stagedType === 'VARCHAR' ? `TRY_CAST(${stagedAs} AS DOUBLE)` : stagedAs;
    },
    noSequence: () => 'NULL',
    noId: 'NULL::BIGINT',
    lastKnown: (value, order) => `arg_max(${value}, ${order})`,
    lists: duckdbLists,
    judging: duckdbJudging,
    measuring: standardMeasuring,
  },
};

function castToText(value: string): string {
  return `CAST(${value} AS VARCHAR)`;
}
