import assert from 'node:assert/strict';
import { duckdb } from '../../server/src/dialects/duckdb.ts';
import { postgresql } from '../../server/src/dialects/postgresql.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { sharedPostgres } from '../support/postgres.ts';

/** Values for a parameter, by its name in the function table, or by the function where the name is not enough. */
const samples: Readonly<Record<string, string>> = {
  'number high count exponent divisor digits times place group': '2',
  'low seconds days hour minute month day dimension from length': '1',
  year: '2024',
  'value other by': '1',
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
function callOf({ name, takes }: { readonly name: string; readonly takes: string }): string {
  const given = takes
    .replace('ORDER BY …', 'ORDER BY 1')
    .replaceAll(/, …/g, '')
    .replaceAll(/(?<!\$\.)\b[a-z]+\b(?! =>)/g, (parameter) => {
      const known = Object.entries(samples).find(([names]) => names.split(' ').includes(parameter))?.[1];
      return ofFunction[name]?.[parameter] ?? known ?? parameter;
    });
  return `${name}${given}`;
}

describe('SQL completion data', () => {
  it('functions of PostgreSQL exist with their parameters', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    for (const each of postgresql.completion.functions) {
      const sql = `SELECT ${callOf(each)}`;
      await server.query(database, sql).catch((error: unknown) => assert.fail(`${sql}: ${String(error)}`));
    }
  });

  it('functions of DuckDB exist with their parameters', async () => {
    const session = await openScratch();
    try {
      for (const each of duckdb.completion.functions) {
        const sql = `SELECT ${callOf(each)}`;
        await session.query(sql).catch((error: unknown) => assert.fail(`${sql}: ${String(error)}`));
      }
    } finally {
      await session.close();
    }
  });

  it('keywords exist in the dialect', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    const session = await openScratch();
    try {
      await server.query(database, values);
      await session.query(values);
      const known = {
        postgresql: await server.query(database, 'SELECT word FROM pg_get_keywords()'),
        duckdb: await session.query('SELECT keyword_name AS word FROM duckdb_keywords()'),
      };
      for (const [name, { completion }] of Object.entries({ postgresql, duckdb })) {
        const words = new Set([...valueWords, ...known[name as keyof typeof known].map(({ word }) => String(word))]);
        const offered = [...completion.conditionWords, ...completion.joinWords];
        const unknown = offered.flatMap((each) => each.toLowerCase().split(' ')).filter((word) => !words.has(word));
        assert.deepEqual(unknown, [], name);
      }
    } finally {
      await session.close();
    }
  });
});

/** Words that are keywords of no dialect, and SQL that proves it for both. */
const valueWords = ['date', 'timestamp', 'current_date', 'current_timestamp'];
const values = "SELECT DATE '2024-01-01', TIMESTAMP '2024-01-01', CURRENT_DATE, CURRENT_TIMESTAMP";
