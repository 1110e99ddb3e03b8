import type { Dialect } from './dialect.ts';
import { mysqlExactValues } from './mysql/exact-values.ts';
import { mysqlCanonicalText, mysqlTextComparison } from './mysql/canonical-text.ts';
import { mysqlCompletion } from './mysql/completion.ts';
import { mysqlLexis } from './mysql/lexis.ts';
import { mysqlTimes } from './mysql/times.ts';
import { mysqlTypes } from './mysql/types.ts';
import { singleQuoted } from './standard/lexical.ts';

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
    times: undefined,
  },
  canonical: mysqlCanonicalText,
  exact: mysqlExactValues,
  times: mysqlTimes,
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
