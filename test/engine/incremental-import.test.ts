import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { tablesBesideRun } from '../support/tables-of-store.ts';
import { isSoak, soakAssert } from '../support/soak.ts';

const orders = `  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: at
    properties: [note]
`;
/** The element of orders with a filter, in a graph with others of them. */
const filtered = (where: string, index = 0): string =>
  orders
    .replace('Place Order', `Place Order ${index}`)
    .replace('    properties', `    where: ${JSON.stringify(where)}\n    properties`);
const lines = `  - activityName: Add Line
    dataObject: lines
    key: id
    startTimestamp: at
    properties: [amount]
`;
const contains = `  - name: contains
    source: Place Order
    target: Add Line
    mappings: [{ source: id, target: order_id }]
`;

const tables = {
  orders: 'id,at,note\n1,2024-01-01 00:00:00,a\n2,2024-01-02 00:00:00,b\n',
  lines: 'id,order_id,at,amount\n10,1,2024-01-03 00:00:00,5\n11,2,2024-01-04 00:00:00,6\n',
};
const csvFiles = {
  'orders.csv': tables.orders,
  'lines.csv': tables.lines,
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(orders + lines, contains),
};
const sql = `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text); CREATE TABLE lines (id int PRIMARY KEY, order_id int, at timestamp, amount int);
  INSERT INTO orders VALUES (1, '2024-01-01', 'a'), (2, '2024-01-02', 'b'); INSERT INTO lines VALUES (10, 1, '2024-01-03', 5), (11, 2, '2024-01-04', 6);
  ANALYZE`;

/** The steps that reused rows of the previous import. */
const unchanged = ({ steps, status, error }: ImportSummary): readonly string[] => {
  assert.equal(status, 'imported', error?.message);
  return (steps ?? []).flatMap(({ name, isUnchanged }) => (isUnchanged === true ? [name] : []));
};

/** All tables of an import except the run. */
function wholeGraph(project: ImportedProject): Promise<unknown> {
  return project.read(async (store) => {
    const graph: Record<string, unknown> = {};
    for (const name of await tablesBesideRun(store)) {
      graph[name] = (await store.table(`SELECT * FROM ${name} ORDER BY ALL`)).rows;
    }
    return graph;
  });
}

/** Files that have existed for a while, not just written by the test. */
function age(folder: string): void {
  const past = new Date(Date.now() - 60_000);
  for (const name of readdirSync(folder)) if (name.endsWith('.csv')) utimesSync(join(folder, name), past, past);
}

describe('incremental import', () => {
  let server: TestPostgres;
  before(async () => (server = await sharedPostgres()));

  async function withTables(
    use: (project: ImportedProject, run: (sql: string) => Promise<unknown>) => Promise<void>,
    graph = graphText(orders + lines, contains),
    settings = '',
  ) {
    const database = await server.createDatabase();
    await server.query(database, sql);
    const files = { 'entity-sources.yaml': postgresqlSources(server, database, settings), 'graph.entity.yaml': graph };
    await withProject(files, (project) => use(project, (text) => server.query(database, text)));
  }

  describe('files', () => {
    const all = ['element_1', 'element_2', 'relationship_1'];

    it('reads only changed elements', () =>
      withProject(csvFiles, async (project) => {
        assert.deepEqual(unchanged(await project.import()), []);
        assert.deepEqual(unchanged(await project.import()), all);
        const changed = lines.replace('[amount]', '[amount, order_id]');
        await project.write({ 'graph.entity.yaml': graphText(orders + changed, contains) });
        assert.deepEqual(unchanged(await project.import()), ['element_1', 'relationship_1']);
        assert.deepEqual(await project.rows('SELECT amount, order_id FROM properties_2 ORDER BY 1'), [
          ['5', '1'],
          ['6', '2'],
        ]);
        assert.deepEqual(unchanged(await project.import({ request: { kind: 'build', isFull: true } })), []);
        assert.deepEqual(unchanged(await project.import()), all);
      }));

    it('reads files with changed content, even when size and time are equal', () =>
      withProject(csvFiles, async (project) => {
        age(project.folder);
        await project.import();
        const path = join(project.folder, 'orders.csv');
        writeFileSync(path, tables.orders.replace(',b', ',c'));
        age(project.folder);
        const summary = await project.import();
        assert.deepEqual(unchanged(summary), []);
        assert.deepEqual(await project.rows('SELECT note FROM properties_1 ORDER BY 1'), [['a'], ['c']]);
      }));

    it('reads elements with non-deterministic SQL every time', () =>
      withProject(csvFiles, async (project) => {
        const filters = [
          '"at" < now()',
          '"at" < current_date',
          'random() >= 0',
          'age("at") > INTERVAL 1 DAY',
          '"age"("at") > INTERVAL 1 DAY',
          `id IN (SELECT order_id FROM '${join(project.folder, 'lines.csv')}')`,
          `id IN (SELECT order_id FROM "${join(project.folder, 'lines.csv')}")`,
          `id IN (WITH l AS (SELECT order_id FROM '${join(project.folder, 'lines.csv')}') SELECT * FROM l)`,
        ];
        await project.write({ 'graph.entity.yaml': graphText(filters.map(filtered).join('') + lines) });
        await project.import();
        assert.deepEqual(unchanged(await project.import()), ['element_9']);
        const steady = filtered("lower(note) <> 'x' AND id IN (SELECT o.id FROM orders AS o)");
        await project.write({ 'graph.entity.yaml': graphText(steady + lines) });
        await project.import();
        assert.deepEqual(unchanged(await project.import()), ['element_1', 'element_2']);
      }));

    it('reads a relationship again whose expression names a staging table', () =>
      withProject(csvFiles, async (project) => {
        const expression = contains.replace(
          'target: order_id }]',
          'target: order_id }, { expression: "source.id <= (SELECT count(*) FROM element_1)" }]',
        );
        await project.write({ 'graph.entity.yaml': graphText(orders + lines, expression) });
        await project.import();
        assert.ok(!unchanged(await project.import()).includes('relationship_1'));
      }));

    it('repeats the warnings about a cached file', () =>
      withProject(
        { ...csvFiles, 'orders.csv': tables.orders.replaceAll('2024-01-0', '01-02-202') },
        async (project) => {
          const guessed = await project.import();
          assert.match(guessed.warnings.join(), /dates are read as %d-%m-%Y/);
          await project.write({ 'entity-sources.yaml': csvSources(', timestampFormat: "%d-%m-%Y %H:%M:%S"') });
          assert.deepEqual((await project.import()).warnings, []);
        },
      ));

    it('preserves the order of rows with equal times', () => {
      const rows = Array.from({ length: 5000 }, (_, i) => `${(i * 7919) % 97},2024-01-01 00:00:00,n${i}`);
      const files = {
        'orders.csv': `id,at,note\n${rows.join('\n')}\n`,
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': graphText(orders),
      };
      return withProject(files, async (project) => {
        await project.import();
        const first = await wholeGraph(project);
        assert.deepEqual(unchanged(await project.import()), ['element_1']);
        assert.deepEqual(await wholeGraph(project), first);
      });
    });

    it('reads everything when the row cache is off or damaged, and for a slice', () =>
      withProject(csvFiles, async (project) => {
        await project.import();
        const kept = join(project.folder, '.entity-graph', 'graphs', 'graph', 'rows.kept');
        const whole = readFileSync(kept);
        assert.deepEqual(unchanged(await project.import({ request: { kind: 'build', sample: 1 } })), []);
        assert.deepEqual(readFileSync(kept), whole);
        writeFileSync(kept, whole.subarray(0, whole.length / 2));
        assert.deepEqual(unchanged(await project.import()), []);
        assert.deepEqual(unchanged(await project.import()), all);
        await project.write({ 'entity-sources.yaml': csvSources(', incremental: false') });
        assert.deepEqual(unchanged(await project.import()), []);
        assert.deepEqual(
          readdirSync(join(project.folder, '.entity-graph', 'graphs', 'graph')).filter(
            (name) => !name.endsWith('.duckdb'),
          ),
          [],
        );
      }));

    it('after a failure keeps the row cache for the next import', () =>
      withProject(csvFiles, async (project) => {
        await project.import();
        await project.write({
          'graph.entity.yaml': graphText(orders + lines.replace('dataObject: lines', 'dataObject: nothing')),
        });
        assert.equal((await project.import()).status, 'failed');
        await project.write({ 'graph.entity.yaml': csvFiles['graph.entity.yaml'] });
        assert.deepEqual(unchanged(await project.import()), all);
      }));
  });

  describe('PostgreSQL', () => {
    const all = ['element_1', 'element_2', 'relationship_1'];

    it('pulls only changed elements, and tables with inserts, updates or deletes', () =>
      withTables(async (project, run) => {
        assert.deepEqual(unchanged(await project.import()), []);
        assert.deepEqual(unchanged(await project.import()), all);
        const changed = orders.replace('[note]', '[]');
        await project.write({ 'graph.entity.yaml': graphText(changed + lines, contains) });
        assert.deepEqual(unchanged(await project.import()), ['element_2', 'relationship_1']);
        for (const change of [
          "INSERT INTO lines VALUES (12, 1, '2024-01-05', 7)",
          'UPDATE lines SET amount = amount',
          'DELETE FROM lines WHERE id = 12',
        ]) {
          await run(change);
          assert.deepEqual(unchanged(await project.import()), ['element_1'], change);
        }
        await run('BEGIN; UPDATE lines SET amount = 0; ROLLBACK');
        assert.deepEqual(unchanged(await project.import()), all);
      }));

    it('tracks tables behind views, and changed view definitions', () =>
      withTables(
        async (project, run) => {
          await run('CREATE VIEW seen AS SELECT id, at, note FROM orders WHERE id > 0');
          await project.import();
          assert.deepEqual(unchanged(await project.import()), ['element_1']);
          await run('CREATE OR REPLACE VIEW seen AS SELECT id, at, note FROM orders WHERE id > 1');
          const summary = await project.import();
          assert.deepEqual(unchanged(summary), []);
          assert.equal(summary.totals.events, 1);
          await run('UPDATE orders SET id = 3 WHERE id = 1');
          assert.equal((await project.import()).totals.events, 2);
        },
        graphText(orders.replace('dataObject: orders', 'dataObject: seen')),
      ));

    const redefinitions: readonly (readonly [what: string, before: string, change: string, element?: string])[] = [
      [
        'a limit',
        'CREATE VIEW v AS SELECT * FROM orders ORDER BY id LIMIT 1',
        'CREATE OR REPLACE VIEW v AS SELECT * FROM orders ORDER BY id LIMIT 2',
      ],
      [
        'what is distinct',
        "UPDATE orders SET note = 'a'; CREATE VIEW v AS SELECT DISTINCT ON (note) * FROM orders ORDER BY note, id",
        'CREATE OR REPLACE VIEW v AS SELECT DISTINCT ON (note, id) * FROM orders ORDER BY note, id',
      ],
      [
        'a function that is inlined',
        `CREATE FUNCTION f() RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT id FROM orders ORDER BY id LIMIT 1';
         CREATE VIEW v AS SELECT * FROM orders WHERE id IN (SELECT * FROM f())`,
        `CREATE OR REPLACE FUNCTION f() RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT id FROM orders ORDER BY id LIMIT 2'`,
      ],
      [
        'what an operator reads',
        `CREATE TABLE flag (id int); INSERT INTO flag VALUES (1);
         CREATE FUNCTION eqf(int, int) RETURNS boolean STABLE LANGUAGE plpgsql AS 'BEGIN RETURN $1 IN (SELECT id FROM flag) AND $2 = 1; END';
         CREATE OPERATOR === (FUNCTION = eqf, LEFTARG = int, RIGHTARG = int); CREATE VIEW v AS SELECT * FROM orders WHERE id === 1`,
        'UPDATE flag SET id = 2',
      ],
      [
        'what a cast reads',
        `CREATE TABLE flag (a text); INSERT INTO flag VALUES ('a'); CREATE TYPE ty AS (a text);
         CREATE FUNCTION f(text) RETURNS ty STABLE LANGUAGE plpgsql AS 'BEGIN RETURN ROW((SELECT a FROM flag)); END';
         CREATE CAST (text AS ty) WITH FUNCTION f(text); CREATE VIEW v AS SELECT * FROM orders WHERE (note::ty).a = 'a'`,
        "UPDATE flag SET a = 'b'",
      ],
      [
        'how a column is sorted',
        `UPDATE orders SET note = 'B' WHERE id = 2; ALTER TABLE orders ALTER note TYPE text COLLATE "C"; CREATE VIEW v AS SELECT id, at FROM orders`,
        `DROP VIEW v; ALTER TABLE orders ALTER note TYPE text COLLATE "en-x-icu"; CREATE VIEW v AS SELECT id, at FROM orders`,
        "note < 'a'",
      ],
      [
        'where rows stand',
        "CREATE VIEW v AS SELECT * FROM orders WHERE ctid = '(0,1)'",
        'UPDATE orders SET note = note',
      ],
      [
        'a text that says now',
        `CREATE VIEW v AS SELECT * FROM orders WHERE ' now'::text::timestamptz > at`,
        'SELECT 1',
      ],
    ];
    for (const [what, before, change, where] of redefinitions) {
      it(`pulls again after a change of ${what}`, () =>
        withTables(async (project, run) => {
          await run(`${before}; ANALYZE`);
          const element = orders.replace('[note]', '[id]');
          const graph = where
            ? element.replace('    properties', `    where: ${JSON.stringify(where)}\n    properties`)
            : element.replace('dataObject: orders', 'dataObject: v');
          await project.write({ 'graph.entity.yaml': graphText(graph) });
          await project.import();
          await run(change);
          assert.deepEqual(unchanged(await project.import()), []);
        }, graphText(orders)));
    }

    it('pulls again when the time zone of the source changes', () =>
      withTables(
        async (project, run) => {
          await run(
            `CREATE VIEW v AS SELECT id, at, to_char(timestamptz '2024-07-01 00:00+00' + id * interval '1 hour', 'HH24') AS note FROM orders`,
          );
          await project.import();
          assert.deepEqual(unchanged(await project.import()), ['element_1']);
          const path = join(project.folder, 'entity-sources.yaml');
          writeFileSync(path, readFileSync(path, 'utf8').replace('Africa/Lagos', 'Europe/Berlin'));
          assert.deepEqual(unchanged(await project.import()), []);
        },
        graphText(orders.replace('dataObject: orders', 'dataObject: v')),
        ', timeZone: Africa/Lagos',
      ));

    it('detects changes without a row write', () =>
      withTables(
        async (project, run) => {
          await run(`ALTER TABLE orders ADD COLUMN mood text DEFAULT 'glad'`);
          await project.import();
          assert.deepEqual(unchanged(await project.import()), ['element_1']);
          await run(`ALTER TABLE orders DROP COLUMN mood; ALTER TABLE orders ADD COLUMN mood text DEFAULT 'sad'`);
          assert.deepEqual(unchanged(await project.import()), []);
          assert.deepEqual(await project.rows('SELECT DISTINCT mood FROM properties_1'), [['sad']]);
          await run(
            `CREATE TYPE mood AS ENUM ('glad', 'sad'); ALTER TABLE orders ALTER mood DROP DEFAULT, ALTER mood TYPE mood USING mood::mood`,
          );
          await project.import();
          await run(`ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'`);
          assert.deepEqual(unchanged(await project.import()), []);
          assert.deepEqual(await project.rows('SELECT DISTINCT mood FROM properties_1'), [['blue']]);
        },
        graphText(orders.replace('[note]', '[note, mood]')),
      ));

    /** Columns whose texts contain names of tables, columns or roles, which change without a row write. */
    const named: Readonly<Record<string, readonly [setup: string, value: string, expected: string]>> = {
      'regclass[]': ['', "ARRAY['lines']::regclass[]", '["items"]'],
      'regclass[][]': ['', "ARRAY[ARRAY['lines']]::regclass[]", '[["items"]]'],
      place: ['CREATE DOMAIN place AS regclass', "'lines'", 'items'],
      places: ['CREATE DOMAIN places AS regclass[]', "ARRAY['lines']::regclass[]", '["items"]'],
      spot: ['CREATE TYPE spot AS (n int, place regclass)', "ROW(1, 'lines')::spot", '{"n":1,"place":"items"}'],
      'spot[]': [
        'CREATE TYPE spot AS (n int, place regclass)',
        "ARRAY[ROW(1, 'lines')::spot]",
        '[{"n":1,"place":"items"}]',
      ],
      reach: ['CREATE TYPE reach AS RANGE (subtype = regclass)', "reach('lines', NULL)", '[items,)'],
      lines: [
        '',
        '(SELECT l FROM lines AS l WHERE id = 10)',
        '{"id":10,"order_id":1,"at":"2024-01-03T00:00:00","total":5}',
      ],
      aclitem: ['', "'ROLE=r/ROLE'", 'RENAMED=r/RENAMED'],
      'aclitem[]': ['', "'{ROLE=r/ROLE}'", '["RENAMED=r/RENAMED"]'],
    };
    let roles = 0;
    for (const [type, [setup, value, expected]] of Object.entries(named)) {
      it(`pulls tables again whose texts name other objects: ${type}`, () => {
        const role = `porter_${process.pid}_${++roles}`;
        return withTables(
          async (project, run) => {
            await run(`CREATE ROLE ${role}; ${setup}`);
            try {
              await run(
                `ALTER TABLE orders ADD COLUMN v ${type}; UPDATE orders SET v = ${value.replaceAll('ROLE', role)}`,
              );
              await project.import();
              await run(`ALTER TABLE lines RENAME TO items; ALTER ROLE ${role} RENAME TO ${role}_b;
                ALTER TABLE items RENAME amount TO total`);
              await project.import();
              assert.deepEqual(await project.rows('SELECT DISTINCT v FROM properties_1'), [
                [expected.replaceAll('RENAMED', `${role}_b`)],
              ]);
            } finally {
              await run(`ALTER TABLE orders DROP COLUMN v`);
              await run(
                `DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN DROP ROLE ${role}; ELSE DROP ROLE ${role}_b; END IF; END $$`,
              );
            }
          },
          graphText(orders.replace('[note]', '[v]')),
        );
      });
    }

    it('pulls queries again whose expressions name other objects', () => {
      const role = `porter_${process.pid}_${++roles}`;
      const filters = ["acldefault('r', holder)::text <> 'x'", "(holder::place)::text <> 'x'"];
      return withTables(async (project, run) => {
        await run(`CREATE ROLE ${role}; CREATE DOMAIN place AS regclass; ALTER TABLE orders ADD COLUMN holder oid;
          UPDATE orders SET holder = (SELECT oid FROM pg_roles WHERE rolname = '${role}')`);
        try {
          await project.write({ 'graph.entity.yaml': graphText(filters.map(filtered).join('') + lines) });
          await project.import();
          assert.deepEqual(unchanged(await project.import()), ['element_3']);
        } finally {
          await run(`DROP ROLE ${role}`);
        }
      });
    });

    it('pulls elements with non-deterministic SQL every time', () =>
      withTables(async (project, run) => {
        await run(
          'CREATE FUNCTION shop_open(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN true; END $$',
        );
        const filters = [
          'at < now()',
          'at < CURRENT_DATE',
          'random() >= 0',
          "at < 'now'::timestamp",
          'shop_open(id)',
          "current_setting('search_path') <> ''",
        ];
        await project.write({ 'graph.entity.yaml': graphText(filters.map(filtered).join('') + lines) });
        await project.import();
        assert.deepEqual(unchanged(await project.import()), ['element_7']);
      }));

    it('always pulls foreign tables, and tables that may not be scanned', () =>
      withTables(async (project, run) => {
        await run(
          `CREATE ROLE clerk_${process.pid} LOGIN PASSWORD 'postgres'; CREATE VIEW desk AS SELECT id, at, note FROM orders`,
        );
        await run(`GRANT SELECT ON desk TO clerk_${process.pid}`);
        try {
          const path = join(project.folder, 'entity-sources.yaml');
          writeFileSync(
            path,
            readFileSync(path, 'utf8')
              .replace(/user: \w+/, `user: clerk_${process.pid}`)
              .replace(/password: "[^"]*"/, 'password: postgres'),
          );
          await project.write({
            'graph.entity.yaml': graphText(orders.replace('dataObject: orders', 'dataObject: desk')),
          });
          await project.import();
          assert.deepEqual(unchanged(await project.import()), []);
        } finally {
          await run(`DROP VIEW desk; DROP ROLE clerk_${process.pid}`);
        }
      }));

    it('pulls everything when incremental is off', () =>
      withTables(
        async (project) => {
          await project.import();
          assert.deepEqual(unchanged(await project.import()), []);
        },
        graphText(orders),
        ', incremental: false',
      ));
  });

  describe('incremental and full import', () => {
    const edits = {
      'another property': (text: string) => text.replace('[note]', '[note, id]').replace('[note, id, id]', '[note]'),
      'another filter': (text: string) =>
        text.includes('where:')
          ? text.replace(/ {4}where: .*\n/, '')
          : text.replace(
              '    startTimestamp: at\n    properties: [amount]',
              '    startTimestamp: at\n    where: amount > 5\n    properties: [amount]',
            ),
      'no relationship': (text: string) =>
        text.includes('relationships:')
          ? text.slice(0, text.indexOf('relationships:'))
          : `${text}relationships:\n${text.includes('Pick Line') ? contains.replaceAll('Add Line', 'Pick Line') : contains}`,
      'another name': (text: string) =>
        text.includes('Add Line') ? text.replaceAll('Add Line', 'Pick Line') : text.replaceAll('Pick Line', 'Add Line'),
      nothing: (text: string) => text,
    } as const;
    const changes = [
      "INSERT INTO orders SELECT max(id) + 1, max(at), 'new' FROM orders",
      'UPDATE lines SET amount = amount + 1 WHERE id % 2 = 0',
      'DELETE FROM orders WHERE id = (SELECT max(id) FROM orders)',
      'INSERT INTO lines SELECT max(id) + 1, 1, max(at), 9 FROM lines',
      'VACUUM FULL lines',
    ] as const;
    const step = fc.oneof(
      fc.constantFrom(...(Object.keys(edits) as (keyof typeof edits)[])).map((edit) => ({ edit })),
      fc.constantFrom(...changes).map((change) => ({ change })),
    );

    it('give equal graphs after random edits of the graph and the tables', async () => {
      await soakAssert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), (steps) =>
          withTables(async (project, run) => {
            await project.import();
            for (const each of steps) {
              const path = join(project.folder, 'graph.entity.yaml');
              if ('edit' in each) writeFileSync(path, edits[each.edit](readFileSync(path, 'utf8')));
              else await run(each.change);
              assert.equal((await project.import()).status, 'imported');
              const incremental = await wholeGraph(project);
              assert.deepEqual(unchanged(await project.import({ request: { kind: 'build', isFull: true } })), []);
              assert.deepEqual(incremental, await wholeGraph(project));
            }
          }),
        ),
        1,
      );
    }).timeout(isSoak ? 0 : 180_000);
  });
});
