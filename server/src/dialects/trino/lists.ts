import type { Lists } from '../standard/build-sql.ts';
import { singleQuoted } from '../standard/quoting.ts';
import { withoutZeros } from '../standard/without-zeros.ts';
import { trinoCanonicalText } from './canonical-text.ts';

export const trinoLists: Lists = {
  split: ({ row, text, from }, separator) =>
    distinctItems(row, `split(${text}, ${singleQuoted(separator)})`, 'item', from),
  items: ({ row, text, from }) => distinctItems(row, arrayOf(text), itemText('item'), from),
  isNoList(text) {
    const isStructure = `any_match(${arrayOf(text)}, item -> regexp_like(json_format(item), '^[\\[{]'))`;
    return `(${text} IS NOT NULL AND CASE WHEN try(${arrayOf(text)}) IS NULL OR json_array_length(${text}) IS NULL THEN true ELSE strpos(${text}, '\\u0000') > 0 OR ${isStructure} END)`;
  },
};

function arrayOf(text: string): string {
  return `CAST(json_parse(${text}) AS array(json))`;
}

function distinctItems(row: string, list: string, key: string, from: string): string {
  return `SELECT DISTINCT "row", ${key} AS key FROM (SELECT ${row} AS "row", ${list} AS list ${from}) AS lists CROSS JOIN UNNEST(list) AS items (item)`;
}

/** Numbers without trailing zeros. Numbers with an exponent in JSON are printed like in other engines. */
function itemText(item: string): string {
  const text = `json_format(${item})`;
  const double = trinoCanonicalText.value(`(CAST(${text} AS double))`, 'double');
  return (
    `CASE WHEN ${text} = 'null' THEN NULL WHEN starts_with(${text}, '"') THEN json_extract_scalar(${item}, '$') ` +
    `WHEN ${text} IN ('true', 'false') THEN ${text} WHEN strpos(${text}, 'E') > 0 THEN ${double} ` +
    `ELSE regexp_replace(${withoutZeros(text)}, '^-0$', '0') END`
  );
}
