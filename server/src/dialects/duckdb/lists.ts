import type { Lists } from '../standard/build-sql.ts';
import { singleQuoted } from '../standard/quoting.ts';
import { withoutZeros } from '../standard/without-zeros.ts';

/**
 * Removes repeated items within their row, because a list is small and all rows together are not. Most lists have one
 * item, which needs no splitting and no comparison.
 */
export const duckdbLists: Lists = {
  split: ({ row, text, from }, separator) =>
    `SELECT ${row} AS "row", unnest(CASE WHEN contains(${text}, ${singleQuoted(separator)}) THEN list_distinct(string_split(${text}, ${singleQuoted(separator)})) ELSE [${text}] END) AS key ${from}`,
  items: ({ row, text, from }) =>
    `SELECT ${row} AS "row", unnest(list_distinct(list_transform(json_extract(${text}, '$[*]'), lambda item: ${itemText('item')}))) AS key ${from}`,
  isNoList(text) {
    // The parser takes a comma before the closing bracket, and words for numbers that JSON does not have.
    const items = `json_type(${text}, '$[*]')`;
    return `(${text} IS NOT NULL AND CASE WHEN NOT json_valid(${text}) THEN true WHEN json_type(${text}) <> 'ARRAY' THEN true
      ELSE regexp_matches(${text}, ',\\s*\\]\\s*$') OR contains(${text}, '\\u0000') OR list_has_any(${items}, ['OBJECT', 'ARRAY'])
        OR len(list_filter(json_extract(${text}, '$[*]'), lambda item: json_type(item) = 'DOUBLE' AND NOT coalesce(isfinite(TRY_CAST(CAST(item AS VARCHAR) AS DOUBLE)), true))) > 0 END)`;
  },
};

function itemText(item: string): string {
  const number = `regexp_replace(${withoutZeros(`CAST(${item} AS VARCHAR)`)}, '^-0$', '0')`;
  return (
    `CASE json_type(${item}) WHEN 'VARCHAR' THEN json_extract_string(${item}, '$') WHEN 'NULL' THEN NULL ` +
    `WHEN 'BOOLEAN' THEN CAST(${item} AS VARCHAR) ELSE ${number} END`
  );
}
