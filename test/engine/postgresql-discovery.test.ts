import assert from 'node:assert/strict';
import pg from 'pg';
import { findDataObject, type Catalog } from '../../server/src/catalog/catalog.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { postgresqlConnector } from '../support/postgresql-source.ts';

const definitions = `
CREATE SCHEMA "other schema";
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN amount AS numeric(8,2);
CREATE TABLE customer (region text, number int, "Full Name" varchar(40) NOT NULL, PRIMARY KEY (region, number));
COMMENT ON TABLE customer IS 'Who buys';
COMMENT ON COLUMN customer."Full Name" IS 'As on the invoice';
CREATE TABLE "other schema"."order" (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, region text NOT NULL, customer int, parent bigint REFERENCES "other schema"."order",
  at timestamptz, total amount, mood mood, payload jsonb, tags text[], picture bytea, paid boolean, day date, hour time, dropped int,
  CONSTRAINT buyer FOREIGN KEY (region, customer) REFERENCES customer (region, number));
ALTER TABLE "other schema"."order" DROP COLUMN dropped;
CREATE VIEW recent AS SELECT number, now() AS seen FROM customer;
CREATE MATERIALIZED VIEW totals AS SELECT region, count(*) AS n FROM customer GROUP BY region;
CREATE TABLE measure (at timestamp NOT NULL, value float8) PARTITION BY RANGE (at);
CREATE TABLE measure_2024 PARTITION OF measure FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE measure_2025 PARTITION OF measure FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE SEQUENCE not_listed;
INSERT INTO customer SELECT 'r' || i % 4, i, CASE WHEN i % 2 = 0 THEN 'Ann' ELSE 'Bob' END FROM generate_series(1, 1000) AS i;
INSERT INTO "other schema"."order" (region, customer, mood) SELECT 'r' || i % 4, i, CASE WHEN i % 4 = 0 THEN 'good'::mood END FROM generate_series(1, 400) AS i;
INSERT INTO measure SELECT timestamp '2024-01-01' + i * interval '1 day', i FROM generate_series(1, 700) AS i;
ANALYZE;`;

describe('PostgreSQL discovery', () => {
  let server: TestPostgres;
  let database: string;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, definitions);
  });

  const discover = async (settings: Readonly<Record<string, unknown>> = {}): Promise<Catalog> =>
    (await postgresqlConnector(server, database, { settings })).describe({});
  const bothSchemas = { schemas: ['public', 'other schema'] };

  it('lists objects of every kind, unqualified in the first schema and qualified in others', async () => {
    const catalog = await discover(bothSchemas);
    const { objects: _, readAt, ...rest } = catalog;
    assert.deepEqual(rest, {
      dataSource: 'shop',
      kind: 'postgresql',
      dialect: 'postgresql',
      engineVersion: 18,
      complete: true,
      warnings: [],
    });
    assert.match(readAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(
      catalog.objects.map((object) => [object.name, object.kind, object.path]),
      [
        ['customer', 'table', ['public', 'customer']],
        ['measure', 'partitioned table', ['public', 'measure']],
        ['measure_2024', 'partition', ['public', 'measure_2024']],
        ['measure_2025', 'partition', ['public', 'measure_2025']],
        ['recent', 'view', ['public', 'recent']],
        ['totals', 'materialized view', ['public', 'totals']],
        ['other schema.order', 'table', ['other schema', 'order']],
      ],
    );
    const swapped = await discover({ schemas: ['other schema', 'public'] });
    assert.deepEqual(swapped.objects.map((object) => object.name).slice(0, 2), ['order', 'public.customer']);
    assert.deepEqual((await discover()).objects.length, 6);
  });

  it('names the tables from which a table inherits, the nearest last', async () => {
    const family = await server.createDatabase();
    await server.query(
      family,
      `CREATE TABLE document (id int PRIMARY KEY, at timestamp);
      CREATE TABLE letter (pages int) INHERITS (document);
      CREATE TABLE reminder (level int) INHERITS (letter);`,
    );
    const { objects } = await (await postgresqlConnector(server, family)).describe({});
    assert.deepEqual(
      objects.map((object) => [object.name, object.kind, object.extends]),
      [
        ['document', 'table', undefined],
        ['letter', 'table', ['document']],
        ['reminder', 'table', ['document', 'letter']],
      ],
    );
  });

  it('reads columns, composite keys, foreign keys and comments', async () => {
    const catalog = await discover(bothSchemas);
    const customer = findDataObject(catalog, 'customer');
    assert.deepEqual(
      [customer?.comment, customer?.primaryKey, customer?.foreignKeys],
      ['Who buys', ['region', 'number'], []],
    );
    assert.deepEqual(customer?.columns, [
      {
        name: 'region',
        type: 'text',
        sense: 'text',
        nullable: false,
        primaryKey: true,
        nullShare: 0,
        distinctEstimate: 4,
        samples: ['r0', 'r1', 'r2'],
      },
      {
        name: 'number',
        type: 'integer',
        sense: 'integer',
        nullable: false,
        primaryKey: true,
        nullShare: 0,
        distinctEstimate: 1000,
        samples: ['1', '10', '20'],
      },
      {
        name: 'Full Name',
        type: 'character varying(40)',
        sense: 'text',
        nullable: false,
        primaryKey: false,
        comment: 'As on the invoice',
        nullShare: 0,
        distinctEstimate: 2,
        samples: ['Ann', 'Bob'],
      },
    ]);
    const order = findDataObject(catalog, 'other schema.order');
    assert.deepEqual(order?.foreignKeys, [
      {
        name: 'buyer',
        columns: ['region', 'customer'],
        references: { dataObject: 'customer', columns: ['region', 'number'] },
      },
      {
        name: 'order_parent_fkey',
        columns: ['parent'],
        references: { dataObject: 'other schema.order', columns: ['id'] },
      },
    ]);
    assert.deepEqual(
      order?.columns.map((column) => [column.name, column.type, column.sense, column.references, column.nullShare]),
      [
        ['id', 'bigint', 'integer', undefined, 0],
        ['region', 'text', 'text', { dataObject: 'customer', column: 'region' }, 0],
        ['customer', 'integer', 'integer', { dataObject: 'customer', column: 'number' }, 0],
        ['parent', 'bigint', 'integer', { dataObject: 'other schema.order', column: 'id' }, 1],
        ['at', 'timestamp with time zone', 'timestamp', undefined, 1],
        ['total', 'amount', 'number', undefined, 1],
        ['mood', 'mood', 'text', undefined, 0.75],
        ['payload', 'jsonb', 'json', undefined, 1],
        ['tags', 'text[]', 'json', undefined, 1],
        ['picture', 'bytea', 'binary', undefined, 1],
        ['paid', 'boolean', 'boolean', undefined, 1],
        ['day', 'date', 'date', undefined, 1],
        ['hour', 'time without time zone', 'time', undefined, 1],
      ],
    );
  });

  it('reads enum values in their order, also through domains', async () => {
    const own = await server.createDatabase();
    await server.query(
      own,
      `CREATE TYPE size AS ENUM ('small', 'it''s large'); ALTER TYPE size ADD VALUE 'medium' AFTER 'small';
       CREATE TYPE hue AS ENUM ('red'); CREATE DOMAIN paint AS hue; CREATE TABLE thing (size size, paint paint, sizes size[], note text);`,
    );
    const { objects } = await postgresqlConnector(server, own, {}).then((connector) => connector.describe({}));
    assert.deepEqual(
      objects[0]?.columns.map(({ name, values }) => [name, values?.map(({ value }) => value)]),
      [
        ['size', ['small', 'medium', "it's large"]],
        ['paint', ['red']],
        ['sizes', undefined],
        ['note', undefined],
      ],
    );
  });

  it('reads statistics after ANALYZE, for partitioned tables from their partitions', async () => {
    const catalog = await discover(bothSchemas);
    const statisticsOf = (name: string): readonly unknown[] => {
      const statistics = findDataObject(catalog, name)?.statistics;
      const analyzed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(statistics?.lastAnalyzed ?? '');
      return [statistics?.columnCount, statistics?.rowEstimate, (statistics?.dataSize ?? 0) > 8191, analyzed];
    };
    assert.deepEqual(statisticsOf('customer'), [3, 1000, true, true]);
    assert.deepEqual(statisticsOf('measure'), [2, 700, true, true]);
    assert.deepEqual(findDataObject(catalog, 'recent')?.statistics, { columnCount: 2 });
    const sizes = ['measure', 'measure_2024', 'measure_2025'].map(
      (name) => findDataObject(catalog, name)?.statistics.dataSize ?? 0,
    );
    assert.equal(sizes[0], (sizes[1] ?? 0) + (sizes[2] ?? 0));
  });

  it('omits tables without SELECT permission, with a warning', async () => {
    const user = `${database}_clerk`;
    await server.query(
      database,
      `CREATE ROLE ${user} LOGIN PASSWORD 'clerk-password'; GRANT SELECT ON totals TO ${user}; GRANT SELECT (region) ON customer TO ${user}`,
    );
    const clerk = await postgresqlConnector({ ...server, user, password: 'clerk-password' }, database, {
      settings: bothSchemas,
    });
    const catalog = await clerk.describe({});
    assert.deepEqual(
      catalog.objects.map((object) => [object.name, object.columns.map((column) => column.name)]),
      [
        ['customer', ['region']],
        ['totals', ['region', 'n']],
      ],
    );
    assert.deepEqual(catalog.warnings, [
      `5 objects are left out because ${user} may not select from them: measure, measure_2024, measure_2025, recent, other schema.order.`,
    ]);
  });

  it('warns of a schema that does not exist', async () => {
    const catalog = await discover({ schemas: ['public', 'nope'] });
    assert.deepEqual(catalog.warnings, [`Schema nope does not exist in ${database}.`]);
  });

  it('reads foreign tables', async () => {
    const available = await server.query(database, `SELECT FROM pg_available_extensions WHERE name = 'postgres_fdw'`);
    assert.equal(available.length, 1);
    await server.query(
      database,
      `CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw; CREATE SCHEMA far;
       CREATE FOREIGN TABLE far.away (id int NOT NULL) SERVER far`,
    );
    const [away] = (await discover({ schemas: ['far'] })).objects;
    assert.deepEqual(away, {
      name: 'away',
      kind: 'foreign table',
      path: ['far', 'away'],
      columns: [{ name: 'id', type: 'integer', sense: 'integer', nullable: false, primaryKey: false }],
      primaryKey: [],
      foreignKeys: [],
      statistics: { columnCount: 1 },
    });
  });

  it('sends the same number of queries for 2,000 tables as for one', async () => {
    const statements = async (tables: number): Promise<number> => {
      const many = await server.createDatabase();
      const create = `EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, name text)', i)`;
      await server.query(many, `DO $$ BEGIN FOR i IN 1..${tables} LOOP ${create}; END LOOP; END $$`);
      const connector = await postgresqlConnector(server, many);
      const { result: catalog, queries } = await countQueries(() => connector.describe({}));
      assert.equal(catalog.objects.length, tables);
      return queries;
    };
    assert.deepEqual([await statements(1), await statements(2000)], [7, 7]);
  });
});

/** Counts calls of the driver while `work` runs. */
async function countQueries<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly queries: number }> {
  const query = pg.Client.prototype.query as (...parameters: unknown[]) => unknown;
  let queries = 0;
  const counted = function (this: pg.Client, ...parameters: unknown[]): unknown {
    queries += 1;
    return query.apply(this, parameters);
  };
  Object.assign(pg.Client.prototype, { query: counted });
  try {
    return { result: await work(), queries };
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
}
