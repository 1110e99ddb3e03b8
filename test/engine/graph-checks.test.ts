import assert from 'node:assert/strict';
import { duckdbBuild } from '../../server/src/import/build/build-dialect.ts';
import { checkGraph } from '../../server/src/import/checks.ts';
import { createStepRunner } from '../../server/src/import/step-runner.ts';
import { type DuckDbSession, openScratch } from '../../server/src/store/duckdb-store.ts';

const graph = [
  "ATTACH ':memory:' AS graph",
  "CREATE TABLE graph.entity AS SELECT i::BIGINT AS id, 'order' AS entity_type, 'k' || i AS key FROM range(1, 4) AS r(i)",
  "CREATE TABLE graph.event AS SELECT i::BIGINT AS id, (i - 1) // 2 + 1 AS entity_id, TIMESTAMP '2024-01-01' + i * INTERVAL 1 HOUR AS time FROM range(1, 7) AS r(i)",
  "CREATE TABLE graph.event_entity AS SELECT id AS event_id, entity_id, 'self' AS qualifier FROM graph.event",
  'CREATE TABLE graph.relation AS SELECT 1::BIGINT AS source_entity_id, 2::BIGINT AS target_entity_id',
  'CREATE TABLE graph.directly_follows AS SELECT id AS source_event_id, id + 1 AS target_event_id FROM graph.event WHERE id % 2 = 1',
];
const totals = { events: 6, entities: 3, correlations: 6, relations: 1, directlyFollows: 3 };

describe('checks of a graph before it is published', () => {
  let database: DuckDbSession;

  beforeEach(async () => {
    database = await openScratch();
    await database.runAll(graph);
  });
  afterEach(() => database.close());

  const check = (expectedEvents?: number, keepsRowOrder = true) =>
    checkGraph(createStepRunner(database, new AbortController().signal), {
      pulls: [],
      mayCorrelateTwice: false,
      mayLackEntity: false,
      hasEnds: false,
      expectedEvents,
      dialect: { ...duckdbBuild, build: { ...duckdbBuild.build, keepsRowOrder } },
    });

  it('give the totals of a good graph, in one statement and in several', async () => {
    assert.deepEqual(await check(6), totals);
    assert.deepEqual(await check(6, false), totals);
  });

  for (const [change, message] of [
    ["UPDATE graph.entity SET key = 'k1' WHERE id = 2", '1 entities that are there twice or out of order'],
    ['UPDATE graph.entity SET id = 2 WHERE id = 3', '1 entities that share an id, or whose ids go back'],
    ['UPDATE graph.entity SET id = 9 WHERE id = 3', '1 gaps in the ids of entities'],
    ['UPDATE graph.event SET id = 9 WHERE id = 6', '1 gaps in the ids of events'],
    ['UPDATE graph.event SET entity_id = 4 WHERE id > 4', '2 events of an entity that does not exist'],
    ["UPDATE graph.event SET time = TIMESTAMP '2023-01-01' WHERE id = 3", '1 events out of order'],
    ['UPDATE graph.event_entity SET event_id = 7 WHERE event_id = 6', '1 correlations without event'],
    ['UPDATE graph.event_entity SET entity_id = NULL WHERE event_id < 4', '3 correlations without entity'],
    ['UPDATE graph.relation SET source_entity_id = 0', '1 relations without their source'],
    ['UPDATE graph.relation SET target_entity_id = 4', '1 relations without their target'],
    [
      'UPDATE graph.directly_follows SET target_event_id = source_event_id',
      '3 directly-follows edges that do not lead forward',
    ],
  ] as const) {
    it(`refuse ${message.replace(/^\d+ /, '')}`, async () => {
      await database.run(change);
      await assert.rejects(check(), { code: 'check-failed', message: `The graph has ${message}.` });
    });
  }

  it('refuse lost events and steps', async () => {
    await assert.rejects(check(7), { message: 'The rows give 7 events, but the graph has 6.' });
    await database.run('DELETE FROM graph.directly_follows WHERE source_event_id = 1');
    await assert.rejects(check(), { message: 'There should be 3 directly-follows edges, but there are 2.' });
  });
});
