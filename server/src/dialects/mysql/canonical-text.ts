import type { CanonicalText, TextComparison } from '../dialect.ts';

export const mysqlCanonicalText: CanonicalText = {
  value: (value, type) => textOf(value, type.toLowerCase()),
  key: (parts) => `CONCAT('[', ${parts.map((part) => `JSON_QUOTE(${part})`).join(", ',', ")}, ']')`,
  row: (texts) => `CONCAT_WS(',', ${texts.map((text) => `COALESCE(JSON_QUOTE(${text}), 'null')`).join(', ')})`,
};

/**
 * Compares UTF-8 bytes, regardless of the character sets and collations of columns: they sort like the characters,
 * without blank padding. LIKE patterns match characters, so LIKE needs a text.
 */
export const mysqlTextComparison: TextComparison = {
  operand: (text, operator) =>
    operator.endsWith('like') ? `CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_bin` : bytesOf(text),
  group: bytesOf,
};

function bytesOf(text: string): string {
  return `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;
}

function textOf(value: string, type: string): string {
  const text = `CAST(${value} AS CHAR)`;
  if (/^(decimal|numeric)\b/.test(type)) return withoutZeros(text);
  if (/^(timestamp|datetime)\b/.test(type)) return `DATE_FORMAT(${value}, '%Y-%m-%dT%H:%i:%s.%fZ')`;
  if (/^(tiny|medium|long)?blob\b|^(var)?binary\b/.test(type)) return `LOWER(HEX(${value}))`;
  if (/^bit\b/.test(type)) return `CAST(${value} + 0 AS CHAR)`;
  if (/char|text|^enum|^set/.test(type)) return `CONVERT(${value} USING utf8mb4)`;
  return text;
}

/** MySQL's `RTRIM` removes blanks only. */
function withoutZeros(text: string): string {
  return `(CASE WHEN INSTR(${text}, '.') > 0 THEN TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${text})) ELSE ${text} END)`;
}
