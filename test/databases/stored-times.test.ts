import assert from 'node:assert/strict';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { fixesOf } from '../../server/src/language/quick-fixes/index.ts';
import { validateEntityGraph } from '../../server/src/language/validation/validate-graph.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';
import { parseDataSources } from '../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { csvConnector } from '../support/csv-source.ts';
import { catalogShape } from '../../server/src/project/catalog-shape.ts';
import { csvSources, graphText, postgresqlSources, withGraph } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { mysqlConnector } from '../support/mysql-source.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { postgresqlConnector } from '../support/postgresql-source.ts';

/** Columns with the same two times in other forms, and what they are called. */
const forms: Readonly<Record<string, readonly [words: string, values: readonly [string, string], times: string]>> = {
  seconds: ['seconds since 1970', ['1719820800', '1719907199'], 'whole'],
  parts: ['seconds since 1970', ['1719820800.25', '1719907199.5'], 'parts'],
  milliseconds: ['milliseconds since 1970', ['1719820800250', '1719907199500'], 'parts'],
  days: ['day numbers of Excel', ['45474.333336226853', '45475.333327546294'], 'parts'],
  whole_days: ['day numbers of Excel', ['45474', '45475'], 'midnight'],
  json: ['/Date(…)/ of JSON', ['/Date(1719820800250)/', '/Date(1719907199500+0200)/'], 'parts'],
};
const expected: Readonly<Record<string, readonly [string, string]>> = {
  whole: ['2024-07-01 08:00:00', '2024-07-02 07:59:59'],
  parts: ['2024-07-01 08:00:00.25', '2024-07-02 07:59:59.5'],
  midnight: ['2024-07-01 00:00:00', '2024-07-02 00:00:00'],
};

/** The examples of a catalog depend on statistics: they are those of the column here. */
function withSamples(catalog: Catalog): Catalog {
  return {
    ...catalog,
    objects: catalog.objects.map((object) => ({
      ...object,
      columns: object.columns.map((column) => ({ ...column, samples: forms[column.name]?.[1] ?? [] })),
    })),
  };
}

/** The graph whose time is a column, after the quick fix for it. */
function fixed(column: string, words: string, catalog: Catalog, sources: string): string {
  const text = graphText(`  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: ${column} }\n`);
  const context = { parsed: parseEntityGraph(text), sources: parseDataSources(sources).sources, catalog };
  const problem = validateEntityGraph({ text, ...context }).find(({ code }) => code === 'timestamp-type');
  assert.ok(problem, column);
  const fixes = fixesOf(problem, context).filter(({ title }) => title.startsWith('Read it as'));
  assert.deepEqual(
    fixes.map(({ title }) => title),
    [`Read it as ${words}`],
  );
  return applyEdits(text, fixes[0]?.edits ?? []);
}

async function expectTimes(
  connector: Connector,
  sources: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const described = await connector.describe({}).finally(() => connector.close());
  assert.equal(catalogShape(described, ''), undefined, 'can be read from the cache again');
  const catalog = withSamples(described);
  for (const [column, [words, , form]] of Object.entries(forms)) {
    const text = fixed(column, words, catalog, sources);
    await withGraph({ ...files, 'entity-sources.yaml': sources, 'graph.entity.yaml': text }, async (project) => {
      const { error } = await project.import();
      assert.equal(error, undefined, text);
      const rows = await project.rows('SELECT time::VARCHAR FROM event ORDER BY id');
      const times = (expected[form] ?? []).map((time) => [time]);
      assert.deepEqual(rows, times, text);
    });
  }
}

const columns =
  'id int PRIMARY KEY, seconds bigint, parts decimal(20,3), milliseconds bigint, days double precision, whole_days int, json varchar(40)';
const row = (place: 0 | 1): string =>
  [
    String(place + 1),
    ...Object.entries(forms).map(([name, [, values]]) => (name === 'json' ? `'${values[place]}'` : values[place])),
  ].join();
const insert = `INSERT INTO orders VALUES (${row(0)}), (${row(1)})`;

describe('times that are stored as numbers or texts', () => {
  it('are read by the expression of their quick fix: files', async () => {
    const content = `id,${Object.keys(forms).join()}\n${row(0).replaceAll("'", '')}\n${row(1).replaceAll("'", '')}\n`;
    await withGraph({ 'orders.csv': content }, async ({ folder }) => {
      const connector = await csvConnector(folder, { settings: { path: '*.csv' } });
      await expectTimes(connector, csvSources(''), { 'orders.csv': content });
    });
  });

  it('are instants, and day numbers of Excel are in the time zone of the source', async () => {
    const content = `id,${Object.keys(forms).join()}\n${row(0).replaceAll("'", '')}\n${row(1).replaceAll("'", '')}\n`;
    const sources = csvSources(', timeZone: Europe/Berlin');
    await withGraph({ 'orders.csv': content }, async ({ folder }) => {
      const catalog = withSamples(await (await csvConnector(folder, { settings: { path: '*.csv' } })).describe({}));
      for (const [column, time] of [
        ['seconds', '2024-07-01 08:00:00'],
        ['whole_days', '2024-06-30 22:00:00'],
      ] as const) {
        const text = fixed(column, forms[column]?.[0] ?? '', catalog, sources);
        const files = { 'orders.csv': content, 'entity-sources.yaml': sources, 'graph.entity.yaml': text };
        await withGraph(files, async (project) => {
          await project.import();
          assert.deepEqual((await project.rows('SELECT time::VARCHAR FROM event ORDER BY id'))[0], [time]);
        });
      }
    });
  });

  it('are read by the expression of their quick fix: PostgreSQL', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, `CREATE TABLE orders (${columns}); ${insert}`);
    await expectTimes(await postgresqlConnector(server, database), postgresqlSources(server, database));
  });

  it('are read by the expression of their quick fix: MariaDB', async () => {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(database, `CREATE TABLE orders (${columns})`);
    await server.query(database, insert);
    const { host, port, user, password } = server;
    const settings = JSON.stringify({ kind: 'mysql', host, port, database, user, password });
    const sources = `version: 1\ndataSources:\n  shop: ${settings}\n`;
    await expectTimes(await mysqlConnector(server, database), sources);
  });
});
