/** Characters that a parser would change or reject; other control characters are not allowed in XML 1.0. */
export const xmlEscapes: readonly (readonly [character: string, escape: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
];
/** A pattern of DuckDB, which JavaScript has with other escapes. */
export const unwritableInXml = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x{fffe}\\x{ffff}]';

const unwritable = new RegExp(unwritableInXml.replaceAll(/\\x\{(\w+)\}/g, '\\u$1'), 'g');

/** Escapes a text for XML, in attributes too; characters that XML does not allow become U+FFFD. */
export function xmlText(plain: string): string {
  return xmlEscapes.reduce(
    (text, [character, escape]) => text.replaceAll(character, escape),
    plain.replaceAll(unwritable, '\u{fffd}'),
  );
}
