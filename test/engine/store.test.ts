import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBuildDatabase, DuckDbError, openScratch, openStore } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

/** One row per value: SQL, the engine's value, and its type. */
const values: readonly (readonly [sql: string, value: unknown, type: string])[] = [
  ['1::TINYINT', 1, 'TINYINT'],
  ['9007199254740993', 9007199254740993n, 'BIGINT'],
  ['170141183460469231731687303715884105727::HUGEINT', 170141183460469231731687303715884105727n, 'HUGEINT'],
  ['1.50::DECIMAL(10,2)', '1.50', 'DECIMAL(10,2)'],
  ['0.1::DOUBLE', 0.1, 'DOUBLE'],
  [`TIMESTAMP '1969-12-31 23:59:59.999999'`, '1969-12-31T23:59:59.999999Z', 'TIMESTAMP'],
  [`TIMESTAMPTZ '2020-01-01 00:00:00+02'`, '2019-12-31T22:00:00.000000Z', 'TIMESTAMP WITH TIME ZONE'],
  [`CAST('2020-01-01' AS TIMESTAMP_S)`, '2020-01-01T00:00:00.000000Z', 'TIMESTAMP_S'],
  [`CAST('2020-01-01 00:00:00.001' AS TIMESTAMP_MS)`, '2020-01-01T00:00:00.001000Z', 'TIMESTAMP_MS'],
  [`CAST('1960-01-01 00:00:00.000000001' AS TIMESTAMP_NS)`, '1960-01-01T00:00:00.000000001Z', 'TIMESTAMP_NS'],
  [`CAST('infinity' AS TIMESTAMP)`, 'infinity', 'TIMESTAMP'],
  [`CAST('-infinity' AS DATE)`, '-infinity', 'DATE'],
  [`DATE '0044-03-15 (BC)'`, '-000043-03-15', 'DATE'],
  [`TIME '01:02:03.5'`, '01:02:03.500000', 'TIME'],
  [`'\\x00\\xAB'::BLOB`, '00ab', 'BLOB'],
  [`[1, NULL, 3]`, '[1,null,3]', 'INTEGER[]'],
  [`MAP {'a': 1}`, '{"a":1}', 'MAP(VARCHAR, INTEGER)'],
  [`'{"a":1}'::JSON`, '{"a":1}', 'JSON'],
  [`'b'::ENUM('a', 'b')`, 'b', "ENUM('a', 'b')"],
  [`chr(65279) || 'a'`, '\uFEFFa', 'VARCHAR'],
  [`chr(65279) || 'a text of more than twelve bytes'`, '\uFEFFa text of more than twelve bytes', 'VARCHAR'],
  [`[chr(65279) || 'a']`, '["\uFEFFa"]', 'VARCHAR[]'],
  ['NULL', null, 'INTEGER'],
];

describe('DuckDB session', () => {
  withAllProcessors();
  it('returns JavaScript values', async () => {
    const session = await openScratch();
    const sql = `SELECT ${values.map(([expression], index) => `${expression} AS v${index}`).join(', ')}`;
    const [row = {}] = await session.query(sql);
    const columns = await session.describe(sql);
    await session.close();
    assert.deepEqual(
      values.map(([expression], index) => [expression, row[`v${index}`], columns[index]?.type]),
      values,
    );
  });

  it('supports repeated column names, and numbers that JSON lacks', async () => {
    const session = await openScratch();
    const table = await session.table(`SELECT 1 AS a, 9007199254740993 AS a, 'nan'::DOUBLE AS b`);
    await session.close();
    assert.deepEqual(
      [table.columns.map((column) => column.name), table.rows],
      [['a', 'a', 'b'], [[1, '9007199254740993', 'NaN']]],
    );
  });

  it('runs one statement per call', async () => {
    const session = await openScratch();
    await assert.rejects(
      session.run('CREATE TABLE a (i INT); CREATE TABLE b (i INT)'),
      /Expected one SQL statement, found 2/,
    );
    assert.deepEqual(await session.query('SELECT table_name FROM duckdb_tables()'), []);
    await session.close();
  });

  it('runs several internal statements in one call, and reports the one that fails', async () => {
    const session = await openScratch();
    await session.runAll(['CREATE TABLE a AS SELECT 1 AS i', 'INSERT INTO a VALUES (2)']);
    assert.deepEqual(await session.query('SELECT sum(i)::INTEGER AS s FROM a'), [{ s: 3 }]);
    await assert.rejects(session.runAll(['INSERT INTO a VALUES (3)', 'SELECT nothing FROM a']), /nothing/);
    await session.close();
  });

  it('serialises calls, and cancels only the requested one', async () => {
    const session = await openScratch();
    const abort = new AbortController();
    const reason = new Error('enough');
    const endless = session.run(
      'CREATE TABLE t AS SELECT count(*) FROM range(100000000000) AS r(i) WHERE hash(i) = 1',
      {
        signal: abort.signal,
      },
    );
    const after = session.query('SELECT 1 AS one');
    setTimeout(() => abort.abort(reason), 50);
    await assert.rejects(endless, reason);
    assert.deepEqual(await after, [{ one: 1 }]);
    await assert.rejects(session.run('SELECT 1', { signal: abort.signal }), reason);
    await session.close();
  });

  it('streams rows, and queues other calls until the iteration ends', async () => {
    const session = await openScratch();
    let rows = 0;
    for await (const batch of session.stream('SELECT range AS i FROM range(10000)')) rows += batch.length;
    for await (const batch of session.stream('SELECT range AS i FROM range(10000)')) {
      assert.deepEqual(batch[0], { i: 0n });
      break;
    }
    assert.deepEqual([rows, await session.query('SELECT 2 AS two')], [10_000, [{ two: 2 }]]);
    await session.close();
    await assert.rejects(session.run('SELECT 1'), /The database is closed/);
  });

  it('reports the progress of a statement', async () => {
    await withBuildDatabase(async (staging) => {
      await staging.run('CREATE TABLE t AS SELECT range AS i FROM range(5000000)');
      const running = staging.run('CREATE TABLE u AS SELECT hash(i) AS h FROM t ORDER BY h');
      const seen = new Set<number | undefined>();
      const timer = setInterval(() => seen.add(staging.progress()), 5);
      await running;
      clearInterval(timer);
      assert.ok([...seen].every((fraction) => fraction === undefined || (fraction >= 0 && fraction <= 1)));
      assert.ok([...seen].some((fraction) => fraction !== undefined));
    });
  });
});

/** One row per error: SQL with the place marked by `▲`, kind and message. */
const errors: readonly (readonly [sql: string, kind: string, message: RegExp])[] = [
  ['SELECT é, ▲zz FROM (SELECT 1 AS é)', 'column-missing', /^Referenced column "zz" not found/],
  ['SELECT * FROM ▲nowhere', 'table-missing', /^Table with name nowhere does not exist!/],
  ['SELECT * FROM ▲other.nowhere', 'table-missing', /other/],
  ['SELECT 1 +\n▲WHERE', 'syntax', /^syntax error at or near "WHERE"/],
  [`SELECT 'x'▲::INT`, 'type-mismatch', /^Could not convert string 'x' to INT32$/],
  [`SELECT 1 FROM range(3) WHERE 'a' || range ▲> DATE '2020-01-01'`, 'type-mismatch', /^Cannot compare values of type/],
  [`ATTACH '/nowhere/x.duckdb' AS x`, 'file-missing', /No such file or directory/],
  [`SELECT list(range) FROM range(100000000)`, 'out-of-memory', /^failed to allocate data/],
];

describe('DuckDB error', () => {
  withAllProcessors();
  for (const [marked, kind, message] of errors) {
    it(`is parsed: ${marked.replaceAll('\n', ' ')}`, async () => {
      const session = await openScratch({ memoryLimit: '100MB', threads: 1 });
      const at = marked.indexOf('▲');
      await assert.rejects(session.run(marked.replace('▲', '')), (error) => {
        assert.ok(error instanceof DuckDbError, String(error));
        assert.match(error.message, message);
        assert.deepEqual([error.failure.kind, error.failure.position], [kind, at < 0 ? undefined : at], error.message);
        return true;
      });
      await session.close();
    });
  }

  it('distinguishes a locked database, an invalid one and a missing one', async () => {
    const folder = await folderWith({ 'text.duckdb': 'x'.repeat(10_000) });
    const path = join(folder, 'held.duckdb');
    const script = `import { DuckDBInstance } from '@duckdb/node-api';
      await DuckDBInstance.create(process.argv[1]); process.stdout.write('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(holder.stdout, 'data');
      await assert.rejects(openStore(path), isKind('file-locked'));
      await assert.rejects(openStore(join(folder, 'text.duckdb')), isKind('not-a-database'));
      await assert.rejects(openStore(join(folder, 'none.duckdb')), isKind('file-missing'));
    } finally {
      holder.kill();
      await once(holder, 'exit');
      await removeFolder(folder);
    }
  });
});

describe('finished store', () => {
  withAllProcessors();
  it('can be opened read-only several times', async () => {
    const folder = await folderWith({});
    const path = join(folder, 'graph.duckdb');
    const build = await createBuildDatabase({ path, temporaryFolder: folder, memoryLimits: ['500MB'], threads: 1 });
    await build.run('CREATE TABLE event AS SELECT 1 AS id');
    await build.close();
    await build.close();
    await writeFile(join(folder, 'other'), '');
    const [one, two] = [await openStore(path), await openStore(path)];
    assert.deepEqual([await one.query('FROM event'), await two.query('FROM event')], [[{ id: 1 }], [{ id: 1 }]]);
    await assert.rejects(one.run('CREATE TABLE t (i INT)'), /read-only/);
    await one.close();
    await two.close();
    await removeFolder(folder);
  });
});

function isKind(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof DuckDbError && error.failure.kind === kind;
}
