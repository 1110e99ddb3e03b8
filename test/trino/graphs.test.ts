import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareInTrino, tableContents } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { northwindOverTrino } from '../support/trino-northwind.ts';
import { lakeProperties, sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { projectFolder } from '../support/vscode-host.ts';

describe('graphs of Trino', () => {
  let trino: TestTrino;
  let postgres: TestPostgres;
  let database: string;
  let pg: string;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    postgres = await sharedPostgres();
    database = await postgres.createDatabase();
    await postgres.loadSqlFile(database, join(projectFolder, 'samples/northwind/northwind.sql'));
    trino = await sharedTrino();
    pg = await trino.addPostgres(postgres, database);
  });

  const source = (settings: string): string =>
    `version: 1\ndataSources:\n  northwind: { host: 127.0.0.1, ${settings} }\n`;
  const overTrino = (settings: string): string => source(`kind: trino, port: ${trino.port}, user: ann, ${settings}`);

  async function contents(sources: string, graph: string): Promise<ReadonlyMap<string, unknown>> {
    return withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': graph }, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      return tableContents(project);
    });
  }

  it('Northwind behind its connector for PostgreSQL equals Northwind in PostgreSQL, row by row', async () => {
    const { port, user, password } = postgres;
    const direct = source(
      `kind: postgresql, port: ${port}, database: ${database}, user: ${user}, password: ${password}`,
    );
    const expected = await contents(direct, northwindOverTrino);
    const actual = await contents(overTrino(`catalog: ${pg}, schemas: public`), northwindOverTrino);
    assert.ok((expected.get('event') as unknown[]).length > 2500);
    assert.deepEqual([...actual.keys()], [...expected.keys()]);
    for (const [table, rows] of expected) assert.deepEqual(actual.get(table), rows, table);
  });

  it('join tables of several catalogs, here and in the lake', async function () {
    this.timeout(600_000);
    const schema = await trino.createSchema();
    await trino.run(`CREATE TABLE lake.${schema}.visits AS
      SELECT row_number() OVER (ORDER BY customer_id) AS id, customer_id AS visitor, TIMESTAMP '1996-01-01 10:00:00.5 UTC' AS at FROM ${pg}.public.customers`);
    const graph = `version: 1
name: Visits
dataSource: northwind
dataObjects: [customers, lake.${schema}.visits, orders]
elements:
  - activityName: Visit
    dataObject: lake.${schema}.visits
    key: id
    entityType: visit
    startTimestamp: at
  - { activityName: Place Order, dataObject: orders, key: order_id, entityType: order, startTimestamp: order_date }
relationships:
  - { name: leads to, source: Visit, target: Place Order, mappings: [{ source: visitor, operator: "=", target: customer_id }] }
`;
    const sources = overTrino(`catalog: ${pg}, schemas: public, catalogs: lake.${schema}`);
    const { built } = await compareInTrino(sources, graph, { catalog: 'lake', schema: 'ekg_catalogs' });
    const [[visits, orders]] = (await postgres
      .query(database, 'SELECT (SELECT count(*)::int FROM customers) AS v, (SELECT count(*)::int FROM orders) AS o')
      .then((rows) => rows.map(({ v, o }) => [v, o]))) as [[number, number]];
    assert.deepEqual([built.totals.events, built.totals.relations], [visits + orders, orders]);
  });

  it('are built as docs/trino.md shows it, here and in the lake', async function () {
    this.timeout(600_000);
    const page = await readFile(join(projectFolder, 'docs/trino.md'), 'utf8');
    const block = (name: string): string => new RegExp(`# ${name}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
    const sources = block('entity-sources.yaml').replace('kind: trino,', `kind: trino, port: ${trino.port},`);
    const graph = block('trade.entity.yaml');
    const line = /^import: \{ engine: source, catalog: (\w+), schema: (\w+) \}$/mu.exec(page);
    const [, catalog = '', schema = ''] = line ?? [];
    const { built } = await compareInTrino(sources, graph, { catalog, schema });
    const [[orders, lines]] = (await trino.run(
      'SELECT (SELECT count(*) FROM tpch.tiny.orders), (SELECT count(*) FROM tpch.tiny.lineitem)',
    )) as [[number, number]];
    assert.deepEqual([built.totals.events, built.totals.relations], [orders + lines, lines]);
  });

  it('are drafted, imported and drawn by the commands that docs/trino.md gives for a cluster of your own', async function () {
    this.timeout(600_000);
    const page = await readFile(join(projectFolder, 'docs/trino.md'), 'utf8');
    const own = page.slice(page.indexOf('## Your own cluster'));
    const [, yaml = '', shell = ''] = /```yaml\n([^]*?)```\n\n```sh\n([^]*?)```/u.exec(own) ?? [];
    const schema = await trino.createSchema();
    for (const table of ['orders', 'customer']) {
      await trino.run(`CREATE TABLE lake.${schema}.${table} AS SELECT * FROM tpch.tiny.${table}`);
    }
    const place = `host: 127.0.0.1, port: ${trino.encryptedPort}, ssl: { ca: ${JSON.stringify(trino.authority)} }, catalog: lake, schemas: [${schema}]`;
    const sources = yaml.replace('host: trino.example.com, catalog: lake, schemas: [shop]', place);
    assert.notEqual(sources, yaml);
    const commands = [...shell.matchAll(/^entity-graph (.*?)(?: +#.*)?$/gmu)].map(([, command = '']) =>
      command.split(' '),
    );
    assert.deepEqual(
      commands.map(([name]) => name),
      ['doctor', 'objects', 'new', 'validate', 'import', 'map'],
    );
    const folder = await folderWith({ 'entity-sources.yaml': sources });
    try {
      for (const command of commands) {
        const { code, stdout, stderr } = await runCommand(command, folder, {
          ENTITY_GRAPH_SECRET_LAKE: trino.password,
        });
        assert.equal(code, 0, `${command.join(' ')}\n${stdout}\n${stderr}`);
      }
      assert.match(await readFile(join(folder, 'shop.svg'), 'utf8'), /<svg/u);
    } finally {
      await removeFolder(folder);
    }
  });

  it('lie in a lake that is set up as docs/trino.md shows it', async () => {
    const page = await readFile(join(projectFolder, 'docs/trino.md'), 'utf8');
    const lines = /# lake\.properties\n([^]*?)```/u.exec(page)?.[1]?.trim().split('\n') ?? [];
    const given = Object.fromEntries(lines.map((line) => line.split('=', 2))) as Record<string, string>;
    const { 'connector.name': connector, 'local.location': _, ...properties } = given;
    assert.deepEqual([connector, properties], ['iceberg', lakeProperties]);
  });
});
