import { unwritableInXml, xmlEscapes } from '../../../protocol/xml-text.ts';

const escapedSql = xmlEscapes.reduce(
  (sql, [character, escape]) => `replace(${sql}, chr(${character.codePointAt(0)}), '${escape}')`,
  `regexp_replace(value, '${unwritableInXml}', '\u{fffd}', 'g')`,
);

/** A statement that `xmlTextSql` needs once. */
export const createXmlTextSql = `CREATE TEMP MACRO xml_text(value) AS
  CASE WHEN regexp_matches(value, '[&<>"\\x00-\\x1f\\x{fffe}\\x{ffff}]') THEN ${escapedSql} ELSE value END`;

/** SQL of a text as it stands in XML, in attributes too. */
export function xmlTextSql(expression: string): string {
  return `xml_text(${expression})`;
}
