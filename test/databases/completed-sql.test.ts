import assert from 'node:assert/strict';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Dialect } from '../../server/src/dialects/dialect.ts';
import { duckdb } from '../../server/src/dialects/duckdb.ts';
import { mysql } from '../../server/src/dialects/mysql.ts';
import { postgresql } from '../../server/src/dialects/postgresql.ts';
import { sqlite } from '../../server/src/dialects/sqlite.ts';
import { type DuckDbSession, openScratch } from '../../server/src/store/duckdb-store.ts';
import { callOf, wordSamples } from '../support/function-call.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';

describe('SQL completion data', () => {
  let session: DuckDbSession;
  const file = new DatabaseSync(':memory:');
  const engines: readonly { readonly dialect: Dialect; readonly run: (sql: string) => unknown }[] = [
    {
      dialect: postgresql,
      async run(sql) {
        const server = await sharedPostgres();
        return server.query('postgres', sql);
      },
    },
    { dialect: duckdb, run: (sql) => session.query(sql) },
    {
      dialect: mysql,
      async run(sql) {
        const server = await sharedMariadb();
        return server.query('', sql);
      },
    },
    { dialect: sqlite, run: (sql) => file.prepare(sql).all() },
  ];

  before(async () => {
    session = await openScratch();
  });

  after(async () => {
    file.close();
    await session.close();
  });

  for (const { dialect, run } of engines) {
    it(`functions of ${dialect.name} exist with their parameters`, async () => {
      const failed: string[] = [];
      for (const each of dialect.completion.functions) {
        const sql = `SELECT ${callOf(each, dialect.name)}`;
        await Promise.resolve(sql)
          .then(run)
          .catch((error: unknown) => failed.push(`${sql}: ${String(error)}`));
      }
      assert.deepEqual(failed, []);
    });

    it(`words of ${dialect.name} are those of the common ones that it knows`, async () => {
      const { conditionWords, joinWords } = dialect.completion;
      const offered = new Set([...conditionWords, ...joinWords]);
      const wrong: string[] = [];
      for (const [word, sql] of Object.entries(wordSamples)) {
        const error = await Promise.resolve(sql)
          .then(run)
          .then(
            () => undefined,
            (failure: unknown) => String(failure),
          );
        if (offered.has(word) !== (error === undefined)) wrong.push(`${word}: ${error ?? 'not offered'}`);
      }
      assert.deepEqual(wrong, []);
    });
  }

  it('words of PostgreSQL and DuckDB are keywords there', async () => {
    const server = await sharedPostgres();
    const known = {
      postgresql: await server.query('postgres', 'SELECT word FROM pg_get_keywords()'),
      duckdb: await session.query('SELECT keyword_name AS word FROM duckdb_keywords()'),
    };
    for (const { name, completion } of [postgresql, duckdb]) {
      const words = new Set([...valueWords, ...known[name as keyof typeof known].map(({ word }) => String(word))]);
      const offered = [...completion.conditionWords, ...completion.joinWords];
      const unknown = offered.flatMap((each) => each.toLowerCase().split(' ')).filter((word) => !words.has(word));
      assert.deepEqual(unknown, [], name);
    }
  });
});

/** Words that are keywords of no dialect. */
const valueWords = ['date', 'timestamp', 'current_date', 'current_timestamp'];
