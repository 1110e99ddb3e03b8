import { singleQuoted } from '../standard/quoting.ts';

/**
 * Writes a backslash in an escape string, whose meaning does not depend on the session's `standard_conforming_strings`.
 */
export function quotePostgresqlLiteral(text: string): string {
  const quoted = singleQuoted(text);
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
