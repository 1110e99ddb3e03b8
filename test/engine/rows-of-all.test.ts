import assert from 'node:assert/strict';
import { rowsOfAll } from '../../server/src/export/ocel/rows-of-all.ts';
import { isOutOfMemory, openScratch } from '../../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('rowsOfAll', () => {
  it('joins and sorts within a memory limit that a UNION exceeds', async () => {
    const temporaryFolder = await folderWith({});
    const database = await openScratch({ temporaryFolder, memoryLimit: '128MB', threads: 2 });
    try {
      await database.run('CREATE TABLE event AS SELECT i AS id FROM range(4000) AS r(i)');
      const tables = Array.from({ length: 400 }, (_, index) => `held_${index}`);
      for (const [index, table] of tables.entries()) {
        await database.run(
          `CREATE TABLE ${table} AS SELECT id, 'event ' || id AS text FROM event WHERE id % 400 = ${index}`,
        );
      }
      const queries = tables.map((table) => `SELECT id, text FROM ${table}`);
      const joined = (rows: string): string =>
        `CREATE OR REPLACE TEMP TABLE joined AS SELECT event.id, text FROM event LEFT JOIN (${rows}) AS held ON held.id = event.id ORDER BY event.id`;
      await assert.rejects(database.run(joined(queries.join(' UNION ALL '))), isOutOfMemory);
      for (let round = 0; round < 2; round += 1) {
        await database.run(joined(await rowsOfAll(database, 'held_text', queries, {})));
        const [row] = await database.query('SELECT count(*) AS n, count(DISTINCT text) AS texts FROM joined');
        assert.deepEqual([Number(row?.['n']), Number(row?.['texts'])], [4000, 4000]);
      }
    } finally {
      await database.close();
      await removeFolder(temporaryFolder);
    }
  });

  for (const count of [2, 40]) {
    it(`unifies the column types: ${count} queries`, async () => {
      const database = await openScratch();
      try {
        const values = ['NULL', '1', '20000000000', '1.5'];
        const queries = Array.from({ length: count }, (_, index) => `SELECT ${values[index % 4]} AS v`);
        const union = await database.describe(queries.join(' UNION ALL '));
        const rows = await rowsOfAll(database, 'several', queries, {});
        assert.deepEqual(await database.describe(rows), union);
        const [row] = await database.query(`SELECT count(*) AS n FROM (${rows})`);
        assert.equal(Number(row?.['n']), count);
      } finally {
        await database.close();
      }
    });
  }
});
