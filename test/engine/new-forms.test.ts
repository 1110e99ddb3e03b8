import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryTarget } from '../../protocol/query-results.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { sourceSettings } from '../support/compare-engines.ts';
import {
  type ImportedProject,
  csvSources,
  graphText,
  postgresqlSources,
  withGraph,
  withProject,
} from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';

const projectContext = { permitUses: permitAllUses, readSecret: async () => 'postgres', environment: process.env };

async function rowsOf({ folder }: ImportedProject, target: QueryTarget) {
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
  const { columns, rows } = await testQuery(file, target, projectContext, { limit: 100 });
  return { columns: columns.map(({ name }) => name), rows: rows.map((row) => JSON.stringify(row)).toSorted() };
}

const pairsSql = (relationship: string): string =>
  `SELECT source.key, target.key FROM relation
   JOIN entity AS source ON source.id = source_entity_id JOIN entity AS target ON target.id = target_entity_id
   WHERE relationship = '${relationship}' ORDER BY 1, 2`;

/** The key of orders is a number in one file and a text in the other. */
const orderFiles = {
  'orders.csv': 'id,placed,buyer\n1,2024-01-01,a\n2,2024-01-02,b\n10,2024-01-03,a\n',
  'payments.csv': 'no,order_id,paid\n7,1,2024-02-01\n8,10,2024-02-02\n9,1,2024-02-03\n',
  'buyers.csv': 'name,since\na,2023-01-01\nb,2023-01-02\n',
};
const orderTypes =
  ', files: { orders.csv: { types: { id: VARCHAR, placed: TIMESTAMP } }, payments.csv: { types: { order_id: BIGINT } } }';
const orderGraph = graphText(
  `  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: { expression: "placed + INTERVAL 8 HOUR" }, properties: [{ column: buyer, name: id }, placed] }
  - { activityName: Pay, dataObject: payments, key: order_id, entityType: order, startTimestamp: paid }
  - { activityName: Join, dataObject: buyers, key: name, entityType: buyer, startTimestamp: since }
  - { activityName: Book, dataObject: payments, key: no, entityType: payment, startTimestamp: paid }
`,
  `  - { name: buys, source: Join, target: Order, mappings: [{ source: name, target: buyer }] }
  - { name: pays, source: Book, target: Pay, mappings: [{ source: order_id, target: order_id }] }
  - { name: payments, source: Join, target: Book, path: [buys, pays] }
  - { name: payers, source: Book, target: Join, path: [{ relationship: payments, reverse: true }] }
`,
);

describe('renamed properties, computed times and paths', () => {
  let server: TestPostgres;
  let database = '';

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE orders (id int PRIMARY KEY, other int, day text, time text, at timestamp);
       CREATE TABLE far (id int PRIMARY KEY, at timestamp);
       INSERT INTO far VALUES (1, '2024-01-01'), (2, '294247-01-10 04:00:00');
       CREATE TABLE keyed (id int PRIMARY KEY, other int, at timestamp);
       INSERT INTO keyed VALUES (1, 5, '2024-01-01'), (2, NULL, '2024-01-01'), (3, NULL, '2024-01-01'), (4, NULL, '2024-01-01');
       CREATE TABLE lines (order_id int);
       INSERT INTO orders VALUES (1, 5, '20240101', '120000', '2024-01-01 12:00'), (2, 5, '00000000', '000000', NULL);
       INSERT INTO lines VALUES (1), (1), (2)`,
    );
  });

  const inPostgresql = (graph: string): Record<string, string> => ({
    'entity-sources.yaml': postgresqlSources(server, database),
    'graph.entity.yaml': graph,
  });

  it('Test Query of a path returns the pairs of an import, also for keys of several types', async () => {
    const files = {
      ...orderFiles,
      'graph.entity.yaml': orderGraph,
      'entity-sources.yaml': csvSources(orderTypes),
    };
    await withGraph(files, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(
        summary.relationships.map(({ name, pairs }) => `${name} ${pairs}`),
        ['buys 3', 'pays 3', 'payments 3', 'payers 3'],
      );
      const expected = [
        ['a', '7'],
        ['a', '8'],
        ['a', '9'],
      ];
      assert.deepEqual(await project.rows(pairsSql('payments')), expected);
      const reversed = expected.map(([buyer, payment]) => [payment, buyer]);
      assert.deepEqual(await project.rows(pairsSql('payers')), reversed);
      for (const [name, pairs] of [
        ['payments', expected],
        ['payers', reversed],
      ] as const) {
        const { columns, rows } = await rowsOf(project, { kind: 'relationship', name });
        assert.deepEqual(columns, ['source_key_1', 'target_key_1']);
        assert.deepEqual(
          rows.map((row) => (JSON.parse(row) as unknown[]).map(String)),
          pairs,
        );
      }
    });
  });

  it('Test Query names columns after properties, and computed times after their fields', async () => {
    const files = {
      ...orderFiles,
      'graph.entity.yaml': orderGraph,
      'entity-sources.yaml': csvSources(orderTypes),
    };
    await withGraph(files, async (project) => {
      const { columns, rows } = await rowsOf(project, { kind: 'element', name: 'Order' });
      // The given name is kept; the column of that name is numbered.
      assert.deepEqual(columns, ['id~2', 'startTimestamp', 'placed', 'id']);
      assert.equal(rows[0], '["1","2024-01-01T08:00:00.000000Z","2024-01-01T00:00:00.000000Z","a"]');
    });
  });

  it('a column with the name of a computed time keeps its name', async () => {
    const files = {
      'log.csv': 'id,startTimestamp,day\n1,early,2024-01-01\n',
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(
        '  - { activityName: Do, dataObject: log, key: id, startTimestamp: { expression: "CAST(day AS TIMESTAMP)" }, properties: [startTimestamp] }\n',
      ),
    };
    await withGraph(files, async (project) => {
      const { columns, rows } = await rowsOf(project, { kind: 'element', name: 'Do' });
      assert.deepEqual(columns, ['id', 'startTimestamp~2', 'startTimestamp']);
      assert.deepEqual(rows, ['["1","2024-01-01T00:00:00.000000Z","early"]']);
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(
        await project.rows(
          'SELECT "startTimestamp", CAST(time AS VARCHAR) FROM properties_1 JOIN event ON id = event_id',
        ),
        [['early', '2024-01-01 00:00:00']],
      );
    });
  });

  it('Test Query of a path is refused where events have no entity', async () => {
    const graph = orderGraph.replace(
      'activityName: Pay,',
      'activityName: Pay, ownEntity: false, correlatesWith: [{ entityType: order, key: order_id }],',
    );
    const files = {
      ...orderFiles,
      'graph.entity.yaml': graph
        .replace('target: Pay,', 'target: Order,')
        .replace('source: order_id, target: order_id', 'source: order_id, target: id')
        .replace('target: Book, path: [buys, pays]', 'target: Pay, path: [buys]'),
      'entity-sources.yaml': csvSources(orderTypes),
    };
    await withGraph(files, async (project) => {
      await assert.rejects(rowsOf(project, { kind: 'relationship', name: 'payments' }), (error: Error) => {
        assert.match(error.message, /"Pay" has no entities of its own .* Relate another element, or remove ownEntity/);
        return true;
      });
    });
  });

  it('an incremental import updates the relations of a path, and keeps the unchanged ones', async () => {
    const files = {
      ...orderFiles,
      'graph.entity.yaml': orderGraph,
      'entity-sources.yaml': csvSources(orderTypes),
    };
    await withProject(files, async (project) => {
      const first = await project.import();
      assert.equal(first.status, 'imported', first.error?.message);
      await project.write({ 'payments.csv': 'no,order_id,paid\n7,2,2024-02-01\n' });
      const again = await project.import();
      assert.equal(again.status, 'imported', again.error?.message);
      assert.deepEqual(await project.rows(pairsSql('payments')), [['b', '7']]);
    });
  });

  for (const [engine, settings] of [
    ['embedded', ''],
    ['source', sourceSettings],
  ] as const) {
    it(`an expression that returns no timestamp is refused at its position before rows are read: ${engine}`, async () => {
      const graph = graphText(
        '  - { activityName: Order, dataObject: orders, key: id, startTimestamp: { expression: "day || time" } }\n',
      );
      await withProject(inPostgresql(`${graph}${settings}`), async (project) => {
        const { status, error } = await project.import();
        assert.deepEqual(
          [status, error?.code, error?.message, error?.remedy],
          [
            'failed',
            'type-mismatch',
            'The expression of startTimestamp of "Order" gives values of type text: it must give timestamps or dates.',
            'Convert them in the expression, with a function or CAST of the data source.',
          ],
        );
        assert.deepEqual([error?.range?.start.line, error?.range?.start.character], [4, 86]);
      });
    });

    it(`dates and times in two columns, some of them invalid: ${engine}`, async () => {
      const expression = `CASE WHEN day <> '00000000' THEN to_timestamp(day || time, 'YYYYMMDDHH24MISS')::timestamp END`;
      const graph = graphText(
        `  - { activityName: Order, dataObject: orders, key: id, startTimestamp: { expression: "${expression}" } }\n`,
      );
      await withProject(inPostgresql(`${graph}${settings}`), async (project) => {
        const { status, totals, elements, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual([totals.entities, totals.events, elements[0]?.rowsWithoutStart], [2, 1, 1]);
      });
    });

    it(`joins that multiply rows are reported, even if most rows have no key: ${engine}`, async () => {
      const graph = graphText(
        '  - { activityName: Do, dataObject: keyed, key: other, startTimestamp: at, joins: JOIN lines ON true }\n',
      );
      await withProject(inPostgresql(`${graph}${settings}`), async (project) => {
        const { status, warnings, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(warnings, [
          'The joins of "Do" make 3 rows with a time of 1 (× 3): each of them is an event.',
          '9 of 12 rows of "Do" have no key and are left out.',
        ]);
      });
    });

    it(`a property named like the key does not change the count of rows: ${engine}`, async () => {
      const graph = graphText(
        '  - { activityName: Order, dataObject: orders, key: other, startTimestamp: at, joins: JOIN lines ON lines.order_id = orders.id, properties: [{ column: other, name: id }] }\n',
      );
      await withProject(inPostgresql(`${graph}${settings}`), async (project) => {
        const { status, warnings, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(warnings, [
          'The joins of "Order" make 2 rows with a time of 1 (× 2): each of them is an event.',
        ]);
      });
    });
  }

  it('times of entities that are out of range are refused with their row', async () => {
    const graph = `${graphText(
      '  - { activityName: Do, dataObject: keyed, key: id, startTimestamp: at }\n',
    )}entities:\n  - { entityType: thing, dataObject: far, key: id, properties: [at] }\n`;
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database, ', timeZone: America/New_York'),
      'graph.entity.yaml': graph,
    };
    await withGraph(files, async (project) => {
      const { status, error } = await project.import();
      assert.deepEqual(
        [status, error?.code, error?.message, error?.remedy],
        [
          'failed',
          'type-mismatch',
          'Row 2 of "thing" has "294247-01-10 04:00:00" in at, which is too far away to be read as a time in the zone America/New_York.',
          'Correct the data, or exclude such rows with where.',
        ],
      );
    });
  });

  it('exports have the new names of properties, and the values of an entity over time', async () => {
    const files = {
      'log.csv': 'ticket,at,c.state\n1,2024-01-01,New\n1,2024-01-02,Done\n',
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(
        '  - { activityName: Change, dataObject: log, key: ticket, entityType: ticket, startTimestamp: at, properties: [{ column: c.state, name: state }] }\n',
      ),
    };
    await withProject(files, async (project) => {
      assert.equal((await project.import()).status, 'imported');
      const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), projectContext);
      const output = join(project.folder, 'log.json');
      await exportGraph(file, projectContext, { format: 'ocel-json', output, signal: new AbortController().signal });
      const { objects } = JSON.parse(await readFile(output, 'utf8')) as {
        readonly objects: readonly {
          readonly attributes: readonly { readonly name: string; readonly value: string }[];
        }[];
      };
      assert.deepEqual(
        objects[0]?.attributes.map(({ name, value }) => [name, value]),
        [
          ['state', 'New'],
          ['state', 'Done'],
        ],
      );
      assert.deepEqual(await project.rows('SELECT event_id, state FROM properties_1 ORDER BY 1'), [
        ['1', 'New'],
        ['2', 'Done'],
      ]);
    });
  });
});
