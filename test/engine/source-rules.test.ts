import assert from 'node:assert/strict';
import type { RuleResult } from '../../protocol/process-rules.ts';
import { compareEngines, sourceSettings } from '../support/compare-engines.ts';
import { postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { randomOf } from '../support/random.ts';
import { randomCalendars } from '../support/random-measures.ts';
import { randomRule } from '../support/random-rules.ts';
import { createRulesShop, rulesOfValues as ofValues, rulesShop as shop } from '../support/rules-shop.ts';
import { runCommand } from '../support/run-command.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';

/** Everything but the statement, which differs. */
const comparable = ({ sql: _, ...result }: RuleResult): unknown => result;

describe('rules of graphs in their source', () => {
  let server: TestPostgres;

  before(async () => {
    server = await sharedPostgres();
  });

  const shopDatabase = (seed: number): Promise<string> => createRulesShop(server, seed);

  it('are judged as in the embedded engine: random rules over random graphs, with their tables', async function () {
    this.timeout(600_000);
    for (const seed of soakSeeds(1)) {
      const database = await shopDatabase(seed);
      const random = randomOf(seed);
      const rules = Array.from({ length: 60 }, (_, index) => randomRule(random, index)).join('');
      const { embedded, source } = await compareEngines(
        server,
        database,
        `${shop}${randomCalendars}rules:\n${ofValues}${rules}`,
      );
      const judged = embedded.rules?.map(comparable) ?? [];
      assert.equal(judged.length, 64);
      assert.deepEqual(
        embedded.rules?.flatMap(({ name, error }) => (error === undefined ? [] : [name, error])),
        [],
      );
      assert.deepEqual(source.rules?.map(comparable), judged, `seed ${seed}`);
      assert.ok((embedded.rules ?? []).filter(({ broken }) => broken > 0).length > 20);
      countSoak();
    }
  });

  it('are judged in the source by their current text, and again in a copy', async () => {
    const database = await shopDatabase(31);
    const graph = (rules: string): string => `${shop}rules:\n${rules}${sourceSettings}`;
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': graph(ofValues),
    };
    await withProject(files, async ({ folder, import: run, write, rows }) => {
      const imported = await run();
      assert.equal(imported.status, 'imported', imported.error?.message);
      assert.equal(imported.rules?.length, 4);
      const cli = (...words: readonly string[]): ReturnType<typeof runCommand> =>
        runCommand(words, folder, { ENTITY_GRAPH_SECRET_SHOP: 'postgres' });
      await write({
        'graph.entity.yaml': graph(
          `${ofValues}  - { name: Misspelt, each: { entityType: order }, expect: [{ sql: amuont > 1 }] }\n  - { name: In PostgreSQL, each: { entityType: order }, expect: [{ sql: "amount::text ~ '^[0-9.]+$'" }] }\n`,
        ),
      });
      const { code, stdout, stderr } = await cli('rules', 'graph.entity.yaml', '--format', 'json');
      assert.equal(code, 1, stderr);
      const results = JSON.parse(stdout) as RuleResult[];
      assert.deepEqual(results.slice(0, 4).map(comparable), imported.rules?.map(comparable));
      assert.match(results[0]?.sql ?? '', /FROM "ekg"\."entity"/u);
      assert.match(results[4]?.error ?? '', /amuont/u);
      assert.deepEqual([results[5]?.error, results[5]?.broken], [undefined, 0]);
      await run({ request: { kind: 'fetch' } });
      assert.deepEqual(
        (await rows('SELECT name, judged, concerned, kept, broken, pending, undecided FROM rule ORDER BY number')).map(
          (row) => row.map(String),
        ),
        imported.rules?.map(({ name, judged, concerned, kept, broken, pending, undecided }) =>
          [name, judged, concerned, kept, broken, pending, undecided].map(String),
        ),
      );
      await server.query(database, 'DROP SCHEMA ekg CASCADE');
      assert.match((await cli('rules', 'graph.entity.yaml')).stdout, /Values of entities/u);
    });
  });

  it('use the property names of the graph, also where another column has such a name', async () => {
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE visits (id int PRIMARY KEY, guest int, at timestamp, event_id smallint, "Fee" numeric(5,2));
       CREATE TABLE meals (id int PRIMARY KEY, at timestamp, event_id numeric(9,3), "Fee" numeric(8,1));
       CREATE TABLE guests (id int, since timestamp, value_rank int, entity_id text);
       INSERT INTO visits VALUES (1, 7, '2024-01-02', 1, 5.25), (2, 7, '2024-01-03', 9, 6.5);
       INSERT INTO meals VALUES (1, '2024-01-04', 2.5, 10.5);
       INSERT INTO guests VALUES (7, '2024-01-01', 1, 'a'), (7, '2024-01-05', 2, NULL)`,
    );
    const { embedded, source } = await compareEngines(
      server,
      database,
      `version: 1
name: Names
dataSource: shop
elements:
  - { activityName: Visit, dataObject: visits, key: id, entityType: visit, startTimestamp: at, properties: [event_id, Fee, id] }
  - { activityName: Eat, dataObject: meals, key: id, entityType: visit, startTimestamp: at, properties: [event_id, Fee, id] }
entities:
  - { name: Guests, dataObject: guests, entityType: guest, key: id, validFrom: since, properties: [value_rank, entity_id] }
rules:
  - { name: Of events, each: { activity: Visit }, expect: [{ sql: '"event_id~2" < 5' }] }
  - { name: Of two elements, each: { entityType: visit }, expect: [{ sql: '"event_id~2" < 5 AND "Fee" > 6' }] }
  - { name: Of columns of events, each: { entityType: visit }, expect: [{ sql: id < 2 }] }
  - { name: Of versions, each: { entityType: guest }, expect: [{ sql: '"value_rank~2" = 1' }, { sql: "\\"entity_id~2\\" = 'a'" }] }
`,
    );
    assert.deepEqual(
      embedded.rules?.map(({ error, judged, broken }) => [error, judged, broken]),
      [
        [undefined, 2, 1],
        [undefined, 2, 1],
        [undefined, 2, 1],
        [undefined, 1, 1],
      ],
    );
    assert.deepEqual(source.rules?.map(comparable), embedded.rules?.map(comparable));
  });

  it('may use functions of the database', async () => {
    const database = await shopDatabase(33);
    await server.query(database, 'CREATE FUNCTION is_dear(numeric) RETURNS boolean LANGUAGE sql AS $$SELECT $1 > 20$$');
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': `${shop}rules:\n  - { name: Dear, each: { entityType: order }, expect: [{ sql: is_dear(amount) }] }\n${sourceSettings}`,
    };
    await withProject(files, async ({ import: run }) => {
      const { status, error, rules } = await run();
      assert.equal(status, 'imported', error?.message);
      assert.ok((rules?.[0]?.broken ?? 0) > 0);
      assert.equal(
        (await server.query(database, 'SELECT count(*)::int AS n FROM ekg.rule_violation'))[0]?.['n'],
        rules?.[0]?.broken,
      );
    });
  });

  it('that cannot list their violations are not judged, and the others are', async () => {
    const database = await shopDatabase(36);
    await server.query(
      database,
      `CREATE FUNCTION once(numeric) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN
         IF current_query() LIKE '%INSERT INTO%rule_violation%' THEN RAISE EXCEPTION 'not twice'; END IF;
         RETURN $1 > 20;
       END$$`,
    );
    const rule = (name: string, sql: string): string =>
      `  - { name: ${name}, each: { entityType: order }, expect: [{ sql: "${sql}" }] }\n`;
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': `${shop}rules:\n${rule('Before', 'amount > 20')}${rule('Once', 'once(amount)')}${rule('After', 'amount > 20')}${sourceSettings}`,
    };
    await withProject(files, async ({ folder, import: run, write }) => {
      const { status, error, rules = [] } = await run();
      assert.equal(status, 'imported', error?.message);
      const [before, once, after] = rules;
      assert.match(once?.error ?? '', /Listing what breaks it: .*not twice/u);
      assert.equal(before?.broken, after?.broken);
      assert.deepEqual(
        await server.query(
          database,
          'SELECT name, error IS NULL AS judged, (SELECT count(*)::int FROM ekg.rule_violation WHERE rule = number) AS n FROM ekg.rule ORDER BY number',
        ),
        [
          { name: 'Before', judged: true, n: before?.broken },
          { name: 'Once', judged: false, n: 0 },
          { name: 'After', judged: true, n: after?.broken },
        ],
      );
      await write({ 'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n' });
      const { code, stderr } = await runCommand(['rules', 'graph.entity.yaml'], folder);
      assert.equal(code, 1);
      assert.match(stderr, /not in the schema ekg of shop any more[^]*Import the entity graph again/u);
    });
  });

  it('are judged by a fetch if the source has no results', async () => {
    const database = await shopDatabase(35);
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': `${shop}rules:\n${ofValues}${sourceSettings}`,
    };
    await withProject(files, async ({ import: run, rows }) => {
      const imported = await run();
      const copied = await run({ request: { kind: 'fetch' } });
      assert.deepEqual([copied.status, copied.rules], ['imported', undefined]);
      await server.query(database, 'DROP TABLE ekg.rule, ekg.rule_violation');
      const fetched = await run({ request: { kind: 'fetch' } });
      assert.deepEqual(fetched.rules?.map(comparable), imported.rules?.map(comparable));
      assert.deepEqual((await rows('SELECT count(*) FROM rule')).map(String), ['4']);
    });
  });

  it('of a graph that no longer exists are refused with a remedy', async () => {
    const database = await shopDatabase(32);
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': `${shop}rules:\n${ofValues}${sourceSettings}`,
    };
    await withProject(files, async ({ folder, import: run }) => {
      await run();
      await server.query(database, 'DROP SCHEMA ekg CASCADE');
      const { code, stderr } = await runCommand(['rules', 'graph.entity.yaml'], folder);
      assert.equal(code, 1);
      assert.match(stderr, /not in the schema ekg of shop any more[^]*Import the entity graph again/u);
    });
  });
});
