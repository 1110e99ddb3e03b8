import type { Identifiers } from '../dialect.ts';
import { lowerAscii } from '../standard/lower-ascii.ts';
import { doubleQuoted } from '../standard/quoting.ts';

/** PostgreSQL folds words to lower case, tells cases apart in quotes and cuts names off. */
export const postgresqlIdentifiers: Identifiers = {
  quote: doubleQuoted,
  fold: lowerAscii,
  key: (name) => name,
  isBare: (name) => /^[a-z_][a-z0-9_]*$/.test(name),
  maxBytes: 63,
  reservedPrefix: 'pg_',
  path: splitAtFirstDot,
};

/** The schema, and the name in it. */
function splitAtFirstDot(name: string): readonly string[] {
  const dot = name.indexOf('.');
  return dot > 0 && dot < name.length - 1 ? [name.slice(0, dot), name.slice(dot + 1)] : [name];
}
