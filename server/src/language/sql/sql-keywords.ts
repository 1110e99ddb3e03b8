import type { SqlDialect } from '../../catalog/catalog.ts';

const conditions = [
  'AND',
  'OR',
  'NOT',
  'IS NULL',
  'IS NOT NULL',
  'IN',
  'NOT IN',
  'BETWEEN',
  'LIKE',
  'NOT LIKE',
  'IS TRUE',
  'IS FALSE',
  'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM',
  'EXISTS',
  'CASE',
  'WHEN',
  'THEN',
  'ELSE',
  'END',
  'NULL',
  'TRUE',
  'FALSE',
  'DATE',
  'TIMESTAMP',
  'INTERVAL',
  'CURRENT_DATE',
  'CURRENT_TIMESTAMP',
  'AT TIME ZONE',
  'ILIKE',
  'SIMILAR TO',
  'ANY',
  'ALL',
  'SELECT',
  'DISTINCT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'HAVING',
  'ORDER BY',
  'LIMIT',
  'UNION ALL',
  'AS',
  'OVER',
  'PARTITION BY',
];

const joins = [
  'LEFT JOIN',
  'JOIN',
  'INNER JOIN',
  'RIGHT JOIN',
  'FULL JOIN',
  'CROSS JOIN',
  'LEFT JOIN LATERAL',
  'ON',
  'USING',
  'AS',
];

const ownConditions: Readonly<Record<SqlDialect, readonly string[]>> = {
  postgresql: ['OVERLAPS', 'COLLATE'],
  duckdb: ['GLOB', 'QUALIFY'],
};

const ownJoins: Readonly<Record<SqlDialect, readonly string[]>> = {
  postgresql: ['TABLESAMPLE'],
  duckdb: ['ASOF JOIN', 'SEMI JOIN', 'ANTI JOIN'],
};

/** Words of SQL that may stand in a condition. */
export function conditionWords(dialect: SqlDialect | undefined): readonly string[] {
  return [...conditions, ...(dialect ? ownConditions[dialect] : [])];
}

/** Words of SQL that bring in further tables. */
export function joinWords(dialect: SqlDialect | undefined): readonly string[] {
  return [...joins, ...(dialect ? ownJoins[dialect] : [])];
}

/** Whether a word has a meaning of its own in SQL, so that it names no column. */
export function isKeyword(word: string): boolean {
  return keywords.has(word.toUpperCase());
}

const all = [conditions, joins, ...Object.values(ownConditions), ...Object.values(ownJoins)].flat();
const moreWords =
  'ASC DESC NULLS FIRST LAST OUTER NATURAL UNION EXCEPT INTERSECT ALL SOME ESCAPE WITH VALUES ROWS BY IS';
const keywords = new Set([...all, moreWords].flatMap((words) => words.split(' ')));
