import type { BuildingDialect } from './dialect.ts';
import { doubleQuoted, singleQuoted } from './standard/quoting.ts';
import { exactValues, isPadded } from './standard/exact-values.ts';
import { trinoBuild } from './trino/build.ts';
import { trinoCanonicalText } from './trino/canonical-text.ts';
import { trinoCompletion } from './trino/completion.ts';
import { trinoLexis } from './trino/lexis.ts';
import { trinoNumbers } from './trino/number-comparison.ts';
import { trinoTimeComparison, trinoTimes } from './trino/times.ts';
import { trinoTypes } from './trino/types.ts';

export const trino: BuildingDialect = {
  name: 'trino',
  label: 'Trino',
  isEmbedded: false,
  lexis: trinoLexis,
  /** Names never differ by case, not even in quotes: https://trino.io/docs/current/language/reserved.html */
  identifiers: {
    quote: doubleQuoted,
    fold: nameKey,
    key: nameKey,
    isBare: (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
    maxBytes: undefined,
    reservedPrefix: undefined,
    hasCatalogs: true,
    path: catalogSchemaTable,
  },
  literals: { quote: singleQuoted, text: singleQuoted },
  operators: {
    texts: undefined,
    times: trinoTimeComparison,
    numbers: trinoNumbers,
    /** LIKE has no default escape character. */
    comparison(operator) {
      const sign = operator === '!=' ? '<>' : operator.toUpperCase();
      return { sign, suffix: operator.endsWith('like') ? " ESCAPE '\\'" : '' };
    },
  },
  canonical: trinoCanonicalText,
  exact: {
    texts: (type, sense) => exactValues.texts(type, sense) && !isPadded(type),
    nulls: () => true,
    /** Digits after the microseconds are left out where rows are staged. */
    times: (type, sense) => exactValues.times(type, sense) && !/\((?:[789]|1\d)\)/.test(type),
  },
  times: trinoTimes,
  types: trinoTypes,
  completion: trinoCompletion,
  /** There is no parser for it here: names and brackets are checked, the rest by the server. */
  validator: { parser: async () => undefined, parserVersion: undefined, acceptsUnknownOperators: false },
  build: trinoBuild,
};

function nameKey(name: string): string {
  return name.toLowerCase();
}

/** At most three parts; further dots belong to the name of the table. */
function catalogSchemaTable(name: string): readonly string[] {
  const [first = '', second = '', ...rest] = name.split('.');
  const parts = rest.length > 0 ? [first, second, rest.join('.')] : second === '' ? [name] : [first, second];
  return parts.every((part) => part !== '') ? parts : [name];
}
