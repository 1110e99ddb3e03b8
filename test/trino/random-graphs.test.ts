import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { compareInLake } from '../support/compare-in-trino.ts';
import { randomGraph as randomRows } from '../support/random-graphs.ts';
import { randomGraph } from '../support/shop-graphs.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { loadCsvIntoLake } from '../support/trino-samples.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { trinoShop } from '../support/trino-shop.ts';

const time = (text: string): string => `CAST(${text} AS timestamp(6))`;

/** The types of the columns of random rows, as DuckDB detects them in their CSV files. */
const values: Readonly<Record<string, (text: string) => string>> = {
  ...{ opened: time, updated: time, since: time },
  seq: (text) => `CAST(${text} AS bigint)`,
  amount: (text) => `CAST(${text} AS double)`,
  flag: (text) => `CAST(${text} AS boolean)`,
};

/** A graph over the shop in the SQL of Trino, whose catalog has no keys of tables. */
function inTrino(graph: string): string {
  return graph
    .replaceAll("interval '1 day' * part", "part * INTERVAL '1' DAY")
    .replaceAll('changed::date', 'CAST(changed AS date)')
    .replaceAll('dataObject: orders, startTimestamp', 'dataObject: orders, key: [id, part], startTimestamp')
    .replaceAll('dataObject: orders, correlatesWith', 'dataObject: orders, key: [id, part], correlatesWith')
    .replaceAll('dataObject: orders, ownEntity', 'dataObject: orders, key: [id, part], ownEntity')
    .replaceAll('dataObject: customers, startTimestamp', 'dataObject: customers, key: id, startTimestamp');
}

describe('random graphs built inside Trino', () => {
  let trino: TestTrino;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
  });

  // Together: an activity column, a sequence, a time zone, row correlations, relationships that correlate and that do not.
  for (const seed of [2, 4, 5]) {
    it(`equal those of the embedded engine: random rows ${seed}`, async function () {
      this.timeout(900_000);
      const { 'graph.entity.yaml': graph = '', 'entity-sources.yaml': source = '', ...tables } = randomRows(seed);
      const folder = await folderWith(tables);
      const schema = await trino.createSchema();
      try {
        for (const file of Object.keys(tables)) {
          await loadCsvIntoLake(trino, `lake.${schema}.${file.slice(0, -4)}`, join(folder, file), { values });
        }
      } finally {
        await removeFolder(folder);
      }
      const [zone = ''] = /, timeZone: \S+/u.exec(source) ?? [];
      const text = graph.replace('dataSource: files', 'dataSource: shop');
      const settings = `catalog: lake, schemas: ${schema}${zone}`;
      const { built } = await compareInLake(trino, settings, text, `ekg_rows_${seed}`);
      assert.ok(built.totals.events > 20);
    });
  }

  it('equal those of the embedded engine: random graphs without custom SQL', async function () {
    this.timeout(1_800_000);
    const schema = await trino.createSchema();
    for (const sql of trinoShop(`lake.${schema}`)) await trino.run(sql);
    // The same graphs each time: one more takes as long as all of them in PostgreSQL.
    for (const [index, graph] of fc.sample(randomGraph, { seed: 3, numRuns: 3 }).entries()) {
      await compareInLake(trino, `catalog: lake, schemas: ${schema}`, inTrino(graph), `ekg_random_${index}`);
    }
  });
});
