import assert from 'node:assert/strict';
import { importMemoryLimits } from '../../server/src/import/memory-limit.ts';
import { isOutOfMemory } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

type Asked = { query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> };
const limitOf = async (database: Asked): Promise<unknown> =>
  (await database.query("SELECT current_setting('memory_limit') AS own"))[0]?.['own'];

/** DuckDB holds a list as a whole: this one takes some 100 MB. */
const large = 'SELECT length(list(range)::VARCHAR) AS length FROM range(4000000)';
const made = [{ length: 34_888_890n }];

describe('memory limit of an import', () => {
  withAllProcessors();
  it('starts low and can grow to the memory of the machine', () => {
    assert.deepEqual(importMemoryLimits(16e9), ['400MB', '1400MB', '9600MB']);
    assert.deepEqual(importMemoryLimits(4e9), ['400MB', '1000MB', '2400MB']);
    assert.deepEqual(importMemoryLimits(1e9), ['400MB', '600MB']);
    assert.deepEqual(importMemoryLimits(5e8), ['400MB']);
    assert.equal(importMemoryLimits()[0], '400MB');
  });
});

describe('memory limits of a database', () => {
  withAllProcessors();
  it('a statement that runs out of memory raises the limit for good', async () => {
    await withBuildDatabase(
      async (database) => {
        assert.equal(await limitOf(database), '19.0 MiB');
        assert.deepEqual(await database.query('SELECT 1 AS one'), [{ one: 1 }]);
        assert.equal(await limitOf(database), '19.0 MiB');
        assert.deepEqual(await database.query(large), made);
        assert.equal(await limitOf(database), '1000.0 MiB');
      },
      { memoryLimits: ['20MB', '1000MiB', '2000MiB'] },
    );
  });

  it('concurrent statements that run out of memory raise the limit once', async () => {
    await withBuildDatabase(
      async (database) => {
        assert.deepEqual(await Promise.all([database.query(large), database.query(large)]), [made, made]);
        assert.equal(await limitOf(database), '1000.0 MiB');
      },
      { memoryLimits: ['20MB', '30MB', '1000MiB', '2000MiB'] },
    );
  });

  it('a statement that must not take more fails instead', async () => {
    await withBuildDatabase(
      async (database) => {
        await assert.rejects(database.run(`CREATE TABLE large AS ${large}`, { isWithinMemory: true }), isOutOfMemory);
        assert.equal(await limitOf(database), '19.0 MiB');
        await database.run(`CREATE TABLE large AS ${large}`);
        assert.deepEqual(await database.query('SELECT * FROM large'), made);
      },
      { memoryLimits: ['20MB', '1000MiB'] },
    );
  });

  it('the highest limit fails with an explanation, and the database stays usable', async () => {
    await withBuildDatabase(
      async (database) => {
        await assert.rejects(database.run(`CREATE TABLE large AS ${large}`), isOutOfMemory);
        await assert.rejects(database.query('SELECT none'), /none/);
        assert.deepEqual(await database.query('SELECT 1 AS one'), [{ one: 1 }]);
      },
      { memoryLimits: ['20MB', '30MB'] },
    );
  });

  it('return to the configured limit when a statement needs more than the minimum', async () => {
    await withBuildDatabase(
      async (database) => {
        await database.withMemory?.('20MB', async () => {
          assert.deepEqual(await database.query(large), made);
          assert.equal(await limitOf(database), '500.0 MiB');
        });
        assert.equal(await limitOf(database), '500.0 MiB');
      },
      { memoryLimits: ['500MiB', '1000MiB'] },
    );
  });

  it('grow from the minimum past the configured limit, and stay there', async () => {
    await withBuildDatabase(
      async (database) => {
        await database.withMemory?.('20MB', async () => assert.deepEqual(await database.query(large), made));
        assert.equal(await limitOf(database), '1000.0 MiB');
      },
      { memoryLimits: ['30MB', '1000MiB'] },
    );
  });
});
