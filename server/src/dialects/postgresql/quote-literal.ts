import { singleQuoted } from '../standard/lexical.ts';

/** A backslash is written in an escape string, whose meaning does not hang on the session's `standard_conforming_strings`. */
export function quotePostgresqlLiteral(text: string): string {
  const quoted = singleQuoted(text);
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
