import assert from 'node:assert/strict';
import { duckdbBuild } from '../../server/src/import/build/build-dialect.ts';
import { bitsFor, createProcessMapActivitySql } from '../../server/src/import/build/process-map-activities.ts';
import type { StagedElement } from '../../server/src/import/build/staged-element.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { withProject } from '../support/import-text.ts';
import { randomGraph } from '../support/random-graphs.ts';

describe('activities of the process map, counted with a bit for each event', () => {
  for (const seed of [0, 2, 4, 5, 6]) {
    it(`equal a count of deduplicated events: random rows ${seed}`, () =>
      withProject(randomGraph(seed), async (project) => {
        const { store, error } = await project.import();
        assert.ok(store, error?.message);
        const database = await openScratch();
        try {
          await database.run(`ATTACH '${store}' AS stored (READ_ONLY)`);
          await database.run("ATTACH ':memory:' AS graph");
          for (const table of ['entity', 'event', 'event_entity', 'process_map'])
            await database.run(`CREATE TABLE graph.${table} AS FROM stored.${table}`);
          const types = (await database.query('SELECT DISTINCT entity_type AS type FROM graph.entity')).map(
            ({ type }) => String(type),
          );
          const [last = {}] = await database.query('SELECT max(id) AS id FROM graph.event');
          await database.run(createProcessMapActivitySql(types, duckdbBuild, new Set(types), Number(last['id'])));
          const counted = await database.query('FROM graph.process_map_activity');
          assert.ok(counted.length > 1);
          assert.deepEqual(counted, await database.query('FROM stored.process_map_activity'));
          const typesOf = (schema: string): Promise<unknown> =>
            database.query(`SELECT DISTINCT typeof(COLUMNS(*)) FROM ${schema}.process_map_activity`);
          assert.deepEqual(await typesOf('graph'), await typesOf('stored'));
        } finally {
          await database.close();
        }
      }));
  }

  it('use bits only for many events of few entity types', () => {
    const element = (rows: number, roles: Partial<StagedElement> = {}): StagedElement =>
      ({ rows, ...roles }) as StagedElement;
    const column = { name: 'c' } as StagedElement['start'];
    // Activities of rows are of unknown number, which does not matter.
    const log = element(2_000_000, { activity: column });
    assert.equal(bitsFor([element(400_000)], 1), undefined);
    assert.equal(bitsFor([element(400_000, { change: column })], 1), 800_000);
    assert.equal(bitsFor([log], 1), 2_000_000);
    assert.equal(bitsFor([element(2_000_000), element(3_000_000)], 3), 5_000_000);
    assert.equal(bitsFor([element(60_000_000)], 2), undefined, 'more bits than there is memory for');
  });
});
