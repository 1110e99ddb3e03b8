import assert from 'node:assert/strict';
import type { Column } from '../../server/src/catalog/catalog.ts';
import { createFetchedTable } from '../../server/src/connectors/fetched/fetched-table.ts';
import { withReadingMemoryLimit } from '../../server/src/connectors/fetched/reading-memory-limit.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

const text: Column = { name: 'text', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false };

describe('DuckDB memory while records are loaded', () => {
  withAllProcessors();
  const limitOf = async (database: {
    query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  }): Promise<unknown> => (await database.query("SELECT current_setting('memory_limit') AS own"))[0]?.['own'];

  it('is lowered, and restored after success and failure', async () => {
    await withBuildDatabase(
      async (database) => {
        const own = await limitOf(database);
        for (let times = 0; times < 5; times += 1) {
          assert.equal(await withReadingMemoryLimit(database, limitOf), '38.1 MiB');
          assert.equal(await limitOf(database), own);
        }
        const failing = withReadingMemoryLimit(database, async () => Promise.reject(new Error('No.')));
        await assert.rejects(failing, { message: 'No.' });
        assert.equal(await limitOf(database), own);
      },
      // DuckDB prints it as 1.2 GiB.
      { memoryLimits: ['1400MB'] },
    );
  });

  it('stays unchanged when no limit was set', async () => {
    await withBuildDatabase(async (database) => {
      const own = await limitOf(database);
      assert.equal(await withReadingMemoryLimit(database, limitOf), own);
      assert.equal(await limitOf(database), own);
    });
  });

  it('is raised for all statements that ran out of memory', async () => {
    await withBuildDatabase(
      async (database) => {
        await withReadingMemoryLimit(database, async (limited) => {
          const large = `SELECT list(range)::VARCHAR AS text FROM range(4000000)`;
          const made = ['one', 'other'].map((name) => limited.run(`CREATE TEMP TABLE ${name} AS ${large}`));
          await Promise.all(made);
          assert.equal(await limitOf(limited), '1000.0 MiB');
        });
      },
      { memoryLimits: ['1000MiB'] },
    );
  });

  it('is raised to the configured limit for a statement that needs it', async () => {
    await withBuildDatabase(
      async (database) => {
        await withReadingMemoryLimit(database, async (limited) => {
          const table = await createFetchedTable(limited, 'notes', {
            dataObject: 'notes',
            columns: [text],
            leads: true,
          });
          await table.add([['short']]);
          await table.flush(undefined);
          assert.equal(await limitOf(limited), '38.1 MiB');
          // Buffers are eight times as long as a line.
          await table.add([['x'.repeat(20 * 2 ** 20)]]);
          await table.flush(undefined);
          const lengths = await limited.query('SELECT length(text) AS length FROM notes ORDER BY 1');
          assert.deepEqual(lengths, [{ length: 5n }, { length: 20n * 2n ** 20n }]);
          assert.equal(await limitOf(limited), '1000.0 MiB');
        });
        await assert.rejects(
          withReadingMemoryLimit(database, (limited) => limited.run('SELECT none')),
          /none/,
        );
      },
      { memoryLimits: ['1000MiB'] },
    );
  });
});
