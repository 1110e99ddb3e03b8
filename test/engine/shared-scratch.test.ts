import assert from 'node:assert/strict';
import type { DuckDbError } from '../../server/src/store/duckdb-store.ts';
import { openDatabase } from '../../server/src/store/duckdb-session.ts';
import { openSharedScratch, shareDatabase } from '../../server/src/store/shared-scratch.ts';

describe('shared scratch database', () => {
  it('keeps temporary objects and settings of a session from others', async () => {
    const [one, other] = await Promise.all([openSharedScratch(), openSharedScratch()]);
    try {
      await one.run('CREATE TEMP TABLE own AS SELECT 1 AS a');
      await one.run('CREATE TEMP MACRO twice(x) AS 2 * x');
      await one.run("SET TimeZone = 'Asia/Kolkata'");
      const failure = await other.query('SELECT * FROM own').catch((error: unknown) => (error as DuckDbError).failure);
      assert.ok(
        'kind' in failure && failure.kind === 'table-missing' && failure.name === 'own',
        JSON.stringify(failure),
      );
      await other.run('CREATE TEMP MACRO twice(x) AS x || x');
      assert.deepEqual(await one.query('SELECT twice(a) AS v FROM own'), [{ v: 2 }]);
      assert.deepEqual(await other.query("SELECT twice('a') AS v, current_setting('TimeZone') AS zone"), [
        { v: 'aa', zone: 'UTC' },
      ]);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
    const later = await openSharedScratch();
    assert.deepEqual(await later.query('SELECT table_name FROM duckdb_tables()'), []);
    await later.close();
  });

  it('is opened once, and again after it was closed by an internal error', async () => {
    let opened = 0;
    let database: Awaited<ReturnType<typeof openDatabase>> | undefined;
    const open = shareDatabase(async () => {
      opened += 1;
      return (database = await openDatabase(':memory:', {}));
    });
    for (const session of [await open(), await open()]) await session.close();
    assert.equal(opened, 1);
    database?.close();
    const session = await open();
    assert.deepEqual(await session.query('SELECT 1 AS a'), [{ a: 1 }]);
    assert.equal(opened, 2);
    await session.close();
    database?.close();
  });
});
