import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import { type SandboxPaths, confineDatabase } from '../../server/src/store/sandbox.ts';
import type { StagingDatabase } from '../../server/src/store/staging-database.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { createDuckdbFile, whileWritten } from '../support/duckdb-file.ts';
import { graphText, withGraph, withProject } from '../support/import-text.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const shop = [
  `CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL)`,
  `CREATE TABLE orders (id BIGINT PRIMARY KEY, customer INTEGER REFERENCES customers (id), placed TIMESTAMP, total DECIMAL(10,2))`,
  `CREATE SCHEMA sales`,
  `CREATE TABLE sales.lines (order_id BIGINT, line INTEGER, packed TIMESTAMPTZ, PRIMARY KEY (order_id, line))`,
  `CREATE VIEW large_orders AS SELECT id, placed FROM orders WHERE total >= 10`,
  `COMMENT ON TABLE orders IS 'What was ordered'`,
  `INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob')`,
  `INSERT INTO orders VALUES (1, 1, '2024-01-01 10:00', 9.5), (2, 1, '2024-01-02 10:00', 10), (9007199254740993, 2, '2024-01-03 10:00', 12.25)`,
  `INSERT INTO sales.lines VALUES (1, 1, '2024-01-01 11:00:00+01'), (2, 1, NULL)`,
];

const sources = 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n';
const orders = `  - { activityName: Place Order, dataObject: orders, entityType: order, startTimestamp: placed, properties: [total] }
  - { activityName: Win Customer, dataObject: customers, entityType: customer, joins: "JOIN orders AS o ON o.customer = customers.id", startTimestamp: o.placed }
`;

/** docs/duckdb.md */
describe('duckdb › a database file as a data source', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await folderWith({});
    file = join(folder, 'shop.duckdb');
    await createDuckdbFile(file, shop);
  });
  afterEach(() => removeFolder(folder));

  const connect = (settings: Readonly<Record<string, unknown>> = { path: 'shop.duckdb' }) =>
    createConnector(dataSource('shop', { kind: 'duckdb', ...settings }), { folder, ...noSecrets });

  /** The message and remedy of a file that cannot be read. */
  async function refusal(settings?: Readonly<Record<string, unknown>>): Promise<string> {
    const error = await connect(settings)
      .then(async (connector) => {
        try {
          return await connector.describe({});
        } finally {
          await connector.close();
        }
      })
      .catch((reason: unknown) => reason);
    assert.ok(isSourceError(error), String(error));
    return `${error.code}: ${error.message} ${error.details.remedy}`.replaceAll(folder, '…');
  }

  it('the catalog has tables, views, keys, references and comments', async () => {
    const connector = await connect();
    const { objects, complete, warnings } = await connector.describe({}).finally(() => connector.close());
    assert.deepEqual(
      objects.map(
        ({ name, kind, comment, primaryKey, columns }) =>
          `${kind} ${name}${comment ? ` (${comment})` : ''} by ${primaryKey.join('+')}: ${columns.map((each) => `${each.name} ${each.type}${each.references ? ` → ${each.references.dataObject}.${each.references.column}` : ''}`).join(', ')}`,
      ),
      [
        'table customers by id: id INTEGER, name VARCHAR',
        'view large_orders by : id BIGINT, placed TIMESTAMP',
        'table orders (What was ordered) by id: id BIGINT, customer INTEGER → customers.id, placed TIMESTAMP, total DECIMAL(10,2)',
        'table sales.lines by order_id+line: order_id BIGINT, line INTEGER, packed TIMESTAMP WITH TIME ZONE',
      ],
    );
    assert.deepEqual({ complete, warnings }, { complete: true, warnings: [] });
  });

  it('an import reads tables, schemas and views, and leaves the file as it was', () =>
    withGraph(
      {
        'entity-sources.yaml': sources,
        'graph.entity.yaml': graphText(
          `${orders}  - { activityName: Pack Line, dataObject: sales.lines, entityType: line, startTimestamp: packed }
  - { activityName: Approve Order, dataObject: large_orders, entityType: order, key: id, startTimestamp: placed }
`,
          `  - { name: buys, source: Win Customer, target: Place Order, mappings: [{ source: id, target: customer }] }\n`,
        ),
      },
      async (project) => {
        const path = join(project.folder, 'shop.duckdb');
        await createDuckdbFile(path, shop);
        const before = await readFile(path);
        const { status, error, totals, relationships } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(totals, { events: 9, entities: 7, correlations: 19, relations: 3, directlyFollows: 13 });
        assert.deepEqual(
          relationships.map(({ name, pairs }) => `${name} ${pairs}`),
          ['buys 3'],
        );
        assert.deepEqual(await project.rows(`SELECT key FROM entity WHERE entity_type = 'order' ORDER BY id`), [
          ['1'],
          ['2'],
          ['9007199254740993'],
        ]);
        assert.ok(before.equals(await readFile(path)), 'the file has changed');
      },
    ));

  it('a file that another program has open for writing is refused by name', () =>
    whileWritten(folder, file, async () => {
      assert.equal(
        await refusal(),
        'file-unreadable: …/shop.duckdb is open for writing in another program. Close it there, or let that program write a copy for analysis (COPY FROM DATABASE).',
      );
    }));

  it('a file that is not a DuckDB database is refused with its actual type', async () => {
    await truncate(file, 5000);
    const truncated = await refusal();
    await writeFile(file, 'SQLite format 3\0'.padEnd(4096, '\0'));
    const sqlite = await refusal();
    await writeFile(file, 'id,name\n1,Ann\n');
    const text = await refusal();
    await writeFile(file, '');
    const empty = await refusal();
    assert.match(
      truncated,
      /^file-malformed: …\/shop\.duckdb is damaged or incomplete: .+ Copy or create the file again\.$/,
    );
    assert.deepEqual(
      [sqlite, text, empty, await refusal({ path: 'nowhere.duckdb' })],
      [
        'file-malformed: …/shop.duckdb is an SQLite database. Set kind: sqlite for this data source.',
        'file-malformed: …/shop.duckdb is not a DuckDB database file. Correct path in the data sources file.',
        'file-malformed: …/shop.duckdb is empty. Point path at a DuckDB database file.',
        'file-missing: There is no file …/nowhere.duckdb. Correct path in the data sources file, or put the file there.',
      ],
    );
  });

  it('settings that do not fit are refused', async () => {
    assert.deepEqual(
      [await refusal({}), await refusal({ path: 'a', graph: 'b.entity.yaml' }), await refusal({ graph: 'b.duckdb' })],
      [
        'source-config: Data source shop: path or graph must be given. Correct path or graph of shop in the data sources file.',
        'source-config: Data source shop: path or graph must be given, not both. Correct path or graph of shop in the data sources file.',
        'source-config: Data source shop: graph must be the path of an entity graph, such as orders.entity.yaml. Correct graph of shop in the data sources file.',
      ],
    );
  });

  it('a table that was dropped after the catalog was read is named', async () => {
    const connector = await connect();
    const query = {
      dialect: 'duckdb',
      sql: 'SELECT 1 FROM gone',
      columns: [],
      dataObjects: ['gone'],
      fragments: [],
      references: [],
    };
    const error = await connector.preview(query, { limit: 1 }).catch((reason: unknown) => reason);
    await connector.close();
    assert.ok(isSourceError(error));
    assert.deepEqual(
      [error.code, error.message, error.details.remedy],
      [
        'object-missing',
        'Data source shop has no table or view gone.',
        'It has: customers, large_orders, orders, sales.lines.',
      ],
    );
  });

  it('a query reads nothing but the file, and its errors have positions', async () => {
    const connector = await connect();
    const run = async (sql: string): Promise<string> => {
      const query = { dialect: 'duckdb', sql, columns: [], dataObjects: ['orders'], fragments: [], references: [] };
      const error = await connector.preview(query, { limit: 1 }).catch((reason: unknown) => reason);
      assert.ok(isSourceError(error));
      return `${error.code} at ${error.details.position}`;
    };
    const found = [await run(`SELECT * FROM read_csv('/etc/passwd')`), await run('SELECT id, totl FROM orders')];
    await connector.close();
    assert.deepEqual(found, ['permission-denied at 14', 'column-missing at 11']);
  });

  it('custom SQL is validated offline and online', () =>
    withGraph(
      {
        'entity-sources.yaml': sources,
        'graph.entity.yaml': graphText(
          `  - { activityName: Place Order, dataObject: orders, startTimestamp: placed, where: "orders.totl > 3" }\n`,
        ),
      },
      async (project) => {
        await createDuckdbFile(join(project.folder, 'shop.duckdb'), shop);
        const projectContext = { permitUses: permitAllUses, readSecret: async () => undefined, environment: {} };
        const { problems } = await validateFile(join(project.folder, 'graph.entity.yaml'), projectContext, {
          online: true,
        });
        assert.deepEqual(
          problems.filter(({ severity }) => severity === 'error').map(({ code }) => code),
          ['unknown-column'],
        );
      },
    ));

  it('several sources share the database of a build, which reads the files of all of them and nothing else', async () => {
    const other = join(folder, 'stock.duckdb');
    await createDuckdbFile(other, ['CREATE TABLE orders (id BIGINT)', 'INSERT INTO orders VALUES (7)']);
    const connectors = [
      await connect(),
      await createConnector(dataSource('stock', { kind: 'duckdb', path: other }), { folder, ...noSecrets }),
      await createConnector(dataSource('copy', { kind: 'duckdb', path: other }), { folder, ...noSecrets }),
    ];
    await withBuildDatabase(async (staging) => {
      const paths: SandboxPaths[] = [];
      const shared: StagingDatabase = { ...staging, confine: (more) => void paths.push(more) };
      const pulls = [];
      for (const connector of connectors) pulls.push(await connector.openPull(shared, {}));
      await confineDatabase(staging, {
        files: paths.flatMap(({ files }) => files),
        folders: paths.flatMap(({ folders }) => folders),
      });
      const query = {
        ...{ dialect: 'duckdb', sql: 'SELECT id FROM orders', columns: [], dataObjects: ['orders'] },
        ...{ fragments: [], references: [] },
      };
      const rows: number[] = [];
      // One after another, as an import does: data objects of one name are views of one name.
      for (const [index, pull] of pulls.entries()) {
        rows.push((await pull.load(query, `staged_${index}`, {})).sourceRows);
      }
      assert.deepEqual(rows, [3, 1, 1]);
      await assert.rejects(staging.query(`SELECT * FROM read_csv('/etc/passwd')`), /disabled|not allowed|ermission/i);
      for (const pull of pulls) await pull.close();
    });
    for (const connector of connectors) await connector.close();
  });

  it('graph › the imported graph of another entity graph is a source', () =>
    withProject(
      {
        'entity-sources.yaml': `${sources}  events: { kind: duckdb, graph: shop.entity.yaml }\n`,
        'shop.entity.yaml': graphText(orders),
        'graph.entity.yaml': graphText(
          `  - { activityName: Happen, dataObject: event, entityType: event, key: id, startTimestamp: time, properties: [activity] }\n`,
        ).replace('dataSource: shop', 'dataSource: events'),
      },
      async (project) => {
        await createDuckdbFile(join(project.folder, 'shop.duckdb'), shop);
        const missing = await project.import();
        assert.equal(missing.error?.message.replace(/^.*: /, ''), 'shop.entity.yaml has no imported graph.');
        const graph = await readFile(join(project.folder, 'graph.entity.yaml'), 'utf8');
        await project.write({ 'graph.entity.yaml': graphText(orders) });
        assert.equal((await project.import()).status, 'imported');
        await project.write({
          'above.entity.yaml': graph,
          'entity-sources.yaml': `${sources}  events: { kind: duckdb, graph: graph.entity.yaml }\n`,
        });
        const connector = await createConnector(dataSource('events', { kind: 'duckdb', graph: 'graph.entity.yaml' }), {
          folder: project.folder,
          stateFolder: join(project.folder, '.entity-graph'),
          ...noSecrets,
        });
        const { objects } = await connector.describe({}).finally(() => connector.close());
        assert.ok(objects.some(({ name }) => name === 'event'));
        assert.ok(objects.some(({ name }) => name === 'edge_df'));
      },
    ));
});
