import type { Identifiers } from '../dialect.ts';
import { lowerAscii } from '../standard/lower-ascii.ts';
import { doubleQuoted } from '../standard/quoting.ts';

/** DuckDB tells no cases apart, also in quotes, and has no schemas that data objects could be in. */
export const duckdbIdentifiers: Identifiers = {
  quote: doubleQuoted,
  fold: lowerAscii,
  key: lowerAscii,
  isBare: (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  maxBytes: undefined,
  reservedPrefix: undefined,
  path: (name) => [name],
};
