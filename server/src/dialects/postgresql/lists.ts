import type { Lists } from '../standard/build-sql.ts';
import { withoutZeros } from '../standard/without-zeros.ts';
import { quotePostgresqlLiteral } from './quote-literal.ts';

export const postgresqlLists: Lists = {
  split: ({ row, text, from }, separator) =>
    `SELECT DISTINCT ${row} AS "row", unnest(string_to_array(${text}, ${quotePostgresqlLiteral(separator)})) AS key ${from}`,
  items: ({ row, text, from }) =>
    `SELECT DISTINCT "row", ${itemText('item')} AS key FROM (SELECT ${row} AS "row", json_array_elements((${text})::json) AS item ${from}) AS items`,
  isNoList(text, mayBeAnyText) {
    const array = `CASE WHEN json_typeof((${text})::json) = 'array' THEN (${text})::json ELSE '[]'::json END`;
    const isJson = mayBeAnyText ? `WHEN NOT pg_input_is_valid(${text}, 'json') THEN true ` : '';
    return `(${text} IS NOT NULL AND CASE ${isJson}WHEN json_typeof((${text})::json) <> 'array' THEN true
      ELSE strpos(${text}, '\\u0000') > 0 OR EXISTS (SELECT 1 FROM json_array_elements(${array}) AS item WHERE json_typeof(item) IN ('object', 'array')) END)`;
  },
};

/** Numbers are read, as JSON may write them with exponents. */
function itemText(item: string): string {
  const number = withoutZeros(`((${item})::text)::numeric::text`);
  return `CASE json_typeof(${item}) WHEN 'null' THEN NULL WHEN 'number' THEN ${number} ELSE ${item} #>> '{}' END`;
}
