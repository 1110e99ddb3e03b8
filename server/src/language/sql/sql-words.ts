import { nearestNames } from '../../model/nearest-name.ts';

/** Words of SQL that filters, joins and expressions are made of, in both dialects. */
const sqlWords = [
  ...['AND', 'OR', 'NOT', 'IS', 'NULL', 'IN', 'LIKE', 'ILIKE', 'BETWEEN', 'EXISTS', 'TRUE', 'FALSE', 'DISTINCT'],
  ...['CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'CAST', 'AS', 'INTERVAL', 'DATE', 'TIMESTAMP', 'ANY', 'ALL'],
  ...['SELECT', 'FROM', 'WHERE', 'GROUP', 'BY', 'HAVING', 'ORDER', 'ASC', 'DESC', 'LIMIT', 'OFFSET', 'UNION', 'OVER'],
  ...['JOIN', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'OUTER', 'CROSS', 'NATURAL', 'LATERAL', 'ON', 'USING', 'PARTITION'],
];

/** Words of SQL that look like one that means nothing, in its letter case; none when it is one itself. */
export function nearestSqlWords(word: string): readonly string[] {
  const upper = word.toUpperCase();
  if (!/^[A-Z]{3,}$/.test(upper) || sqlWords.includes(upper)) return [];
  const nearest = nearestNames(upper, sqlWords);
  return word === upper ? nearest : nearest.map((each) => each.toLowerCase());
}
