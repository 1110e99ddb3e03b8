import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { csvSources, graphText, postgresqlSources, withGraph, withProject } from '../support/import-text.ts';
import { exportProject } from '../support/export-project.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { xesFaults } from '../support/xes-faults.ts';

const { signal } = new AbortController();

const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': `${graphText(
    `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, properties: [amount] }
  - { activityName: Rename, dataObject: renames, key: customer, entityType: customer, startTimestamp: at, properties: [name] }
  - { activityName: Ping, dataObject: pings, key: id, ownEntity: false, startTimestamp: at, correlatesWith: [{ entityType: customer, key: customer, qualifier: reaches }] }
`,
  )}entities:
  - { name: Customers, entityType: customer, dataObject: customers, key: id, properties: [name, country] }
  - { entityType: customer, name: Vips, dataObject: vips, key: id, properties: [since] }
relationships:
  - { name: placed by, source: Place, target: Customers, mappings: [{ source: customer, target: id }] }
`,
  'orders.csv': 'id,customer,at,amount\no1,c1,2024-01-02 00:00:00,5\n',
  'renames.csv': 'customer,at,name\nc1,2024-01-03 00:00:00,Ada L.\nc9,2024-01-04 00:00:00,Nobody\n',
  'pings.csv': 'id,customer,at\n1,c2,2024-01-05 00:00:00\n2,,2024-01-06 00:00:00\n',
  'customers.csv': 'id,name,country\nc1,Ada,UK\nc2,Bob,\nc3,Cy,DE\n',
  'vips.csv': 'id,since\nc1,2020-01-01\n',
};

describe('entities without events', () => {
  it('may have properties with the names of columns of values over time, also in exports', () => {
    const named = {
      'graph.entity.yaml': `${graphText(
        '  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at }\n',
      )}entities:
  - { name: Customers, entityType: customer, dataObject: customers, key: id, properties: [value_time, value_rank, name] }
`,
      'customers.csv': 'id,value_time,value_rank,name\nc1,2024-01-02 00:00:00,3,Ada\n',
    };
    return withProject({ ...files, ...named }, async (project) => {
      await project.import();
      const log = JSON.parse(await readFile(await exportProject(project, 'ocel-json', 'log.json'), 'utf8')) as OcelLog;
      assert.deepEqual(log.objectTypes.find(({ name }) => name === 'customer')?.attributes, [
        { name: 'value_time', type: 'time' },
        { name: 'value_rank', type: 'integer' },
        { name: 'name', type: 'string' },
      ]);
    });
  });

  it('are counted, related and exported with their attributes, and pass every check', async () => {
    await withProject(files, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(summary.entities, [
        { name: 'Customers', rows: 3, entities: 3, rowsWithoutKey: 0 },
        { name: 'Vips', rows: 1, entities: 1, rowsWithoutKey: 0 },
      ]);
      assert.deepEqual(summary.relationships, [
        {
          name: 'placed by',
          pairs: 1,
          source: { name: 'Place', entities: 1, related: 1 },
          target: { name: 'Customers', entities: 3, related: 1 },
        },
      ]);
      assert.deepEqual(summary.totals, { events: 5, entities: 5, correlations: 6, relations: 1, directlyFollows: 2 });
      assert.deepEqual(summary.warnings, ['1 event of "Ping" belongs to no entity: its row names none.']);
      const failed = (await checkFile(summary.store ?? '', signal)).results.filter(({ ok }) => !ok);
      assert.deepEqual(failed, []);

      const json = await exportProject(project, 'ocel-json', 'log.json');
      const log = JSON.parse(await readFile(json, 'utf8')) as OcelLog;
      assert.deepEqual(log.objectTypes.find(({ name }) => name === 'customer')?.attributes, [
        { name: 'name', type: 'string' },
        { name: 'country', type: 'string' },
        { name: 'since', type: 'time' },
      ]);
      assert.deepEqual(log.objects.find(({ id }) => id === 'customer:c1')?.attributes, [
        { name: 'name', value: 'Ada', time: '1970-01-01T00:00:00Z' },
        { name: 'country', value: 'UK', time: '1970-01-01T00:00:00Z' },
        { name: 'since', value: '2020-01-01T00:00:00.000000Z', time: '1970-01-01T00:00:00Z' },
        { name: 'name', value: 'Ada L.', time: '2024-01-03T00:00:00.000000Z' },
      ]);
      // Without master data, the first value of an event is the initial value.
      assert.deepEqual(log.objects.find(({ id }) => id === 'customer:c9')?.attributes, [
        { name: 'name', value: 'Nobody', time: '1970-01-01T00:00:00Z' },
      ]);
      assert.deepEqual(
        log.events.map(({ type, relationships }) => [type, relationships.map(({ qualifier }) => qualifier).toSorted()]),
        [
          ['Place', ['placed by', 'self']],
          ['Rename', ['placed by', 'self']],
          ['Rename', ['self']],
          ['Ping', ['reaches']],
          ['Ping', []],
        ],
      );
      for (const form of ['ocel-json', 'ocel-xml', 'ocel-sqlite']) {
        const { results } = await checkFile(await exportProject(project, form, `log.${form}`), signal);
        // The event that belongs to nothing is noted, but no fault of the file.
        assert.deepEqual(
          results.flatMap(({ ok, violations, name, examples }) => (violations > 0 ? [[ok, name, examples]] : [])),
          [[true, 'Every event has at least one object', ['e5']]],
          form,
        );
      }
      const xes = await readFile(await exportProject(project, 'xes', 'log.xes', { entityType: 'customer' }), 'utf8');
      assert.deepEqual(xesFaults(xes), []);
      const traces = xes.split('\n').filter((line) => line.startsWith('<trace>'));
      const name = (value: string): string => `<string key="concept:name" value="${value}"/>`;
      const text = (key: string, value: string): string => `<string key="${key}" value="${value}"/>`;
      assert.deepEqual(traces, [
        `<trace>${name('c1')}${text('name', 'Ada')}${text('country', 'UK')}<date key="since" value="2020-01-01T00:00:00.000000Z"/>`,
        `<trace>${name('c2')}${text('name', 'Bob')}`,
        `<trace>${name('c9')}`,
      ]);
      const csv = await exportProject(project, 'csv', 'csv');
      assert.ok((await readdir(csv)).includes('entity_properties_1.csv'));
      const neo4j = await exportProject(project, 'neo4j', 'neo4j');
      const nodes = await readFile(join(neo4j, 'entities_1.csv'), 'utf8');
      assert.equal(nodes.split('\n')[0], 'entityId:ID(Entity),ID,EntityType,uID,name,country,since:datetime,:LABEL');
      assert.equal(nodes.split('\n').length, 5);
      const others = (await readFile(join(neo4j, 'entities.csv'), 'utf8')).trimEnd().split('\n').slice(1);
      assert.deepEqual(
        others.map((line) => line.split(',')[1]),
        ['c9', 'o1'],
      );
      assert.equal((await readFile(join(neo4j, 'entities_2.csv'), 'utf8')).trimEnd().split('\n').length, 1);
    });
  });
});

describe('entities whose joins make several rows of one row', () => {
  it('take the row with the last text, regardless of the order of the join', () =>
    withGraph(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': `${graphText(
          '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at }\n',
        )}entities:
  - { entityType: customer, dataObject: customers, key: id, joins: JOIN towns ON towns.customer = customers.id, properties: [towns.town] }
`,
        'orders.csv': 'id,at\no1,2024-01-02 00:00:00\n',
        'customers.csv': 'id\nc1\nc2\n',
        'towns.csv': 'customer,town\nc1,Aba\nc1,Bex\nc1,Cos\nc2,Cos\nc2,Bex\nc2,Aba\n',
      },
      async (project) => {
        const summary = await project.import();
        assert.deepEqual(summary.warnings, [
          '4 of 6 rows of "customer" repeat a key with other values: the last row of each key counts.',
        ]);
        assert.deepEqual(
          await project.rows(
            'SELECT key, "towns.town" FROM entity_properties_1 JOIN entity ON id = entity_id ORDER BY key',
          ),
          [
            ['c1', 'Cos'],
            ['c2', 'Cos'],
          ],
        );
      },
    ));
});

describe('rows of entities that repeat a key', () => {
  const elements = '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at }\n';
  const entry = (properties: string): string =>
    `entities:\n  - { entityType: customer, dataObject: customers, key: id${properties} }\n`;
  /** Equal are the rows of A by value, of B by their missing values, of C in the selected columns. D differs. */
  const tables = `CREATE TABLE orders (id text, at timestamp);
    INSERT INTO orders VALUES ('o1', '2024-01-02 00:00:00');
    CREATE TABLE customers (id text, name text, amount numeric(8, 3), since timestamp, rate float8, other text);
    INSERT INTO customers VALUES ('A', 'Ann', 1.5, '2024-01-01', 'NaN', 'x'), ('A', 'Ann', 1.500, '2024-01-01', 'NaN', 'x'),
      ('B', NULL, NULL, NULL, -0.0, 'x'), ('B', NULL, NULL, NULL, 0, 'x'), ('C', 'Cy', 2, 'infinity', 1, 'x'), ('C', 'Cy', 2, 'infinity', 1, 'y'),
      ('D', 'Dan', 1, '2024-01-01', 1, 'x'), ('D', 'Dan', 1, NULL, 1, 'x'), ('D', 'Dan', 1, '2024-01-01', 1, 'x')`;
  const said = (count: number): string =>
    `${count} of 9 rows of "customer" repeat a key with other values: the last row of each key counts.`;

  for (const engine of ['', 'import: { engine: source, schema: ekg }\n']) {
    it(`are a warning only if values that the graph has differ${engine === '' ? '' : ', with engine: source'}`, async () => {
      const server = await sharedPostgres();
      const database = await server.createDatabase();
      await server.query(database, tables);
      const warnings: (readonly string[] | undefined)[] = [];
      await withProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async (project) => {
        for (const properties of ['', ', properties: [name]', ', properties: [name, amount, since, rate]']) {
          await project.write({ 'graph.entity.yaml': `${graphText(elements)}${entry(properties)}${engine}` });
          const summary = await project.import();
          assert.equal(summary.status, 'imported', summary.error?.message);
          assert.deepEqual(
            summary.steps?.map(({ name }) => name).filter((name) => name.startsWith('counts_entities_')),
            properties === '' ? ['counts_entities_1'] : ['counts_entities_1', 'counts_entities_1_values'],
          );
          warnings.push(summary.warnings?.filter((text) => text.includes('repeat')));
        }
      });
      // In the order of texts, the row of D without a time comes last.
      assert.deepEqual(warnings, [[], [], [said(2)]]);
    });
  }
});

interface OcelLog {
  readonly objectTypes: readonly { readonly name: string; readonly attributes: readonly unknown[] }[];
  readonly objects: readonly { readonly id: string; readonly attributes: readonly unknown[] }[];
  readonly events: readonly {
    readonly type: string;
    readonly relationships: readonly { readonly qualifier: string }[];
  }[];
}
