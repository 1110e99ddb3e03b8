import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { showImportPlan } from '../../server/src/operations/imports/show-plan.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { fullImport, wholeGraph } from '../support/whole-graph.ts';
import { isSoak, soakAssert } from '../support/soak.ts';

const orders = (where = '', properties = 'note, amount'): string => `  - activityName: Place Order
    dataObject: orders
    startTimestamp: at
${where === '' ? '' : `    where: ${JSON.stringify(where)}\n`}    properties: [${properties}]
`;
const table = `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text, amount numeric, updated_at timestamptz, version bigint);
  INSERT INTO orders SELECT i, '2024-01-01'::timestamp + i * interval '1 hour', 'n' || i, i, '2024-01-01Z'::timestamptz + i * interval '1 hour', i * 20000 FROM generate_series(1, 8) AS i;
  ANALYZE`;
const byTime = ', watermarks: { orders: updated_at }';
const newRow = (id: number, day = '2024-06-01'): string =>
  `INSERT INTO orders VALUES (${id}, '2024-06-01', 'new', 1, '${day}Z', 900000)`;

/** Rows of the element that were not read again. */
function kept({ steps, status, error }: ImportSummary): number | undefined {
  assert.equal(status, 'imported', error?.message);
  return steps?.find(({ name }) => name === 'element_1')?.keptRows;
}

/** Titles of the statements that stage the rows of the element, in the plan. */
async function planTitles({ folder }: ImportedProject): Promise<string> {
  const context = { ...noSecrets, permitUses: permitAllUses, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), context);
  const { steps } = await showImportPlan(file, context, new AbortController().signal);
  return (steps.find(({ name }) => name === 'element_1')?.parts ?? []).map(({ title }) => title).join('\n');
}

describe('watermarks of PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => (server = await sharedPostgres()));

  async function withOrders(
    use: (project: ImportedProject, run: (sql: string) => Promise<unknown>) => Promise<void>,
    { settings = byTime, sql = table, graph = graphText(orders()) } = {},
  ): Promise<void> {
    const database = await server.createDatabase();
    await server.query(database, sql);
    const files = { 'entity-sources.yaml': postgresqlSources(server, database, settings), 'graph.entity.yaml': graph };
    await withProject(files, (project) => use(project, (text) => server.query(database, text)));
  }

  /** Imports what has changed, and compares with everything. Returns the summary of the incremental import. */
  async function assertEqualsFull(project: ImportedProject): Promise<ImportSummary> {
    const summary = await project.import();
    assert.equal(summary.status, 'imported', summary.error?.message);
    const incremental = await wholeGraph(project);
    const everything = await project.import(fullImport);
    assert.equal(everything.status, 'imported', everything.error?.message);
    assert.deepEqual(incremental, await wholeGraph(project));
    return summary;
  }

  const notes = 'SELECT note FROM properties_1 ORDER BY event_id';

  it('read new and changed rows only', () =>
    withOrders(async (project, run) => {
      assert.equal(kept(await project.import()), undefined);
      // The newest row and its margin of ten minutes are read again.
      assert.equal(kept(await project.import()), 7);
      await run(`${newRow(9)}; UPDATE orders SET note = 'changed', updated_at = '2024-06-02Z' WHERE id = 2`);
      const summary = await project.import();
      assert.equal(kept(summary), 6);
      assert.deepEqual((await project.rows(notes)).flat(), [
        ...['n1', 'changed', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'new'],
      ]);
      assert.ok(summary.warnings?.some((text) => /only rows with a new updated_at were read/.test(text)));
      assert.equal(kept(await assertEqualsFull(project)), 8);
      assert.equal(kept(await project.import(fullImport)), undefined);
      assert.match(await planTitles(project), /With cached rows: rows with a new updated_at\n/);
    }));

  it('read rows of the same instant, and rows of transactions that commit late', () =>
    withOrders(async (project, run) => {
      await run(newRow(9));
      await project.import();
      await run(newRow(10));
      await run(newRow(11).replace("'2024-06-01Z'", "'2024-05-31 23:55Z'"));
      assert.equal(kept(await assertEqualsFull(project)), 8);
      assert.equal((await project.rows(notes)).length, 11);
    }));

  it('report no cached rows when every row was read', () =>
    withOrders(async (project, run) => {
      await project.import();
      await run("UPDATE orders SET updated_at = '2024-06-01Z'");
      const { steps, warnings = [] } = await assertEqualsFull(project);
      const step = steps?.find(({ name }) => name === 'element_1');
      assert.equal(step?.rows, 8);
      assert.equal('keptRows' in step, false);
      assert.deepEqual(
        warnings.filter((text) => text.includes('only rows with a new')),
        [],
      );
    }));

  it('read everything when rows were deleted', () =>
    withOrders(async (project, run) => {
      await project.import();
      await run(`DELETE FROM orders WHERE id = 3; ${newRow(9)}`);
      assert.equal(kept(await assertEqualsFull(project)), undefined);
    }));

  it('read rows without a value each time', () =>
    withOrders(async (project, run) => {
      await run('UPDATE orders SET updated_at = NULL WHERE id IN (1, 2)');
      await project.import();
      await run(
        `UPDATE orders SET note = 'x' WHERE id = 1; UPDATE orders SET note = 'y', updated_at = NULL WHERE id = 5`,
      );
      assert.equal(kept(await assertEqualsFull(project)), 4);
    }));

  it('do not skip rows that change after a row with a future time', () =>
    withOrders(async (project, run) => {
      await run("UPDATE orders SET updated_at = '2999-01-01Z' WHERE id = 1");
      await project.import();
      await run("UPDATE orders SET note = 'now', updated_at = now() WHERE id = 4");
      assert.equal(kept(await assertEqualsFull(project)), 6);
      await run("UPDATE orders SET updated_at = 'infinity' WHERE id = 1");
      await project.import();
      await run("UPDATE orders SET note = 'then', updated_at = now() WHERE id = 5");
      await assertEqualsFull(project);
    }));

  it('do not skip rows after a future time on the clocks of the element', () => {
    const graph = graphText(orders().replace('    properties', '    timeZone: America/New_York\n    properties'));
    const local = `${table}; ALTER TABLE orders ADD changed timestamp; UPDATE orders SET changed = at`;
    return withOrders(
      async (project, run) => {
        // It is later in UTC than in New York.
        await run("UPDATE orders SET changed = now() AT TIME ZONE 'UTC' WHERE id = 1");
        await project.import();
        await run("UPDATE orders SET note = 'changed', changed = now() AT TIME ZONE 'America/New_York' WHERE id = 2");
        assert.equal(kept(await assertEqualsFull(project)), 6);
      },
      { settings: ', watermarks: { orders: changed }', sql: local, graph },
    );
  });

  it('drop rows that no longer match the filter after a change', () =>
    withOrders(
      async (project, run) => {
        await project.import();
        await run("UPDATE orders SET amount = 100, updated_at = '2024-06-01Z' WHERE id = 2");
        await run("UPDATE orders SET amount = 1, updated_at = '2024-06-01Z' WHERE id = 7");
        assert.equal(kept(await assertEqualsFull(project)), 5);
        assert.deepEqual((await project.rows(notes)).flat(), ['n1', 'n3', 'n4', 'n5', 'n6', 'n7']);
      },
      { graph: graphText(orders('amount < 7')) },
    ));

  it('may be numbers, dates and times without zone', async () => {
    for (const [type, first, next] of [
      ['smallint', '1', '30000'],
      ['bigint', '50000', '90000'],
      ['numeric', '50000.5', '90000.5'],
      ['double precision', "'Infinity'", '90000'],
      ['date', "'2024-01-01'", "'2024-03-01'"],
      ['timestamp', "'2024-01-01'", "'2024-03-01'"],
    ] as const) {
      await withOrders(
        async (project, run) => {
          await run(`ALTER TABLE orders ADD COLUMN mark ${type}; UPDATE orders SET mark = ${first}`);
          await project.import();
          await run(`UPDATE orders SET note = 'x', mark = ${next} WHERE id = 2`);
          await assertEqualsFull(project);
          await run(`UPDATE orders SET note = 'y', mark = ${next} WHERE id = 3`);
          await assertEqualsFull(project);
          assert.equal((await project.rows(notes)).flat().includes('y'), true, type);
        },
        { settings: ', watermarks: { orders: mark }' },
      );
    }
  });

  it('read rows written in the hours that times without zone repeat when summer time ends', () =>
    withOrders(
      async (project, run) => {
        await run(`ALTER TABLE orders ADD COLUMN mark timestamp; UPDATE orders SET mark = '2024-10-27 00:30';
          UPDATE orders SET mark = '2024-10-27 02:59' WHERE id = 1`);
        await project.import();
        // Clocks of Antarctica/Troll go back two hours.
        await run("UPDATE orders SET note = 'later', mark = '2024-10-27 00:55' WHERE id = 2");
        assert.equal(kept(await assertEqualsFull(project)), 6);
      },
      { settings: ', watermarks: { orders: mark }' },
    ));

  for (const [type, newest, second] of [
    ['bigint', '1717200000', '1'],
    ['bigint', '1717200000000', '1000'],
    ['bigint', '1717200000000000', '1000000'],
    ['bigint', '1717200000000000000', '1000000000'],
    ['numeric', '1717200000000.5', '1000'],
    ['double precision', '1717200000000000', '1000000'],
    ['real', '1717200000000', '1000'],
  ] as const) {
    it(`read rows of transactions that commit late, with numbers that are times: ${type}, ${second} a second`, () =>
      withOrders(
        async (project, run) => {
          const before = (seconds: number): string => `(${newest}::numeric - ${seconds}::numeric * ${second})::${type}`;
          await run(`ALTER TABLE orders ADD COLUMN mark ${type}; UPDATE orders SET mark = ${before(86_400)};
            UPDATE orders SET mark = ${before(0)} WHERE id = 1`);
          await project.import();
          await run(`UPDATE orders SET note = 'late', mark = ${before(420)} WHERE id = 2`);
          assert.equal(kept(await assertEqualsFull(project)), 6);
        },
        { settings: ', watermarks: { orders: mark }' },
      ));
  }

  it('read everything after a change of a column, and after one that became NaN', () =>
    withOrders(async (project, run) => {
      await run('ALTER TABLE orders ALTER amount TYPE numeric(10, 2)');
      await project.import();
      await run("UPDATE orders SET amount = 'NaN', updated_at = '2024-06-01Z' WHERE id = 2");
      assert.equal(kept(await assertEqualsFull(project)), undefined);
      await run('ALTER TABLE orders ALTER note TYPE varchar(20)');
      assert.equal(kept(await assertEqualsFull(project)), undefined);
    }));

  it('read rows whose numbers fit the cached decimals, and everything after one with more digits', () =>
    withOrders(async (project, run) => {
      const typeOf = async () => (await project.rows('SELECT DISTINCT typeof(amount) FROM properties_1'))[0]?.[0];
      await run('UPDATE orders SET amount = id + 0.25');
      await project.import();
      assert.equal(await typeOf(), 'DECIMAL(38,2)');
      const change = (amount: string, day: number): Promise<unknown> =>
        run(`UPDATE orders SET amount = ${amount}, updated_at = '2024-06-0${day}Z' WHERE id = 2`);
      await change('12345678901234567890.5', 2);
      assert.equal(kept(await assertEqualsFull(project)), 6);
      await change('0.125', 3);
      assert.equal(kept(await assertEqualsFull(project)), undefined);
      assert.equal(await typeOf(), 'DECIMAL(38,3)');
      await change('1.5', 4);
      assert.equal(kept(await project.import()), 7);
      assert.equal(await typeOf(), 'DECIMAL(38,2)');
      await change('1e50', 5);
      const { warnings } = await assertEqualsFull(project);
      assert.match(String(warnings), /amount is a numeric with numbers of more than 38 digits/u);
      await change('2', 6);
      assert.equal(kept(await assertEqualsFull(project)), 7);
      assert.equal(await typeOf(), 'DECIMAL(38,2)');
    }));

  it('do not apply to queries with joins or of views, which the plan says', () =>
    withOrders(
      async (project, run) => {
        await project.import();
        await run(newRow(9));
        assert.equal(kept(await assertEqualsFull(project)), undefined);
        assert.match(await planTitles(project), /Read whole, although watermarks names orders/);
      },
      {
        sql: `${table.replace(/;\s*ANALYZE/, '')}; CREATE TABLE notes (id int PRIMARY KEY, text text); INSERT INTO notes VALUES (1, 'x'); ANALYZE`,
        graph: graphText(
          orders("t.text IS DISTINCT FROM 'y'").replace(
            '    properties',
            '    joins: LEFT JOIN notes AS t ON t.id = orders.id\n    properties',
          ),
        ),
      },
    ));

  it('apply to ordinary tables only, and warnings name unknown tables', () =>
    withOrders(
      async (project, run) => {
        for (const note of ['first', 'second']) {
          await run(
            `UPDATE orders SET note = '${note}' WHERE id = 1; REFRESH MATERIALIZED VIEW saved; UPDATE parted SET note = '${note}'`,
          );
          const { warnings } = await assertEqualsFull(project);
          assert.deepEqual(
            (await project.rows("SELECT DISTINCT note FROM properties_1 WHERE note NOT LIKE 'n%'")).flat(),
            [note],
          );
          const said = (name: string, what: string): string => `watermarks of shop names ${name}, which is ${what}`;
          const whole = 'it is read whole, as only the rows of ordinary tables can be replaced.';
          assert.deepEqual(
            warnings?.filter((text) => text.startsWith('watermarks')),
            [
              said('recent', `a view: ${whole}`),
              said('saved', `a materialized view: ${whole}`),
              said('parted', `a partitioned table: ${whole}`),
              said('far', `a foreign table: ${whole}`),
              said('stock.saved', `a view: ${whole}`),
              said('missing', 'no table of its schemas: correct the name, or leave it out.'),
              said('orders_pkey', 'no table of its schemas: correct the name, or leave it out.'),
              said('public.orders', 'no table of its schemas: correct the name, or leave it out.'),
            ],
          );
        }
      },
      {
        settings: `, schemas: [public, stock], watermarks: { ${['recent', 'saved', 'parted', 'far', 'stock.saved', 'missing', 'orders_pkey', 'public.orders', 'orders', 'stock.items'].map((name) => `${name}: updated_at`).join(', ')} }`,
        sql: `${table}; CREATE SCHEMA stock; CREATE VIEW stock.saved AS SELECT 1 AS id; CREATE TABLE stock.items (id int); CREATE VIEW recent AS SELECT * FROM orders; CREATE MATERIALIZED VIEW saved AS SELECT * FROM orders;
          CREATE TABLE parted (id int PRIMARY KEY, at timestamp, note text, amount numeric, updated_at timestamptz) PARTITION BY RANGE (id);
          CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (100); INSERT INTO parted SELECT id, at, note, amount, updated_at FROM orders;
          CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
          CREATE FOREIGN TABLE far (id int, at timestamp, note text, amount numeric, updated_at timestamptz)
            SERVER files OPTIONS (program 'echo 1,2024-01-01,far,1,2024-01-01Z', format 'csv')`,
        graph: graphText(
          ['recent', 'saved', 'parted', 'far']
            .map((name) =>
              orders()
                .replace('Place Order', `Place ${name}`)
                .replace('dataObject: orders', `dataObject: ${name}\n    key: id`),
            )
            .join(''),
        ),
      },
    ));

  it('are refused without a primary key, and for a column that is missing or has an unsuitable type', async () => {
    const cases: readonly (readonly [string, string, RegExp])[] = [
      [', watermarks: { orders: changed }', table, /watermarks\.orders: orders has no column changed/],
      [', watermarks: { orders: note }', table, /note is of type text, which is neither a time nor a number/],
      [byTime, table.replace(' PRIMARY KEY', ''), /orders has no primary key/],
    ];
    for (const [settings, sql, expected] of cases) {
      const graph = graphText(orders().replace('    startTimestamp', '    key: id\n    startTimestamp'));
      await withOrders(async (project) => assert.match((await project.import()).error?.message ?? '', expected), {
        settings,
        sql,
        graph,
      });
    }
  });

  it('give the graph of a full import after random changes of rows', async () => {
    const id = fc.integer({ min: 1, max: 12 });
    const change = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('put' as const), id, note: fc.constantFrom('a', 'b', "x'y") }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
    );
    const sequence = fc.array(fc.array(change, { maxLength: 4 }), { minLength: 2, maxLength: 5 });
    let keptOnce = 0;
    await soakAssert(
      fc.asyncProperty(sequence, fc.constantFrom('', 'id <> 3', "note <> 'a'"), async (steps, where) => {
        await withOrders(
          async (project, run) => {
            let day = 0;
            await project.import();
            for (const changes of steps) {
              // Several changes share an instant, which never goes back.
              day += 1;
              const mark = `'2024-03-01Z'::timestamptz + ${day} * interval '5 minutes'`;
              for (const each of changes) {
                await run(
                  each.kind === 'delete'
                    ? `DELETE FROM orders WHERE id = ${each.id}`
                    : `INSERT INTO orders VALUES (${each.id}, '2024-02-01', '${each.note.replace("'", "''")}', ${day}, ${mark}, 1)
                       ON CONFLICT (id) DO UPDATE SET note = excluded.note, amount = excluded.amount, updated_at = excluded.updated_at`,
                );
              }
              const summary = await project.import();
              if ((kept(summary) ?? 0) > 0) keptOnce += 1;
              const incremental = await wholeGraph(project);
              await project.import({ request: { kind: 'build', isFull: true } });
              assert.deepEqual(incremental, await wholeGraph(project));
              // The row cache holds the rows of the full import; one more incremental import replaces them.
              await project.import();
            }
          },
          { graph: graphText(orders(where)) },
        );
      }),
      2,
    );
    assert.ok(keptOnce > 0 || isSoak);
  });
});
