/** Values for a parameter, by its name in the function table, or by the function where the name is not enough. */
const samples: Readonly<Record<string, string>> = {
  'number high count exponent divisor digits times place group': '2',
  'low seconds days hour minute month day dimension from length': '1',
  year: '2024',
  'value other by then else': '1',
  json: `'{"path": 1}'`,
  path: "'$.path'",
  format: "'%Y'",
  list: "'a,b'",
  modifier: "'+1 day'",
  zone: "'Europe/Berlin'",
  array: 'ARRAY[1]',
  'text part start end fill characters replacement': "'a'",
  'separator key': "','",
  pattern: "'a.'",
  condition: 'true',
  'time date earlier': "TIMESTAMP '2024-01-01 10:00:00'",
  later: "TIMESTAMP '2024-02-01 10:00:00'",
  origin: "TIMESTAMP '2001-01-01'",
  interval: "INTERVAL '1 day'",
  unit: 'day',
  type: 'text',
};
const ofDialect: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mysql: { type: 'char' },
  sqlite: { time: "'2024-01-01 10:00:00'" },
};
const ofFunction: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  translate: { from: "'a'", to: "'b'" },
  replace: { from: "'a'", to: "'b'" },
  format: { pattern: "'%s'" },
  strptime: { text: "'2024'", format: "'%Y'" },
  try_strptime: { text: "'2024'", format: "'%Y'" },
  strftime: { format: "'%Y'" },
  to_char: { value: "DATE '2024-01-01'", format: "'YYYY'" },
  to_date: { text: "'2024'", format: "'YYYY'" },
  to_number: { text: "'12'", format: "'99'" },
  json_extract_string: { json: `'{"path": 1}'` },
  jsonb_array_elements: { json: `'[1]'::jsonb` },
  jsonb_array_length: { json: `'[1]'::jsonb` },
  jsonb_extract_path_text: { json: `'{"a": 1}'::jsonb`, key: "'a'" },
  array_length: { array: 'ARRAY[1]' },
  unnest: { array: 'ARRAY[1]', list: '[1]' },
  list_contains: { list: '[1]' },
};

/** A call as described in the function table. */
export function callOf({ name, takes }: { readonly name: string; readonly takes: string }, dialect: string): string {
  const given = takes
    .replace('ORDER BY …', 'ORDER BY 1')
    .replaceAll(/, …/g, name === 'jsonb_extract_path_text' ? '' : ', 1')
    .replaceAll(/(?<!\$\.)\b[a-z]+\b(?! =>)/g, (parameter) => {
      const known = Object.entries(samples).find(([names]) => names.split(' ').includes(parameter))?.[1];
      return ofFunction[name]?.[parameter] ?? ofDialect[dialect]?.[parameter] ?? known ?? parameter;
    });
  return `${name}${given}`;
}

/** Words that not every dialect knows, each in a statement that uses it. */
export const wordSamples: Readonly<Record<string, string>> = {
  'IS DISTINCT FROM': 'SELECT 1 IS DISTINCT FROM 2',
  'IS NOT DISTINCT FROM': 'SELECT 1 IS NOT DISTINCT FROM 2',
  'IS TRUE': 'SELECT (1 = 1) IS TRUE',
  'IS FALSE': 'SELECT (1 = 1) IS FALSE',
  TRUE: 'SELECT TRUE',
  DATE: "SELECT DATE '2024-01-01'",
  TIMESTAMP: "SELECT TIMESTAMP '2024-01-01 10:00:00'",
  INTERVAL: "SELECT CURRENT_TIMESTAMP + INTERVAL '1' DAY",
  CURRENT_DATE: 'SELECT CURRENT_DATE',
  CURRENT_TIMESTAMP: 'SELECT CURRENT_TIMESTAMP',
  'AT TIME ZONE': "SELECT CURRENT_TIMESTAMP AT TIME ZONE 'UTC'",
  ILIKE: "SELECT 'a' ILIKE 'A'",
  'SIMILAR TO': "SELECT 'a' SIMILAR TO 'a|b'",
  ANY: 'SELECT 1 = ANY (SELECT 1)',
  ALL: 'SELECT 1 = ALL (SELECT 1)',
  'PARTITION BY': 'SELECT row_number() OVER (PARTITION BY 1)',
  'FULL JOIN': 'SELECT * FROM (SELECT 1 AS k) AS one FULL JOIN (SELECT 1 AS k) AS other ON one.k = other.k',
  'RIGHT JOIN': 'SELECT * FROM (SELECT 1 AS k) AS one RIGHT JOIN (SELECT 1 AS k) AS other ON one.k = other.k',
  USING: 'SELECT * FROM (SELECT 1 AS k) AS one JOIN (SELECT 1 AS k) AS other USING (k)',
  'LEFT JOIN LATERAL': 'SELECT * FROM (SELECT 1 AS k) AS one LEFT JOIN LATERAL (SELECT one.k AS l) AS other ON 1 = 1',
};
