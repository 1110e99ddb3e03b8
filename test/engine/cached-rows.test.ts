import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { filesOf, importLikeFull, rowsFromCache, wholeImport, wholeStore } from '../support/compare-with-full.ts';
import {
  type ImportedProject,
  type ReadGraph,
  csvSources,
  graphText,
  importedForSuite,
  postgresqlSources,
  withGraph,
  withProject,
} from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { countSoak, isSoak, soakAssert } from '../support/soak.ts';

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
const about = `  - { name: about, source: Call, target: Update Ticket, correlate: both, mappings: [{ source: ticket, target: ticket }] }\n`;
const entities = `entities:
  - { entityType: ticket, dataObject: tickets, key: id, properties: [name] }
  - { entityType: customer, dataObject: customers, key: id, validFrom: since, properties: [name] }
`;
const rules = `rules:
  - { name: Tickets are noted, severity: info, each: { activity: Update Ticket }, expect: [{ sql: "note <> 'x'" }] }
`;
const graph = `${graphText(log + calls, about).replace('relationships', `${entities}relationships`)}${rules}`;
const logHeader = 'ticket,at,until,n,note,cost\n';
const callHeader = 'id,at,ticket,text\n';
const fileOf = (header: string, rows: readonly string[]): string =>
  `${header}${rows.map((row) => `${row}\n`).join('')}`;
const logRows = [
  't1,2024-01-01 00:00:00,2024-01-05 00:00:00,1,a,0.0',
  't1,2024-01-01 00:00:00,,2,b,1.5',
  't3,2024-01-02 00:00:00,2024-01-02 00:00:00,1,c,2.5',
  't1,2024-01-01 00:00:00,,2,d,1.5',
  ',2024-01-03 00:00:00,,1,no key,1.5',
  't3,,,3,no start,1.5',
];
const callRows = ['1,2024-01-02 00:00:00,t1,hello', '3,2024-01-03 00:00:00,t3,', '4,2024-01-03 00:00:00,t3,hi'];
const logFile = (rows: readonly string[]) => ({ 'log.csv': fileOf(logHeader, rows) });
const callFile = (rows: readonly string[]) => ({ 'calls.csv': fileOf(callHeader, rows) });
const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  ...logFile(logRows),
  ...callFile(callRows),
  'tickets.csv': 'id,name\nt1,One\nt2,Two\nt9,Nine\n',
  'customers.csv': 'id,since,name\n1,2024-01-01 00:00:00,Ann\n1,2024-02-01 00:00:00,Anna\n',
};

describe('an import with cached rows equals a full import', () => {
  describe('of files, after', () => {
    // Each change follows the one before, which is undone.
    const project = importedForSuite(files);
    let written: Readonly<Record<string, string>> = files;
    const added = (...rows: readonly string[]) => logFile([...logRows, ...rows]);
    const changed = (place: number, row: string) => logFile(logRows.with(place, row));
    for (const [what, change] of [
      ['no change', {}],
      ['a changed property', changed(1, 't1,2024-01-01 00:00:00,,2,changed,7.5')],
      ['a property that is missing now', changed(1, 't1,2024-01-01 00:00:00,,2,,')],
      ['a changed sign of a zero', changed(0, 't1,2024-01-01 00:00:00,2024-01-05 00:00:00,1,a,-0.0')],
      ['a column that becomes text', changed(1, 't1,2024-01-01 00:00:00,,2,b,none')],
      ['another key', changed(2, 't11,2024-01-02 00:00:00,,1,c,2.5')],
      ['another time', changed(2, 't3,2024-01-02 00:00:01,,1,c,2.5')],
      ['another change', changed(1, 't1,2024-01-01 00:00:00,2024-01-04 00:00:00,2,b,1.5')],
      ['another sequence', changed(1, 't1,2024-01-01 00:00:00,,9,b,1.5')],
      ['another order of rows', logFile(logRows.toReversed())],
      ['a deleted row', logFile(logRows.slice(0, -1))],
      ['an event of an existing entity, after all others', added('t1,2024-02-01 00:00:00,,1,new,1')],
      [
        'an event of an existing entity, before all others',
        added('t1,2023-02-01 00:00:00,2024-02-01 00:00:00,1,new,1'),
      ],
      ['an event of a new entity, after all others', added('t4,2024-02-01 00:00:00,,1,new,1')],
      ['an event of a new entity, between others', added('t2,2024-01-02 00:00:00,2024-01-02 00:00:00,1,new,1')],
      ['events of one time', added('t1,2024-01-02 00:00:00,2024-01-05 00:00:00,,,', 't1,2024-01-02 00:00:00,,2,,')],
      ['a row of a new entity without a start', added('t2,,,1,new,1')],
      ['a row without a key', added(',2024-01-02 00:00:00,,1,new,1')],
      ['a new row of another element', callFile([...callRows, '2,2024-01-01 12:00:00,t3,x'])],
      ['another relation', callFile(callRows.with(1, '3,2024-01-03 00:00:00,t1,'))],
      ['values that break an expectation', callFile(callRows.with(2, '4,2024-01-03 00:00:00,t3,hello'))],
      [
        'changes of several files',
        { ...added('t2,2024-01-03 00:00:00,,1,new,1'), ...callFile(['2,2024-01-03 00:00:00,t2,x', '5,,t1,x']) },
      ],
      ['changed master data', { 'tickets.csv': 'id,name\nt1,Two\nt0,Zero\n' }],
      ['changed versions of master data', { 'customers.csv': 'id,since,name\n1,2024-01-15 00:00:00,Ann\n' }],
      ['another property of an element', { 'graph.entity.yaml': graph.replace('[text]\n', '[text, ticket]\n') }],
      ['another name of an element', { 'graph.entity.yaml': graph.replaceAll('Call', 'Phone') }],
      [
        'other descriptions, expectations and rules',
        {
          'graph.entity.yaml': graph
            .replace('name: Test', 'name: Test\ndescription: Other words')
            .replace('notNull: [text], ', '')
            .replace("note <> 'x'", "note <> 'b'"),
        },
      ],
    ] as const) {
      it(what, async () => {
        const next: Readonly<Record<string, string>> = { ...files, ...change };
        // A file that is written again counts as changed.
        await project().write(
          Object.fromEntries(Object.entries(next).filter(([name, text]) => written[name] !== text)),
        );
        written = next;
        assert.ok(rowsFromCache(await importLikeFull(project())) > 0);
      });
    }
  });

  describe('of a data object of several files, after', () => {
    const row = (ticket: string, day: number): string => `${ticket},2024-01-0${day} 00:00:00,,1,a,1.5`;
    const rows = [row('t1', 1), row('t1', 1), row('t3', 2), row('t3', 2)];
    const parts = (all: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(all).map(([name, each]) => [`log-${name}.csv`, fileOf(logHeader, each)]));
    for (const [what, before, after, cached] of [
      ['a new part behind the others', { a: rows, c: [row('t9', 3)] }, { d: [row('t2', 2)] }, 5],
      ['a new part between the others', { a: rows, c: [row('t9', 3)] }, { b: [row('t2', 2)] }, 5],
      [
        'a changed part between the others',
        { a: rows, b: [row('t2', 2)], c: [row('t9', 3)] },
        { b: [row('t2', 4)] },
        5,
      ],
      [
        'one part that gets shorter and another one that gets longer',
        { a: rows, b: [row('t5', 1)], c: [row('t9', 3)] },
        { a: rows.slice(1), c: [row('t9', 3), row('t9', 3), row('t2', 3)] },
        1,
      ],
      [
        'a part that gets shorter and a new part that begins with the rows that it lost',
        { a: [...rows, row('t9', 3)], c: [row('t9', 3)] },
        { a: rows, d: [row('t9', 3), row('t9', 4)] },
        1,
      ],
      [
        'the same rows in files of other lengths',
        { a: rows, c: [row('t9', 3)] },
        { a: rows.slice(0, 3), b: rows.slice(3) },
        1,
      ],
    ] as const) {
      it(what, () =>
        withProject(
          {
            'entity-sources.yaml': csvSources(', parts: { log: "log-*.csv" }'),
            'graph.entity.yaml': graphText(log),
            ...parts(before),
          },
          async (project) => {
            await project.import();
            await project.write(parts(after));
            assert.equal(rowsFromCache(await importLikeFull(project)), cached);
          },
        ),
      );
    }

    it('a part that is gone', () =>
      withProject(
        {
          'entity-sources.yaml': csvSources(', parts: { log: "log-*.csv" }'),
          'graph.entity.yaml': graphText(log),
          ...parts({ a: rows, b: [row('t2', 2)], c: [row('t9', 3)] }),
        },
        async (project) => {
          await project.import();
          rmSync(join(project.folder, 'log-b.csv'));
          assert.equal(rowsFromCache(await importLikeFull(project)), 5);
        },
      ));

    /** The number of rows and a hash of them for each table; with their order, for the tables that have one. */
    const tableHashes = ({ read }: ReadGraph): Promise<unknown> =>
      read(async (store) => {
        const names = await store.query(
          "SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE database_name = current_database() AND table_name <> 'run' ORDER BY ALL",
        );
        const tables: Record<string, unknown> = {};
        for (const { schema, name } of names) {
          const table = `"${String(schema)}"."${String(name)}"`;
          const rows = ['entity', 'coded_event'].includes(String(name))
            ? `SELECT rowid, * FROM ${table}`
            : `FROM ${table}`;
          tables[table] = await store.query(`SELECT count(*) AS rows, sum(hash(rows)) AS hash FROM (${rows}) AS rows`);
        }
        return tables;
      });

    it('new rows behind and between others in several row groups', () => {
      const count = 130_000;
      const time = (minutes: number): string =>
        new Date(Date.UTC(2024, 0, 1, 0, minutes)).toISOString().slice(0, 19).replace('T', ' ');
      const many = Array.from({ length: count }, (_, index) => {
        const until = index % 3 === 0 ? time(index + 90) : '';
        return `t${(index * 7919) % 5000},${time(index)},${until},${index % 4},note ${index % 100},${index}.5`;
      });
      return withProject(
        {
          'entity-sources.yaml': csvSources(', parts: { log: "log-*.csv" }'),
          'graph.entity.yaml': graphText(log.replace('    entityType', '    activityColumn: note\n    entityType')),
          ...parts({ a: many }),
        },
        async (project) => {
          await project.import();
          for (const [name, more] of [
            ['b', ['t7,2024-03-31 00:00:00,,1,note 1,1.5']],
            // Ids of all entities and of the last events change: 130,000 minutes end on 31 March.
            ['c', ['s0,2024-03-28 00:00:00,2024-03-29 00:00:00,1,note 1,1.5', 't1,2024-03-30 00:00:00,,,,']],
          ] as const) {
            await project.write(parts({ [name]: more }));
            assert.ok(rowsFromCache(await importLikeFull(project, tableHashes)) >= count);
          }
        },
      );
    });
  });

  describe('of a database, whose rows have no order, after', () => {
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

    /** The graph without places of rows, which a database may give in any order. */
    const graphOf = async (project: ReadGraph): Promise<unknown> => {
      const { graph, inOrder } = await wholeImport(project);
      return [graph, inOrder];
    };

    /** Imports, and compares with an import of all rows. @returns the number of rows from the row cache */
    async function importTwice(project: ImportedProject): Promise<number> {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      const found = await graphOf(project);
      await withGraph(
        filesOf(project),
        async (copy) => {
          await copy.import();
          assert.deepEqual(found, await graphOf(copy));
        },
        { map: true },
      );
      return rowsFromCache(summary);
    }

    const mark = "updated_at = '2024-06-01Z'::timestamptz + nextval('marks') * interval '1 day'";
    const insert = (id: number, values: string): string =>
      `INSERT INTO orders VALUES (${id}, ${values}, 'new', 1, NULL); UPDATE orders SET ${mark} WHERE id = ${id}`;
    const update = (id: number, what: string): string => `UPDATE orders SET ${what}, ${mark} WHERE id = ${id}`;
    // The newest row is always read again.
    for (const [what, key, statements, cached] of [
      ['no change', 'id', [''], 39],
      ['changed properties', 'id', [update(5, "note = 'changed'"), update(7, 'amount = NULL')], 37],
      ['a changed column that is not a property', 'customer', [update(3, "remark = 'zzz'")], 38],
      ['a changed time', 'id', [update(8, "until = '2024-03-01'")], 38],
      [
        'a changed property of one of several equal events',
        'customer',
        [update(6, "note = 'zzz', at = '2024-01-01'")],
        38,
      ],
      ['a new row', 'id', [insert(41, "1, '2024-03-01', NULL")], 39],
      [
        'new rows of existing entities and times, and one without a start',
        'customer',
        [
          insert(42, "7, '2024-01-01', '2024-02-01'"),
          insert(43, '1, NULL, NULL'),
          insert(44, "1, '2024-01-01 03:00', NULL"),
        ],
        39,
      ],
      ['a deleted row', 'id', ['DELETE FROM orders WHERE id = 3'], 0],
      [
        'a new row and a deleted one',
        'id',
        [insert(41, "1, '2024-03-01', NULL"), 'DELETE FROM orders WHERE id = 40'],
        0,
      ],
    ] as const) {
      it(what, async () => {
        const database = await server.createDatabase();
        await server.query(
          database,
          `CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamp, until timestamp, note text, amount numeric, remark text, updated_at timestamptz);
          CREATE SEQUENCE marks;
          INSERT INTO orders SELECT i, i % 3, '2024-01-01'::timestamp + i / 2 * interval '1 hour', CASE WHEN i % 4 = 0 THEN '2024-02-01'::timestamp END, 'n' || i, i, NULL, '2024-01-01Z'::timestamptz + i * interval '1 hour' FROM generate_series(1, 40) AS i;
          ANALYZE`,
        );
        const project = {
          'entity-sources.yaml': postgresqlSources(server, database, ', watermarks: { orders: updated_at }'),
          'graph.entity.yaml': orders(key),
        };
        await withProject(project, async (each) => {
          await each.import();
          await server.query(database, statements.join('; '));
          assert.equal(await importTwice(each), cached);
        });
      });
    }

    it('changes of rows with a key of several columns', async () => {
      const database = await server.createDatabase();
      await server.query(
        database,
        `CREATE TABLE lines (shop text, line int, at timestamp, note text, amount numeric, updated_at timestamptz, PRIMARY KEY (line, shop));
        INSERT INTO lines SELECT 's' || i % 4, i / 4, '2024-01-01'::timestamp + i * interval '1 hour', 'n' || i, i, '2024-01-01Z'::timestamptz + i * interval '1 hour' FROM generate_series(0, 39) AS i;
        ANALYZE`,
      );
      const project = {
        'entity-sources.yaml': postgresqlSources(server, database, ', watermarks: { lines: updated_at }'),
        'graph.entity.yaml': graphText(
          '  - { activityName: Add Line, dataObject: lines, key: [line, shop], startTimestamp: at, properties: [note, amount, shop] }\n',
        ),
      };
      await withProject(project, async (each) => {
        await each.import();
        for (const [day, [set, shop, cached]] of (
          [
            ["note = 'changed'", 's1', 38],
            ['amount = NULL', 's2', 38],
            // The cached row of the former key has no successor, so that the number of rows differs.
            ["shop = 's9'", 's0', 0],
          ] as const
        ).entries()) {
          await server.query(
            database,
            `UPDATE lines SET ${set}, updated_at = '2024-06-0${day + 1}Z'::timestamptz WHERE shop = '${shop}' AND line = 3`,
          );
          assert.equal(await importTwice(each), cached, set);
        }
      });
    });

    it('random changes', async () => {
      const row = fc.record({
        customer: fc.constantFrom('1', '2', '3', '10', 'NULL'),
        at: fc.constantFrom("'2024-01-01'", "'2024-01-02'", "'2024-01-03'", 'NULL'),
        until: fc.constantFrom("'2024-01-02'", "'2024-01-05'", 'NULL'),
        note: fc.constantFrom("'a'", "'b'", 'NULL'),
      });
      const step = fc.record({
        added: fc.array(row, { maxLength: 3 }),
        renoted: fc.option(fc.nat({ max: 9 }), { freq: 3 }),
        moved: fc.option(fc.nat({ max: 9 }), { freq: 1 }),
        removed: fc.option(fc.nat({ max: 9 }), { freq: 1 }),
      });
      const sequences = fc.record({
        start: fc.array(row, { minLength: 10, maxLength: 14 }),
        steps: fc.array(step, { minLength: 3, maxLength: 4 }),
      });
      let cached = 0;
      await soakAssert(
        fc.asyncProperty(sequences, async ({ start, steps }) => {
          const database = await server.createDatabase();
          const run = (sql: string): Promise<unknown> => server.query(database, sql);
          let [id, marks] = [0, 0];
          const next = (): string => `'2024-01-01Z'::timestamptz + ${++marks} * interval '1 day'`;
          const insertRow = ({ customer, at, until, note }: (typeof start)[number]): string =>
            `INSERT INTO orders VALUES (${++id}, ${customer}, ${at}, ${until}, ${note}, ${next()})`;
          await run(
            'CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamp, until timestamp, note text, updated_at timestamptz)',
          );
          await run([...start.map(insertRow), 'ANALYZE'].join(';'));
          const project = {
            'entity-sources.yaml': postgresqlSources(server, database, ', watermarks: { orders: updated_at }'),
            'graph.entity.yaml': graphText(
              '  - { activityName: Place Order, dataObject: orders, key: customer, startTimestamp: at, changeTimestamp: until, properties: [id, note] }\n',
            ),
          };
          await withProject(project, async (each) => {
            await each.import();
            for (const { added, renoted, moved, removed } of steps) {
              const changes = [
                ...(renoted === null
                  ? []
                  : [`UPDATE orders SET note = 'c', updated_at = ${next()} WHERE id = ${renoted + 1}`]),
                ...(moved === null
                  ? []
                  : [`UPDATE orders SET at = '2024-01-04', updated_at = ${next()} WHERE id = ${moved + 1}`]),
                ...(removed === null ? [] : [`DELETE FROM orders WHERE id = ${removed + 1}`]),
              ];
              await run([...changes, ...added.map(insertRow)].join(';'));
              const summary = await each.import();
              cached += rowsFromCache(summary);
              const found = await graphOf(each);
              await withGraph(
                project,
                async (copy) => {
                  await copy.import();
                  assert.deepEqual(found, await graphOf(copy));
                },
                { map: true },
              );
            }
          });
        }),
        1,
        1 / 2,
      );
      assert.ok(cached > 0);
    });
  });

  it('of files, after random changes', async () => {
    const row = fc.record({
      ticket: fc.constantFrom('t1', 't2', 't3', 't4', 't12', ''),
      day: fc.integer({ min: 0, max: 6 }),
      until: fc.constantFrom('', '2024-01-02 00:00:00', '2024-01-04 00:00:00', '2024-01-09 00:00:00'),
      n: fc.integer({ min: 1, max: 2 }),
      note: fc.constantFrom('a', 'b', '', '"x,y"', 'ü'),
      // Without -0.0: compressed columns may lose the sign of a zero.
      cost: fc.constantFrom('0.0', '2.5', '1.5', ''),
      isCall: fc.boolean(),
    });
    type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;
    const change = fc.oneof(
      fc.record({ kind: fc.constant('row' as const), place: fc.nat(), row }),
      fc.record({ kind: fc.constant('note' as const), place: fc.nat(), row }),
      fc.record({ kind: fc.constant('add' as const), place: fc.nat(), row }),
      fc.record({ kind: fc.constant('remove' as const), place: fc.nat(), row }),
    );
    const sequences = fc.record({
      start: fc.array(row, { minLength: 6, maxLength: 14 }),
      steps: fc.array(fc.array(change, { maxLength: 4 }), { minLength: 3, maxLength: 6 }),
      isInParts: fc.boolean(),
      hasSequence: fc.boolean(),
      hasChange: fc.boolean(),
      hasActivity: fc.boolean(),
      correlate: fc.constantFrom('both', 'source', 'none'),
    });
    let cached = 0;
    await soakAssert(
      fc.asyncProperty(
        sequences,
        async ({ start, steps, isInParts, hasSequence, hasChange, hasActivity, correlate }) => {
          // Columns with values of one type, whatever the others are.
          const first = 't0,2024-01-01 00:00:00,2024-01-02 00:00:00,1,first,1.5';
          const logLine = ({ ticket, day, until, n, note, cost }: Row): string =>
            [ticket, day === 0 ? '' : `2024-01-0${day} 00:00:00`, until, n, note, cost].join(',');
          const callLine = ({ ticket, day, note }: Row, index: number): string =>
            [`${(index * 7) % 10}${index}`, `2024-01-0${day + 1} 00:00:00`, ticket, note].join(',');
          const text = (rows: readonly Row[]): Readonly<Record<string, string>> => {
            const lines = [first, ...rows.filter(({ isCall }) => !isCall).map(logLine)];
            const others = rows.filter(({ isCall }) => isCall).map(callLine);
            return {
              ...(isInParts
                ? { 'log-1.csv': fileOf(logHeader, lines.slice(0, 4)), 'log-2.csv': fileOf(logHeader, lines.slice(4)) }
                : logFile(lines)),
              ...callFile(['0,2024-01-01 00:00:00,t0,first', ...others]),
            };
          };
          const element = log
            .replace(hasSequence ? '' : '    sequence: n\n', '')
            .replace(hasChange ? '' : '    changeTimestamp: until\n', '')
            .replace('    entityType', `${hasActivity ? '    activityColumn: note\n' : ''}    entityType`);
          const project = {
            'entity-sources.yaml': csvSources(isInParts ? ', parts: { log: "log-*.csv" }' : ''),
            'graph.entity.yaml': graphText(element + calls, about.replace('both', correlate)),
            ...text(start),
          };
          await withProject(project, async (each) => {
            await each.import();
            let rows: readonly Row[] = start;
            let written = rows;
            for (const changes of steps) {
              for (const { kind, place: any, row: other } of changes) {
                const place = any % rows.length;
                const old = rows[place];
                if (kind === 'add' || !old) rows = [...rows, other];
                else if (kind === 'remove') rows = rows.toSpliced(place, 1);
                else rows = rows.with(place, kind === 'row' ? other : { ...old, note: other.note, cost: other.cost });
              }
              // A file that is written again counts as changed.
              const [before, now] = [text(written), text(rows)];
              const changedFiles = Object.entries(now).filter(([name, content]) => before[name] !== content);
              await each.write(Object.fromEntries(changedFiles));
              written = rows;
              cached += rowsFromCache(await importLikeFull(each));
            }
          });
        },
      ),
      1,
      1 / 2,
    );
    assert.ok(cached > 0);
  });

  it('after imports that were cancelled at any moment, which leave the published graph as it is', () =>
    withProject(files, async (project) => {
      await project.import();
      const stateOf = (): unknown => {
        const status = JSON.parse(readFileSync(join(project.folder, '.entity-graph/state/graph.json'), 'utf8')) as {
          readonly store: string;
          readonly imported: string;
        };
        const { size, mtimeMs, ino } = statSync(join(project.folder, '.entity-graph/graphs/graph', status.store));
        return [status.store, status.imported, size, mtimeMs, ino];
      };
      const before = stateOf();
      const graphBefore = await wholeStore(project);
      await project.write(callFile(callRows.with(1, '3,2024-01-03 00:00:00,t3,hello')));
      let isCancelled = true;
      let last = 0;
      for (let at = 1; isCancelled; at += isSoak ? 1 : 3) {
        const cancel = new AbortController();
        last = 0;
        const { status } = await project.import({
          signal: cancel.signal,
          onProgress: () => {
            last += 1;
            if (last === at) cancel.abort();
          },
        });
        isCancelled = status === 'cancelled';
        if (!isCancelled) continue;
        assert.deepEqual(stateOf(), before, `after message ${at}`);
        countSoak();
      }
      assert.ok(last > 5);
      assert.notDeepEqual(await wholeStore(project), graphBefore);
      assert.ok(rowsFromCache(await importLikeFull(project)) > 0);
    }));
});
