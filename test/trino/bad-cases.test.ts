import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { compareInLake } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { trinoConnector } from '../support/trino-source.ts';
import { createVisits, failureOf, schemasOf, visitSources, withVisits } from '../support/trino-visits.ts';

describe('engine: source in Trino › failures', () => {
  let trino: TestTrino;
  let visits = '';

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    visits = await createVisits(trino);
  });

  const sources = (settings: string): string => visitSources(trino.port, settings);

  it('names the missing permission of a user who may not create schemas or views; nothing is built, and the published graph stays', async function () {
    this.timeout(600_000);
    const privileges = ['SELECT', 'INSERT', 'DELETE', 'UPDATE', 'OWNERSHIP', 'GRANT_SELECT'];
    const rules = {
      schemas: [{ user: 'ann|cal', owner: true }, { owner: false }],
      // Trino has no privilege for views alone, so this rule goes by their names.
      tables: [
        { user: 'cal', table: '.*_view', privileges: ['SELECT'] },
        { user: 'ann|cal', privileges },
        { privileges: ['SELECT'] },
      ],
    };
    // Where it stays as long as the server, which reads it again when it is restarted.
    const file = join(dirname(trino.authority), 'rules.json');
    await writeFile(file, JSON.stringify(rules));
    const catalog = await trino.addLake({ 'iceberg.security': 'FILE', 'security.config-file': file });
    const of = `catalog: lake, schemas: ${visits}`;
    await withVisits(sources(`user: ann, ${of}`), `catalog: ${catalog}, schema: ekg`, async (given) => {
      const first = await given.import();
      assert.equal(first.status, 'imported', first.error?.message);
      const schemas = await schemasOf(trino, catalog);
      const missing = { bob: /Cannot create schema ekg__/u, cal: /Cannot create view ekg__/u };
      for (const [user, right] of Object.entries(missing)) {
        await given.write({ 'entity-sources.yaml': sources(`user: ${user}, ${of}`) });
        const message = failureOf(await given.import());
        assert.match(message, /^permission-denied: /u);
        assert.match(message, right);
        assert.match(message, /ask for the right to create them in it/u);
        assert.deepEqual(await schemasOf(trino, catalog), schemas);
      }
      assert.deepEqual(await trino.run(`SELECT count(*), max(id) FROM ${catalog}.ekg.event`), [[9, 9]]);
    });
  });

  it('names a catalog that cannot be written, with a remedy', async function () {
    this.timeout(600_000);
    const closed = await trino.addLake({ 'iceberg.security': 'READ_ONLY' });
    // A folder in which nobody can create another one.
    const broken = await trino.addLake({ 'local.location': '/proc/sys/vm' });
    for (const catalog of [closed, broken]) {
      const target = `catalog: ${catalog}, schema: ekg`;
      await withVisits(sources(`user: ann, catalog: lake, schemas: ${visits}`), target, async (given) => {
        const message = failureOf(await given.import());
        assert.match(message, new RegExp(`creates schemas, Iceberg tables and views in the catalog ${catalog}`, 'u'));
      });
      assert.ok(!(await schemasOf(trino, catalog)).some((name) => name.startsWith('ekg')));
    }
  });

  it('tables without statistics have no estimates, and their graph equals that of the embedded engine', async function () {
    this.timeout(900_000);
    const postgres = await sharedPostgres();
    const database = await postgres.createDatabase();
    // Never analysed.
    await postgres.query(
      database,
      `CREATE TABLE guest (id int, since timestamp) WITH (autovacuum_enabled = false);
       CREATE TABLE stay (k int, guest int, at timestamp) WITH (autovacuum_enabled = false);
       INSERT INTO guest SELECT i, timestamp '2024-01-01' + i * interval '1 day' FROM generate_series(0, 4) AS t (i);
       INSERT INTO stay SELECT i, i % 5, timestamp '2024-02-01' + i * interval '1 hour' FROM generate_series(1, 40) AS t (i)`,
    );
    const catalog = await trino.addPostgres(postgres, database);
    const connector = await trinoConnector(trino, 'public', { settings: { catalog } });
    try {
      const { objects } = await connector.describe({});
      assert.deepEqual(
        objects.map(({ name, statistics, columns }) => [
          name,
          statistics,
          columns.filter(
            ({ distinctEstimate, nullShare }) => distinctEstimate !== undefined || nullShare !== undefined,
          ),
        ]),
        [
          ['guest', { columnCount: 2 }, []],
          ['stay', { columnCount: 3 }, []],
        ],
      );
    } finally {
      await connector.close();
    }
    const text = `version: 1
name: Stays
dataSource: shop
elements:
  - { activityName: Join, dataObject: guest, key: id, entityType: guest, startTimestamp: since }
  - { activityName: Stay, dataObject: stay, key: k, entityType: stay, startTimestamp: at, properties: [guest] }
relationships:
  - { name: books, source: Join, target: Stay, mappings: [{ source: id, target: guest }] }
`;
    const { built } = await compareInLake(trino, `catalog: ${catalog}, schemas: public`, text, 'ekg_unknown');
    assert.deepEqual([built.totals.events, built.totals.relations], [45, 40]);
  });

  it('reads tables with the names of build tables from the catalog of the source', async function () {
    this.timeout(900_000);
    const schema = await trino.createSchema('memory');
    for (const name of ['event', 'entity', 'ranked', 'published']) {
      await trino.run(
        `CREATE TABLE memory.${schema}.${name} AS SELECT i AS id, i % 3 AS n, TIMESTAMP '2024-01-01 00:00:00' + i * INTERVAL '1' HOUR AS at FROM UNNEST(sequence(1, 20)) AS t (i)`,
      );
    }
    // Without statistics, and with types that Iceberg lacks.
    await trino.run(`CREATE VIEW memory.${schema}.run AS SELECT id, at, JSON '{"b":[1,2.5]}' AS j, INTERVAL '1' DAY AS d, TIME '10:11:12.500' AS t,
      CAST('ab' AS char(4)) AS c, UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS u, X'00ff' AS x, ARRAY[id] AS a, CAST(n AS tinyint) AS tiny FROM memory.${schema}.event`);
    const text = `version: 1
name: Names
dataSource: shop
elements:
  - activityName: Happen
    dataObject: event
    key: id
    entityType: thing
    startTimestamp: at
    joins: JOIN entity AS e ON e.id = event.id
    where: event.id IN (SELECT id FROM ranked WHERE n > 0) AND event.id NOT IN (SELECT max(id) FROM published)
    properties: [n, { column: e.n, name: M }, { column: e.id, name: n again }]
  - { activityName: Run, dataObject: run, key: id, entityType: run, startTimestamp: at, properties: [j, d, t, c, u, x, a, tiny] }
`;
    const { built } = await compareInLake(trino, `catalog: memory, schemas: ${schema}`, text, 'ekg_names');
    // Of 20 rows 14 have n > 0, one of which is the last.
    assert.equal(built.totals.events, 13 + 20);
  });

  it('refuses a used column whose type has no text form, with a remedy, and keeps the published graph', async function () {
    this.timeout(600_000);
    const schema = await trino.createSchema('memory');
    await trino.run(`CREATE VIEW memory.${schema}.visit AS SELECT i AS k, TIMESTAMP '2024-01-01 00:00:00' + i * INTERVAL '1' HOUR AS at, ARRAY[X'00ff'] AS blobs,
      (SELECT approx_set(j) FROM UNNEST(sequence(1, 3)) AS u (j)) AS sketch FROM UNNEST(sequence(1, 4)) AS t (i)`);
    const text = (property: string): string => `version: 1
name: Types
dataSource: shop
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at, properties: [${property}] }
import: { engine: source, catalog: lake, schema: ekg_types }
`;
    const files = { 'entity-sources.yaml': sources(`user: ann, catalog: memory, schemas: ${schema}`) };
    await withProject({ ...files, 'graph.entity.yaml': text('') }, async (project) => {
      const published = async (): Promise<unknown> => [
        await trino.run('SELECT turn, run FROM lake.ekg_types.published'),
        (await schemasOf(trino, 'lake')).filter((name) => name.startsWith('ekg_types')),
      ];
      const { status, totals, error } = await project.import();
      assert.deepEqual([status, totals?.events], ['imported', 4], error?.message);
      const earlier = await published();
      for (const [column, type] of Object.entries({ blobs: 'array(varbinary)', sketch: 'HyperLogLog' })) {
        await project.write({ 'graph.entity.yaml': text(column) });
        const message = failureOf(await project.import());
        assert.ok(
          message.startsWith(`type-mismatch: The column ${column} is of the type ${type}, which has no text`),
          message,
        );
        assert.match(message, /use engine: embedded\.$/u);
        assert.deepEqual(await published(), earlier);
      }
    });
  });

  it('treats schemas whose names differ only by case as one schema', async function () {
    this.timeout(600_000);
    const connector = await trinoConnector(trino, 'none');
    try {
      const open = (schema: string, entity: string) =>
        connector.openBuild?.({ schema, owner: { entity, runs: [] }, run: `20240101T000000000-${entity}aaa` });
      const build = await open('EKG_Case', 'a');
      await build?.run('CREATE TABLE run AS SELECT 1 AS a', {});
      await build?.publish(['run'], new AbortController().signal);
      await assert.rejects(
        async () => open('ekg_case', 'b'),
        /The schema ekg_case holds the graph of another file: a/u,
      );
    } finally {
      await connector.close();
    }
  });

  it('reports tables and columns whose names differ only by case', async function () {
    this.timeout(600_000);
    const postgres = await sharedPostgres();
    const databases = [
      'CREATE TABLE "Orders" (id int, at timestamp); CREATE TABLE orders (id int, at timestamp)',
      'CREATE TABLE lines ("Id" int, id int, at timestamp)',
    ];
    for (const sql of databases) {
      const database = await postgres.createDatabase();
      await postgres.query(database, sql);
      const catalog = await trino.addPostgres(postgres, database);
      const connector = await trinoConnector(trino, 'public', { settings: { catalog } });
      try {
        const error: unknown = await connector.describe({}).then(
          ({ objects }) => new Error(JSON.stringify(objects)),
          (failure: unknown) => failure,
        );
        assert.ok(isSourceError(error), String(error));
        assert.equal(error.code, 'source-config', error.message);
        assert.match(String(error.details.remedy), /case-insensitive-name-matching/u);
      } finally {
        await connector.close();
      }
    }
  });
});
