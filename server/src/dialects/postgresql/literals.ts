import type { Literals } from '../dialect.ts';
import { singleQuoted } from '../standard/quoting.ts';

/** PostgreSQL gives a bare literal no type. */
export const postgresqlLiterals: Literals = { quote, text: (text) => `${quote(text)}::text` };

/** A backslash is written in an escape string, whose meaning does not hang on the session's `standard_conforming_strings`. */
function quote(text: string): string {
  const quoted = singleQuoted(text);
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
