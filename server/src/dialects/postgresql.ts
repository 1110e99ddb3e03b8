import type { BuildingDialect } from './dialect.ts';
import { postgresqlCanonicalText } from './postgresql/canonical-text.ts';
import { postgresqlCompletion } from './postgresql/completion.ts';
import { doubleQuoted, lowerAscii, singleQuoted } from './standard/lexical.ts';
import { inZone, isFinite, offsetPattern } from './standard/times.ts';

export const postgresql: BuildingDialect = {
  name: 'postgresql',
  label: 'PostgreSQL',
  isEmbedded: false,
  /** It folds words to lower case, tells cases apart in quotes and cuts names off. */
  identifiers: {
    quote: doubleQuoted,
    fold: lowerAscii,
    key: (name) => name,
    isBare: (name) => /^[a-z_][a-z0-9_]*$/.test(name),
    maxBytes: 63,
    reservedPrefix: 'pg_',
    path: splitAtFirstDot,
  },
  /** A bare literal has no type. */
  literals: { quote: quoteLiteral, text: (text) => `${quoteLiteral(text)}::text` },
  operators: {
    /** The operators of mappings are PostgreSQL's own, `!=` in the standard's spelling. */
    comparison: (operator) => ({ sign: operator === '!=' ? '<>' : operator.toUpperCase(), suffix: '' }),
  },
  canonical: postgresqlCanonicalText,
  times: {
    movable: ['4714-11-26 BC', '294276-12-29'],
    isFinite,
    inZone,
    eraText: (text) => text,
    hasOffset: (text) => `${text} ~ ${quoteLiteral(offsetPattern)}`,
    zonedText: (text) => `CASE WHEN ${isTime(text, 'timestamptz')} THEN ${text}::timestamptz AT TIME ZONE 'UTC' END`,
    naiveText: (text) => `CASE WHEN ${isTime(text, 'timestamp')} THEN ${text}::timestamp END`,
    formatted: undefined,
  },
  completion: postgresqlCompletion,
  validator: { parser: 'libpg-query', parserVersion: 18, acceptsUnknownOperators: true },
  build: {
    createStaging: 'CREATE TEMP TABLE',
    keepsRowOrder: false,
    hasProcessMap: false,
    sortedText: (expression) => `${expression} COLLATE "C"`,
    /** One type, as PostgreSQL compares none but equal ones in a union. */
    sequenceNumber: ({ sense, stagedAs }) =>
      sense === 'boolean' ? `${stagedAs}::integer::numeric` : `${stagedAs}::numeric`,
    noSequence: (kind) => ({ number: 'NULL::numeric', time: 'NULL::timestamp', text: 'NULL::text' })[kind],
  },
};

/** The schema, and the name in it. */
function splitAtFirstDot(name: string): readonly string[] {
  const dot = name.indexOf('.');
  return dot > 0 && dot < name.length - 1 ? [name.slice(0, dot), name.slice(dot + 1)] : [name];
}

/** A backslash is written in an escape string, whose meaning does not hang on the session's `standard_conforming_strings`. */
function quoteLiteral(text: string): string {
  const quoted = singleQuoted(text);
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** PostgreSQL also reads words such as `tomorrow`, which are no time of an event. */
function isTime(text: string, type: string): string {
  return `${text} ~ '^\\s*([0-9]{4}-|-?infinity)' AND pg_input_is_valid(${text}, '${type}')`;
}
