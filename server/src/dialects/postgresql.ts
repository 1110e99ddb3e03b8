import type { BuildSql } from './standard/build-sql.ts';
import type { BuildingDialect, Times } from './dialect.ts';
import { postgresqlCanonicalText } from './postgresql/canonical-text.ts';
import { postgresqlCompletion } from './postgresql/completion.ts';
import { postgresqlNumbers, postgresqlTexts } from './postgresql/comparisons.ts';
import { postgresqlLists } from './postgresql/lists.ts';
import { quotePostgresqlLiteral } from './postgresql/quote-literal.ts';
import { postgresqlTypes } from './postgresql/types.ts';
import { commonBuild } from './standard/build.ts';
import { exactValues, isPadded } from './standard/exact-values.ts';
import { finePattern } from './standard/fine-times.ts';
import { standardJudging } from './standard/judging.ts';
import { doubleQuoted, lowerAscii } from './standard/quoting.ts';
import { standardLexis } from './standard/lexis.ts';
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
import { formatPattern } from './standard/format-pattern.ts';

const times: Times = {
  type: timestampType,
  literal: timestampLiteral,
  movable: ['4714-11-26 BC', '294276-12-29'],
  isFinite,
  inZone,
  endOfDay,
  readableText: (text) => `(CASE WHEN ${text} !~ '${finePattern}' THEN ${text} END)`,
  hasOffset: (text) => `${text} ~ ${quotePostgresqlLiteral(offsetPattern)}`,
  zonedText: (text) => `CASE WHEN ${isTime(text, 'timestamptz')} THEN ${text}::timestamptz AT TIME ZONE 'UTC' END`,
  naiveText: (text) => `CASE WHEN ${isTime(text, 'timestamp')} THEN ${text}::timestamp END`,
  written: {
    reads: () => true,
    text: (column, digits) => (digits === 0 ? `${column}::text` : `lpad(${column}::text, ${digits}, '0')`),
    parsed(text, format, sense) {
      const form = quotePostgresqlLiteral(formatPattern(format));
      const pattern = quotePostgresqlLiteral(format.replaceAll(/%[YmdHMS]/g, (part) => formatWords[part] ?? part));
      const time =
        sense === 'time'
          ? `${text}::time`
          : sense === 'date'
            ? `to_date(${text}, ${pattern})`
            : `to_timestamp(${text}, ${pattern})::timestamp`;
      return `CASE WHEN ${text} ~ ${form} THEN ${time} END`;
    },
    atTimeOfDay: (date, time) => `(${date}) + coalesce(${time}, TIME '00:00:00')`,
  },
  stored: {
    number: (text) => `CAST(${text} AS bigint)`,
    epoch: (value, unit) => `to_timestamp(${unit === 'seconds' ? value : `${value} / 1000.0`})`,
    excelDays: (value) => `timestamp '1899-12-30 00:00:00' + round(${value} * 86400000.0) * interval '1 millisecond'`,
    jsonDate: (text) => `to_timestamp(CAST(substring(${text} from '-?[0-9]+') AS bigint) / 1000.0)`,
  },
  utcLiteral,
};

/** The parts of a format in the notation of `to_date`. */
const formatWords: Readonly<Record<string, string>> = {
  '%Y': 'YYYY',
  '%m': 'MM',
  '%d': 'DD',
  '%H': 'HH24',
  '%M': 'MI',
  '%S': 'SS',
};

const build: BuildSql = {
  ...commonBuild,
  keepsRowOrder: false,
  sortedText: (expression) => `${expression} COLLATE "C"`,
  /** A common type, because PostgreSQL requires equal types in a union. */
  sequenceNumber: ({ sense, stagedAs }) =>
    sense === 'boolean' ? `${stagedAs}::integer::numeric` : `${stagedAs}::numeric`,
  noSequence: (kind) => ({ number: 'NULL::numeric', time: 'NULL::timestamp', text: 'NULL::text' })[kind],
  noId: 'NULL::bigint',
  /** Elements of arrays lose the precision and scale of their type. */
  lastKnown(value, order, type) {
    const last = `(array_agg(${value} ORDER BY ${order} DESC) FILTER (WHERE ${value} IS NOT NULL))[1]`;
    return type?.startsWith('numeric(') ? `CAST(${last} AS ${type})` : last;
  },
  lists: postgresqlLists,
  judging: { ...standardJudging, unionType },
};

export const postgresql: BuildingDialect = {
  name: 'postgresql',
  label: 'PostgreSQL',
  isEmbedded: false,
  lexis: standardLexis,
  /** Folds unquoted names to lower case, is case-sensitive in quotes, and truncates long names. */
  identifiers: {
    quote: doubleQuoted,
    fold: lowerAscii,
    key: (name) => name,
    isBare: (name) => /^[a-z_][a-z0-9_]*$/.test(name),
    maxBytes: 63,
    reservedPrefix: 'pg_',
    path: splitAtFirstDot,
  },
  /** An untyped literal has type unknown. */
  literals: { quote: quotePostgresqlLiteral, text: (text) => `${quotePostgresqlLiteral(text)}::text` },
  operators: {
    texts: postgresqlTexts,
    times: timesInUtc((type) => /^timestamp\b.*with time zone$|^timestamptz/i.test(type)),
    numbers: postgresqlNumbers,
    /** Mapping operators are valid PostgreSQL; `!=` is printed in standard spelling. */
    comparison: (operator) => ({ sign: operator === '!=' ? '<>' : operator.toUpperCase(), suffix: '' }),
  },
  canonical: postgresqlCanonicalText,
  exact: { ...exactValues, texts: (type, sense) => exactValues.texts(type, sense) && !isPadded(type) },
  times,
  types: postgresqlTypes,
  completion: postgresqlCompletion,
  validator: { parser: ({ libpgQuery }) => libpgQuery(), parserVersion: 18, acceptsUnknownOperators: true },
  build,
};

/** Schema and name. */
function splitAtFirstDot(name: string): readonly string[] {
  const dot = name.indexOf('.');
  return dot > 0 && dot < name.length - 1 ? [name.slice(0, dot), name.slice(dot + 1)] : [name];
}

/** PostgreSQL also accepts words such as `tomorrow`, which are not event times. */
function isTime(text: string, type: string): string {
  return `${text} ~ '^\\s*([0-9]{4}-|-?infinity)' AND pg_input_is_valid(${text}, '${type}')`;
}

/** The common type of columns in a union, as DuckDB chooses it. PostgreSQL refuses most unions of different types. */
function unionType([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined || others.every((type) => type === first)) return first;
  const types = [first, ...others];
  const senses = new Set(types.map((type) => postgresqlTypes.sense(type)));
  const areAll = (...expected: readonly string[]): boolean => [...senses].every((sense) => expected.includes(sense));
  if (areAll('integer', 'number')) return types.some(isFloat) ? 'double precision' : 'numeric';
  return areAll('date', 'timestamp') ? 'timestamp' : 'text';
}

function isFloat(type: string): boolean {
  return type === 'real' || type === 'double precision';
}
