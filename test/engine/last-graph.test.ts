import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { storeState } from '../../server/src/import/last-graph/last-graph-file.ts';
import { openUnpublishedStore } from '../../server/src/store/duckdb-store.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { countSoak, isSoak, soakAmount } from '../support/soak.ts';
import { fullImport, wholeGraph } from '../support/whole-graph.ts';

const log = `  - activityName: Update Ticket
    dataObject: log
    key: ticket
    entityType: ticket
    startTimestamp: at
    changeTimestamp: until
    sequence: n
    properties: [note, cost, ticket]
`;
const calls = `  - activityName: Call
    dataObject: calls
    key: id
    startTimestamp: at
    properties: [text]
    expect: { notNull: [text], unique: [text] }
`;
const about = `  - { name: about, source: Call, target: Update Ticket, mappings: [{ source: ticket, target: ticket }] }\n`;
const rules = `rules:
  - { name: Tickets are noted, severity: info, each: { activity: Update Ticket }, expect: [{ sql: "note <> 'x'" }] }
`;
const graph = `${graphText(log + calls, about)}${rules}`;
const logHeader = 'ticket,at,until,n,note,cost\n';
const logRows = [
  't1,2024-01-01 00:00:00,2024-01-05 00:00:00,1,a,0.0',
  't1,2024-01-01 00:00:00,,2,b,1.5',
  't2,2024-01-02 00:00:00,2024-01-02 00:00:00,1,c,2.5',
  't1,2024-01-01 00:00:00,,2,d,1.5',
  ',2024-01-03 00:00:00,,1,no key,1.5',
  't2,,,3,no start,1.5',
];
const logFile = (rows: readonly string[]): string => `${logHeader}${rows.map((row) => `${row}\n`).join('')}`;
const withRow = (rows: readonly string[], place: number, row: string): readonly string[] => rows.with(place, row);
const callRows = ['1,2024-01-02 00:00:00,t1,hello', '2,2024-01-03 00:00:00,t2,', '3,2024-01-03 00:00:00,t2,hi'];
const callFile = (rows: readonly string[]): string => `id,at,ticket,text\n${rows.map((row) => `${row}\n`).join('')}`;
const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'log.csv': logFile(logRows),
  'calls.csv': callFile(callRows),
};

/** The number of rows whose properties were written into the graph of the import before, or why it was built anew. */
function lastGraph({ steps = [], status, error }: ImportSummary): number | string | undefined {
  assert.equal(status, 'imported', error?.message);
  const step = steps.find(({ name }) => name === 'last_graph');
  return step?.isReused === true ? step.rows : step?.builtAnew;
}

/** All that an import leaves but its id, times and steps. */
async function wholeImport(project: ImportedProject): Promise<unknown> {
  const run = await project.rows(
    `SELECT format_version, entity, data_source, config, regexp_replace(CAST(counts AS VARCHAR), '"readAt":"[^"]*"', '', 'g'),
      warnings, versions, slice FROM run`,
  );
  const events = await project.rows('SELECT * FROM event');
  return { graph: await wholeGraph(project), events, run };
}

/** Imports, and compares with a full import in a folder of its own, which leaves the cached rows as they are. */
async function importLikeAnew(project: ImportedProject): Promise<ImportSummary> {
  const summary = await project.import();
  assert.equal(summary.status, 'imported', summary.error?.message);
  const found = await wholeImport(project);
  await withProject(copyOf(project), async (copy) => {
    const { warnings } = await copy.import(fullImport);
    assert.deepEqual(found, await wholeImport(copy));
    assert.deepEqual(summary.warnings, warnings);
  });
  return summary;
}

function copyOf({ folder }: ImportedProject): Readonly<Record<string, Uint8Array>> {
  const names = readdirSync(folder).filter((name) => /\.(csv|duckdb|yaml)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

const graphsFolder = ({ folder }: ImportedProject): string => join(folder, '.entity-graph/graphs/graph');
const statusPath = ({ folder }: ImportedProject): string => join(folder, '.entity-graph/state/graph.json');

interface Status {
  readonly store: string;
  readonly storeState: string;
}

function statusOf(project: ImportedProject): Status {
  return JSON.parse(readFileSync(statusPath(project), 'utf8')) as Status;
}

describe('the graph of the last import', () => {
  it('is used again when nothing has changed, with a record of the new run', () =>
    withProject(files, async (project) => {
      assert.equal(lastGraph(await project.import()), undefined);
      const [[first] = []] = await project.rows('SELECT id FROM run');
      const summary = await importLikeAnew(project);
      assert.equal(lastGraph(summary), 0);
      const runs = await project.rows('SELECT id FROM run');
      assert.equal(runs.length, 1);
      assert.notEqual(runs[0]?.[0], first);
      const reused = (summary.steps ?? []).flatMap(({ name, isReused }) => (isReused === true ? [name] : []));
      for (const name of ['entity', 'event', 'properties_1', 'directly_follows', 'process_map']) {
        assert.ok(reused.includes(name), name);
      }
    }));

  it('gets new values of properties, of rows with and without change events', () =>
    withProject(files, async (project) => {
      await project.import();
      await project.write({
        'log.csv': logFile(withRow(logRows, 1, 't1,2024-01-01 00:00:00,,2,changed,7.5')),
      });
      assert.equal(lastGraph(await importLikeAnew(project)), 1);
      await project.write({ 'calls.csv': callFile(withRow(callRows, 1, '2,2024-01-03 00:00:00,t2,hello')) });
      assert.equal(lastGraph(await importLikeAnew(project)), 1);
      assert.equal(lastGraph(await importLikeAnew(project)), 0);
    }));

  it('gets values of the right one of several rows of one entity and time', () =>
    withProject({ ...files, 'graph.entity.yaml': graph.replace('    sequence: n\n', '') }, async (project) => {
      await project.import();
      for (const place of [0, 1, 3]) {
        const row = logRows[place] ?? '';
        await project.write({
          'log.csv': logFile(withRow(logRows, place, row.replace(/,[a-d],/, `,changed ${place},`))),
        });
        // The row that was changed before is as it was again.
        assert.equal(lastGraph(await importLikeAnew(project)), place === 0 ? 1 : 2);
      }
    }));

  it('keeps rows without key or start out', () =>
    withProject(files, async (project) => {
      await project.import();
      const rows = logRows.map((row) => row.replace('no key', 'nothing').replace('no start', 'nothing'));
      await project.write({ 'log.csv': logFile(rows) });
      assert.equal(lastGraph(await importLikeAnew(project)), 2);
    }));

  it('is used after changes of the file that change no statement: descriptions, expectations and rules', () =>
    withProject(files, async (project) => {
      await project.import();
      const changed = graph
        .replace('name: Test', 'name: Test\ndescription: Other words')
        .replace("note <> 'x'", "note <> 'b'");
      await project.write({ 'graph.entity.yaml': changed });
      const summary = await importLikeAnew(project);
      assert.equal(lastGraph(summary), 0);
      assert.deepEqual(await project.rows('SELECT broken FROM rule'), [['1']]);
      await project.write({ 'graph.entity.yaml': changed.replace(rules.replace("'x'", "'b'"), '') });
      assert.equal(lastGraph(await importLikeAnew(project)), 0);
      await assert.rejects(project.rows('FROM rule'), /rule/);
    }));

  it('has expectations judged anew, which only changed values break', () =>
    withProject(files, async (project) => {
      const { expectations: before } = await project.import();
      await project.write({ 'calls.csv': callFile(withRow(callRows, 2, '3,2024-01-03 00:00:00,t2,hello')) });
      const summary = await importLikeAnew(project);
      assert.equal(lastGraph(summary), 1);
      const brokenOf = (found: ImportSummary['expectations']) => found?.map(({ broken }) => broken);
      assert.deepEqual(
        [brokenOf(before), brokenOf(summary.expectations)],
        [
          [0, 1],
          [2, 1],
        ],
      );
    }));

  /** Its rows are kept only beside another data source. */
  describe('of a DuckDB file and a CSV file', () => {
    const withCalls = (
      columns: string,
      property: string,
      use: (project: ImportedProject, calls: (rows: string) => Promise<void>) => Promise<void>,
    ): Promise<void> =>
      withProject(
        {
          'entity-sources.yaml': `${csvSources()}  phone: { kind: duckdb, path: shop.duckdb }\n`,
          'visits.csv': 'id,day\n1,2024-01-02 00:00:00\n',
          'graph.entity.yaml': graphText(
            `  - { activityName: Call, dataSource: phone, dataObject: calls, key: id, startTimestamp: called, properties: [${property}] }
  - { activityName: Visit, dataObject: visits, key: id, startTimestamp: day }\n`,
          ),
        },
        (project) =>
          use(project, async (rows) => {
            const file = join(project.folder, 'shop.duckdb');
            rmSync(file, { force: true });
            await createDuckdbFile(file, [`CREATE TABLE calls (${columns})`, `INSERT INTO calls VALUES ${rows}`]);
          }),
      );

    for (const type of ['DOUBLE', 'FLOAT']) {
      it(`is built anew when the sign of a zero changes in a ${type}`, () =>
        withCalls(`id VARCHAR, called TIMESTAMP, cost ${type}`, 'cost', async (project, calls) => {
          const rows = (cost: string): string => `('a', '2024-01-02', '${cost}'), ('b', '2024-01-03', '1.5')`;
          await calls(rows('0.0'));
          await project.import();
          for (const cost of ['-0.0', '0.0']) {
            await calls(rows(cost));
            assert.match(String(lastGraph(await importLikeAnew(project))), /sign of a zero/);
            const stored = await project.rows('SELECT CAST(cost AS VARCHAR) FROM properties_1 ORDER BY event_id');
            assert.deepEqual(stored, [[cost], ['1.5']]);
          }
          await calls(rows('-1.5'));
          assert.equal(lastGraph(await importLikeAnew(project)), 1);
        }));
    }
  });

  it('sees texts that have changed to others that a collation in custom SQL calls equal', () => {
    const customers = `entities:
  - entityType: customer
    dataObject: customers
    joins: JOIN (SELECT id, name COLLATE NOCASE AS name FROM customers) AS named ON named.id = customers.id
    key: id
    properties: [named.name]
`;
    const customerFile = (name: string): string => `id,name\n1,${name}\n2,Bob\n`;
    const project = {
      ...files,
      // Rows of custom SQL that names tables are kept only beside another data source.
      'entity-sources.yaml': `${csvSources()}  phone: { kind: csv, path: calls.csv }\n`,
      'graph.entity.yaml': `${graphText(log + calls.replace('    dataObject', '    dataSource: phone\n    dataObject'))}${customers}`,
      'customers.csv': customerFile('ann'),
    };
    return withProject(project, async (each) => {
      await each.import();
      await each.write({ 'customers.csv': customerFile('ANN') });
      assert.match(String(lastGraph(await importLikeAnew(each))), /of "customer" have changed/);
      assert.equal(lastGraph(await importLikeAnew(each)), 0);
    });
  });

  describe('is built anew', () => {
    for (const [what, change, why] of [
      [
        'a row at the end',
        { 'log.csv': logFile([...logRows, 't3,2024-02-01 00:00:00,,1,new,1']) },
        /has 7 rows, and had 6/,
      ],
      [
        'a new key between others',
        { 'log.csv': logFile(withRow(logRows, 2, 't11,2024-01-02 00:00:00,,1,c,2.5')) },
        /keys, times/,
      ],
      ['a row that is gone', { 'log.csv': logFile(logRows.slice(0, -1)) }, /has 5 rows, and had 6/],
      ['another time', { 'log.csv': logFile(withRow(logRows, 2, 't2,2024-01-02 00:00:01,,1,c,2.5')) }, /keys, times/],
      [
        'another change',
        { 'log.csv': logFile(withRow(logRows, 1, 't1,2024-01-01 00:00:00,2024-01-04 00:00:00,2,b,1.5')) },
        /keys, times/,
      ],
      [
        'another sequence',
        { 'log.csv': logFile(withRow(logRows, 1, 't1,2024-01-01 00:00:00,,9,b,1.5')) },
        /keys, times/,
      ],
      ['rows in another order', { 'log.csv': logFile([...logRows].reverse()) }, /keys, times/],
      [
        'a column that becomes text',
        { 'log.csv': logFile(withRow(logRows, 1, 't1,2024-01-01 00:00:00,,2,b,none')) },
        /too many|type of a column/,
      ],
      [
        'another relation',
        { 'calls.csv': callFile(withRow(callRows, 1, '2,2024-01-03 00:00:00,t1,')) },
        /"about".*keys, times|keys, times.*"about"/,
      ],
      ['another property', { 'graph.entity.yaml': graph.replace('[text]\n', '[text, ticket]\n') }, /type of a column/],
      ['another activity name', { 'graph.entity.yaml': graph.replaceAll('Call', 'Phone') }, /has changed/],
    ] as const) {
      it(`with ${what}`, () =>
        withProject(files, async (project) => {
          await project.import();
          await project.write(change);
          assert.match(String(lastGraph(await importLikeAnew(project))), why);
          assert.equal(lastGraph(await importLikeAnew(project)), 0);
        }));
    }

    it('with too many changed values', () =>
      withProject(files, async (project) => {
        const rows = Array.from({ length: 10_001 }, (_, index) => `${index},2024-01-02 00:00:00,t1,text`);
        await project.write({ 'calls.csv': callFile(rows) });
        await project.import();
        await project.write({ 'calls.csv': callFile(rows.map((row) => `${row} changed`)) });
        assert.match(String(lastGraph(await importLikeAnew(project))), /too many rows of "Call"/);
      }));

    it('when everything is to be imported anew', () =>
      withProject(files, async (project) => {
        await project.import();
        assert.equal(lastGraph(await project.import(fullImport)), undefined);
        assert.equal(lastGraph(await importLikeAnew(project)), 0);
      }));

    it('when the last import was a slice, or its store is gone', () =>
      withProject(files, async (project) => {
        await project.import();
        await project.import({ request: { kind: 'build', sample: 1 } });
        assert.match(String(lastGraph(await importLikeAnew(project))), /missing, or its file has changed/);
        rmSync(join(graphsFolder(project), statusOf(project).store));
        assert.match(String(lastGraph(await importLikeAnew(project))), /missing, or its file has changed/);
      }));

    it('when somebody has changed its store', () =>
      withProject(files, async (project) => {
        await project.import();
        const store = await openUnpublishedStore(join(graphsFolder(project), statusOf(project).store));
        await store.run("UPDATE entity SET key = 'mine'");
        await store.close();
        assert.match(String(lastGraph(await importLikeAnew(project))), /missing, or its file has changed/);
      }));

    it('when its store is damaged, or that of another import, although its file seems to be the same', () =>
      withProject(files, async (project) => {
        await project.import();
        const write = async (change: (store: string) => Promise<void>): Promise<void> => {
          const status = statusOf(project);
          const path = join(graphsFolder(project), status.store);
          await change(path);
          const state = await storeState(path);
          writeFileSync(statusPath(project), JSON.stringify({ ...status, storeState: state }));
        };
        await write(async (path) => {
          const bytes = readFileSync(path);
          writeFileSync(path, bytes.fill(7, 8192, 8192 + 4096));
        });
        assert.match(String(lastGraph(await importLikeAnew(project))), /could not be used/);
        await write(async (path) => {
          const store = await openUnpublishedStore(path);
          await store.run("UPDATE run SET id = 'other'");
          await store.close();
        });
        assert.match(String(lastGraph(await importLikeAnew(project))), /could not be used: .*another import/);
        await write(async (path) => {
          const store = await openUnpublishedStore(path);
          await store.run('DELETE FROM entity WHERE id = 1');
          await store.close();
        });
        assert.match(String(lastGraph(await importLikeAnew(project))), /could not be used/);
        assert.equal(lastGraph(await importLikeAnew(project)), 0);
      }));

    it('when its rows were cached by another version', () =>
      withProject(files, async (project) => {
        const change = async (sql: string): Promise<void> => {
          const cache = await openUnpublishedStore(join(graphsFolder(project), 'rows.kept'));
          await cache.run(sql);
          await cache.close();
        };
        await project.import();
        await change("UPDATE kept_graph SET key = 'of an earlier version'");
        assert.match(String(lastGraph(await importLikeAnew(project))), /the program has changed/);
        await change('DROP TABLE kept_graph');
        assert.match(String(lastGraph(await importLikeAnew(project))), /no rows of the previous import/);
      }));

    it('after an import that was cancelled while it used the graph, which is there as before', () =>
      withProject(files, async (project) => {
        await project.import();
        const before = await wholeImport(project);
        await project.write({ 'calls.csv': callFile(withRow(callRows, 1, '2,2024-01-03 00:00:00,t2,hello')) });
        const cancel = new AbortController();
        const { status } = await project.import({
          signal: cancel.signal,
          onProgress: ({ message }) => {
            if (message.startsWith('Counting')) cancel.abort();
          },
        });
        assert.equal(status, 'cancelled');
        assert.deepEqual(await wholeImport(project), before);
        assert.equal(lastGraph(await importLikeAnew(project)), 1);
      }));
  });

  it('gets the values of changed parts of a data object only', () =>
    withProject(
      {
        ...files,
        'entity-sources.yaml': csvSources(', parts: { log: "part-*.csv" }'),
        'part-1.csv': logFile(logRows.slice(0, 2)),
        'part-2.csv': logFile(logRows.slice(2, 4)),
        'part-3.csv': logFile(logRows.slice(4)),
        'graph.entity.yaml': `${graphText(log)}${rules}`,
      },
      async (project) => {
        rmSync(join(project.folder, 'log.csv'));
        await project.import();
        await project.write({ 'part-2.csv': logFile(logRows.slice(2, 4).map((row) => row.replace(',d,', ',x,'))) });
        assert.equal(lastGraph(await importLikeAnew(project)), 1);
        // The same rows, in files of other lengths.
        await project.write({ 'part-2.csv': logFile(logRows.slice(2, 5)), 'part-3.csv': logFile(logRows.slice(5)) });
        assert.equal(lastGraph(await importLikeAnew(project)), 1);
      },
    ));

  describe('of a database, whose rows have no order', () => {
    let server: TestPostgres;
    before(async () => (server = await sharedPostgres()));

    const orders = (key: string): string =>
      graphText(`  - activityName: Place Order
    dataObject: orders
    key: ${key}
    entityType: order
    startTimestamp: at
    changeTimestamp: until
    properties: [id, note, amount]
    expect: { notNull: [remark] }
`);

    async function withOrders(
      key: string,
      use: (project: ImportedProject, run: (sql: string) => Promise<unknown>) => Promise<void>,
    ): Promise<void> {
      const database = await server.createDatabase();
      await server.query(
        database,
        `CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamp, until timestamp, note text, amount numeric, remark text, updated_at timestamptz);
        INSERT INTO orders SELECT i, i % 3, '2024-01-01'::timestamp + i / 2 * interval '1 hour', CASE WHEN i % 4 = 0 THEN '2024-02-01'::timestamp END, 'n' || i, i, NULL, '2024-01-01Z'::timestamptz + i * interval '1 hour' FROM generate_series(1, 40) AS i;
        ANALYZE`,
      );
      const project = {
        'entity-sources.yaml': postgresqlSources(server, database, ', watermarks: { orders: updated_at }'),
        'graph.entity.yaml': orders(key),
      };
      await withProject(project, (each) => use(each, (text) => server.query(database, text)));
    }

    let day = 0;
    const update = (what: string, id: number): string =>
      `UPDATE orders SET ${what}, updated_at = '2024-06-01Z'::timestamptz + ${++day} * interval '1 day' WHERE id = ${id}`;

    /** Imports, then everything, which must give the same. */
    async function importTwice(project: ImportedProject): Promise<ImportSummary> {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      const found = await wholeGraph(project);
      await project.import(fullImport);
      assert.deepEqual(found, await wholeGraph(project));
      return summary;
    }

    it('is used again when nothing or only values of properties have changed', () =>
      withOrders('id', async (project, run) => {
        await project.import();
        assert.equal(lastGraph(await project.import()), 0);
        await run(update("note = 'changed'", 5));
        assert.equal(lastGraph(await project.import()), 1);
        await run(`${update("note = 'again'", 6)}; ${update('amount = NULL', 7)}`);
        assert.equal(lastGraph(await importTwice(project)), 2);
        assert.deepEqual(await project.rows("SELECT count(*) FROM properties_1 WHERE note IN ('changed', 'again')"), [
          ['2'],
        ]);
      }));

    it('is built anew with new rows, other times, and rows that are gone', () =>
      withOrders('id', async (project, run) => {
        await project.import();
        for (const [sql, why] of [
          ["INSERT INTO orders VALUES (41, 1, '2024-03-01', NULL, 'new', 1, NULL, '2024-05-01Z')", /has 41 rows/],
          [update("until = '2024-03-01'", 8), /keys, times/],
          ['DELETE FROM orders WHERE id = 3', /has 40 rows/],
        ] as const) {
          await run(sql);
          assert.match(String(lastGraph(await importTwice(project))), why);
        }
      }));

    it('is built anew where the text of changed rows orders equal events, and only there', () =>
      withOrders('customer', async (project, run) => {
        await run("UPDATE orders SET at = '2024-01-01' WHERE id IN (3, 6)");
        await project.import();
        await run(update("note = 'zzz'", 6));
        assert.match(String(lastGraph(await importTwice(project))), /decide the order of equal events/);
        // Not even a property.
        await run(update("remark = 'zzz'", 3));
        assert.match(String(lastGraph(await importTwice(project))), /decide the order of equal events/);
        await run(update("note = 'zzz'", 9));
        assert.equal(lastGraph(await importTwice(project)), 1);
        // Changes of one time.
        await run("UPDATE orders SET until = '2024-02-01' WHERE id = 9");
        await project.import(fullImport);
        await run(update("note = 'aaa'", 9));
        assert.match(String(lastGraph(await importTwice(project))), /decide the order of equal events/);
      }));
  });

  const runs = soakAmount('seeds', 4, 1 / 10);

  it('equals that of a full import after any changes of rows', async () => {
    const row = fc.record({
      ticket: fc.constantFrom('t1', 't2', 't3', ''),
      day: fc.integer({ min: 1, max: 3 }),
      until: fc.constantFrom('', '2024-01-02 00:00:00', '2024-01-04 00:00:00'),
      n: fc.integer({ min: 1, max: 2 }),
      note: fc.constantFrom('a', 'b', '', '"x,y"', 'ü'),
      cost: fc.constantFrom('0.0', '-0.0', '1.5', ''),
    });
    const change = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('note' as const),
          place: fc.nat(),
          note: fc.constantFrom('b', '', 'ü'),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('cost' as const),
          place: fc.nat(),
          cost: fc.constantFrom('-0.0', '0.0', '1.5', ''),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('row' as const), place: fc.nat(), row }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), row }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }) },
    );
    const sequences = fc.record({
      start: fc.array(row, { minLength: 8, maxLength: 14 }),
      steps: fc.array(fc.array(change, { maxLength: 2 }), { minLength: 3, maxLength: 6 }),
      isInParts: fc.boolean(),
      hasSequence: fc.boolean(),
      hasChange: fc.boolean(),
    });
    let written = 0;
    await fc.assert(
      fc.asyncProperty(sequences, async ({ start, steps, isInParts, hasSequence, hasChange }) => {
        let rows = start;
        const text = (): Readonly<Record<string, string>> => {
          // A column with values of one type, whatever the others are.
          const lines = rows.map((each) =>
            [each.ticket, `2024-01-0${each.day} 00:00:00`, each.until, each.n, each.note, each.cost].join(','),
          );
          const first = 't0,2024-01-01 00:00:00,2024-01-02 00:00:00,1,first,1.5';
          if (!isInParts) return { 'log.csv': logFile([first, ...lines]) };
          return { 'log-1.csv': logFile([first, ...lines.slice(0, 5)]), 'log-2.csv': logFile(lines.slice(5)) };
        };
        const element = log
          .replace(hasSequence ? '' : '    sequence: n\n', '')
          .replace(hasChange ? '' : '    changeTimestamp: until\n', '');
        const project = {
          'entity-sources.yaml': csvSources(isInParts ? ', parts: { log: "log-*.csv" }' : ''),
          'graph.entity.yaml': graphText(element),
          ...text(),
        };
        await withProject(project, async (each) => {
          await each.import();
          for (const changes of steps) {
            for (const one of changes) {
              const place = 'place' in one ? one.place % rows.length : 0;
              const old = rows[place];
              if (!old) continue;
              if (one.kind === 'note') rows = rows.with(place, { ...old, note: one.note });
              if (one.kind === 'cost') rows = rows.with(place, { ...old, cost: one.cost });
              if (one.kind === 'row') rows = rows.with(place, one.row);
              if (one.kind === 'add') rows = [...rows, one.row];
              if (one.kind === 'remove' && rows.length > 6) rows = rows.toSpliced(place, 1);
            }
            await each.write(text());
            const found = lastGraph(await importLikeAnew(each));
            if (typeof found === 'number' && found > 0) written += 1;
          }
        });
        countSoak('seeds', 1);
      }),
      isSoak ? { numRuns: runs } : { numRuns: runs, seed: 11 },
    );
    assert.ok(written > 0, 'Never were values written.');
  });
});
