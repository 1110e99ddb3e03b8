import assert from 'node:assert/strict';
import { duckdbBuild } from '../../server/src/import/build/build-dialect.ts';
import { expectedFollowsSql } from '../../server/src/import/build/directly-follows.ts';
import { type DuckDbSession, openScratch } from '../../server/src/store/duckdb-store.ts';

describe('steps that an import expects between the events of entities', () => {
  let database: DuckDbSession;

  beforeEach(async () => {
    database = await openScratch();
    await database.run("ATTACH ':memory:' AS graph");
    await database.run(`CREATE TABLE graph.event_entity AS SELECT (i * 31) % 40 AS event_id, (i * 17) % 11 AS entity_id, 'by ' || i % 3 AS qualifier
      FROM range(600) AS r(i)`);
    await database.run(
      'CREATE TABLE ordered AS SELECT (entity_id << 32) + event_id AS entity_event FROM graph.event_entity ORDER BY 1',
    );
  });
  afterEach(() => database.close());

  const expected = async (mayCorrelateTwice: boolean, keepsRowOrder: boolean): Promise<number> => {
    const dialect = { ...duckdbBuild, build: { ...duckdbBuild.build, keepsRowOrder } };
    const sql = expectedFollowsSql({ dialect, mayCorrelateTwice, hasEnds: false });
    return Number(Object.values((await database.query(sql))[0] ?? {})[0]);
  };

  it('have the same count in order and by entity if an event has an entity several times', async () => {
    const steps = await expected(true, false);
    assert.equal(steps, 440 - 11, '440 different pairs of 600 rows, 11 entities');
    assert.equal(await expected(true, true), steps);
  });

  it('are zero without events', async () => {
    await database.run('DELETE FROM graph.event_entity');
    await database.run('DELETE FROM ordered');
    assert.equal(await expected(true, true), 0);
  });

  for (const [what, change] of [
    ['lack one', 'DELETE FROM ordered WHERE rowid = 7'],
    ['have another event', 'UPDATE ordered SET entity_event = entity_event + 60 WHERE rowid = 7'],
    ['have another entity', 'UPDATE ordered SET entity_event = entity_event + (99::BIGINT << 32) WHERE rowid = 7'],
  ] as const) {
    it(`are refused when the events in order ${what}`, async () => {
      await database.run(change);
      assert.equal(await expected(true, true), -1);
    });
  }
});
