/** Characters that a parser would change or reject; other control characters are not allowed in XML 1.0. */
const escapes: readonly (readonly [character: string, escape: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
];
const unwritable = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x{fffe}\\x{ffff}]';

const escapedSql = escapes.reduce(
  (sql, [character, escape]) => `replace(${sql}, chr(${character.codePointAt(0)}), '${escape}')`,
  `regexp_replace(value, '${unwritable}', '\u{fffd}', 'g')`,
);

/** A statement that `xmlTextSql` needs once. */
export const createXmlTextSql = `CREATE TEMP MACRO xml_text(value) AS
  CASE WHEN regexp_matches(value, '[&<>"\\x00-\\x1f\\x{fffe}\\x{ffff}]') THEN ${escapedSql} ELSE value END`;

/** SQL of a text as it stands in XML, in attributes too. */
export function xmlTextSql(expression: string): string {
  return `xml_text(${expression})`;
}

/** Escapes a text for XML; characters that XML does not allow become U+FFFD. */
export function xmlText(plain: string): string {
  const writable = plain.replaceAll(new RegExp(unwritable.replaceAll(/\\x\{(\w+)\}/g, '\\u$1'), 'g'), '\u{fffd}');
  return escapes.reduce((text, [character, escape]) => text.replaceAll(character, escape), writable);
}
