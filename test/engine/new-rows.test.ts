import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { beforeStatements } from '../support/at-statement.ts';
import { importLikeAnew, previousGraph, wholeImport, wholeStore } from '../support/like-anew.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { countSoak, isSoak, soakAmount } from '../support/soak.ts';
import { fullImport } from '../support/whole-graph.ts';

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
`;
const about = `  - { name: about, source: Call, target: Update Ticket, correlate: both, mappings: [{ source: ticket, target: ticket }] }\n`;
const logHeader = 'ticket,at,until,n,note,cost\n';
const callHeader = 'id,at,ticket,text\n';
const fileOf = (header: string, rows: readonly string[]): string =>
  `${header}${rows.map((row) => `${row}\n`).join('')}`;
const logRows = ['t1,2024-01-01 00:00:00,2024-01-05 00:00:00,1,a,0.0', 't3,2024-01-02 00:00:00,,2,b,1.5'];
const callRows = ['1,2024-01-02 00:00:00,t1,hello', '3,2024-01-03 00:00:00,t3,'];
const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(log + calls, about),
  'log.csv': fileOf(logHeader, logRows),
  'calls.csv': fileOf(callHeader, callRows),
};

describe('new rows in the graph of the previous import', () => {
  const withRows = (log: readonly string[], calls: readonly string[] = []): Readonly<Record<string, string>> => ({
    'log.csv': fileOf(logHeader, [...logRows, ...log]),
    'calls.csv': fileOf(callHeader, [...callRows, ...calls]),
  });

  for (const [what, log, calls] of [
    ['an event of an existing entity, after all others', ['t1,2024-02-01 00:00:00,,1,new,1'], []],
    ['an event of an existing entity, before all others', ['t1,2023-02-01 00:00:00,2024-02-01 00:00:00,1,new,1'], []],
    ['an event of a new entity, after all others', ['t4,2024-02-01 00:00:00,,1,new,1'], []],
    ['an event of a new entity, between others', ['t2,2024-01-02 00:00:00,2024-01-02 00:00:00,1,new,1'], []],
    ['events of one time', ['t1,2024-01-02 00:00:00,2024-01-05 00:00:00,,,', 't1,2024-01-02 00:00:00,,2,,'], []],
    ['a row of a new entity without a start', ['t2,,,1,new,1'], []],
    ['a row without a key', [',2024-01-02 00:00:00,,1,new,1'], []],
    ['a row of another element', [], ['2,2024-01-01 12:00:00,t3,x']],
    ['rows of several elements', ['t2,2024-01-03 00:00:00,,1,new,1'], ['2,2024-01-03 00:00:00,t2,x', '4,,t1,x']],
  ] as const) {
    it(what, () =>
      withProject(files, async (project) => {
        await project.import();
        await project.write(withRows(log, calls));
        assert.equal(previousGraph(await importLikeAnew(project)), log.length + calls.length);
        assert.equal(previousGraph(await importLikeAnew(project)), 0);
        await project.write(withRows([...log, 't1,2024-03-01 00:00:00,2024-03-02 00:00:00,1,more,1'], calls));
        assert.equal(previousGraph(await importLikeAnew(project)), 1);
      }),
    );
  }

  it('are added together with changed values', () =>
    withProject(files, async (project) => {
      await project.import();
      await project.write({
        'log.csv': fileOf(logHeader, [
          logRows[0]?.replace(',a,', ',changed,') ?? '',
          ...logRows.slice(1),
          't1,2024-01-01 00:00:00,,1,a,1',
        ]),
        'calls.csv': fileOf(
          callHeader,
          callRows.map((row) => row.replace('hello', 'changed')),
        ),
      });
      assert.equal(previousGraph(await importLikeAnew(project)), 3);
    }));

  it('are added if there is master data, whose properties get the new ids of entities', () =>
    withProject(
      {
        ...files,
        'graph.entity.yaml': `${graphText(log + calls, about)}`.replace(
          'relationships',
          `entities:
  - { entityType: ticket, dataObject: tickets, key: id, properties: [name] }
  - { entityType: customer, dataObject: customers, key: id, validFrom: since, properties: [name] }
relationships`,
        ),
        'tickets.csv': 'id,name\nt1,One\nt2,Two\nt9,Nine\n',
        'customers.csv': 'id,since,name\n1,2024-01-01 00:00:00,Ann\n1,2024-02-01 00:00:00,Anna\n',
      },
      async (project) => {
        await project.import();
        for (const more of [['t2,2024-01-02 00:00:00,,1,new,1'], ['t2,2024-01-02 00:00:00,,1,new,1', 't0,,,1,new,1']]) {
          await project.write(withRows(more));
          assert.equal(previousGraph(await importLikeAnew(project)), 1);
        }
      },
    ));

  it('are not added if custom SQL gives keys a collation, because other keys are equal then', () =>
    withProject(
      {
        ...files,
        // Rows of custom SQL that names tables are kept only beside another data source.
        'entity-sources.yaml': `${csvSources()}  phone: { kind: csv, path: calls.csv }\n`,
        'graph.entity.yaml': `${graphText(log + calls.replace('    dataObject', '    dataSource: phone\n    dataObject'))}entities:
  - entityType: ticket
    dataObject: customers
    joins: JOIN (SELECT id, name COLLATE NOCASE AS name FROM customers) AS named ON named.id = customers.id
    key: named.name
    properties: [id]
`,
        'customers.csv': 'id,name\n1,T1\n2,t7\n',
      },
      async (project) => {
        await project.import();
        await project.write(withRows(['t2,2024-02-01 00:00:00,,1,new,1']));
        const summary = await project.import();
        assert.match(String(previousGraph(summary)), /keys have a collation/);
      },
    ));

  /**
   * Columns with types, the number of rows and a hash of them for each table, with their order where it matters. Deleted
   * rows leave gaps in `rowid`.
   */
  const tableHashes = ({ read }: ImportedProject): Promise<unknown> =>
    read(async (store) => {
      const names = await store.query(
        "SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE table_name NOT IN ('run', 'map_duration') ORDER BY ALL",
      );
      const tables: Record<string, unknown> = {};
      for (const { schema, name } of names) {
        const table = `"${String(schema)}"."${String(name)}"`;
        const rows = ['entity', 'coded_event'].includes(String(name))
          ? `SELECT row_number() OVER () AS place, * FROM ${table}`
          : `FROM ${table}`;
        tables[table] = [
          await store.query(`SELECT count(*) AS rows, sum(hash(rows)) AS hash FROM (${rows}) AS rows`),
          await store.query(`DESCRIBE ${table}`),
        ];
      }
      return tables;
    });

  it('are added after and between others in several row groups', () => {
    const count = 130_000;
    const rows = Array.from({ length: count }, (_, index) => {
      const time = (minutes: number): string =>
        new Date(Date.UTC(2024, 0, 1, 0, minutes)).toISOString().slice(0, 19).replace('T', ' ');
      const until = index % 3 === 0 ? time(index + 90) : '';
      return `t${(index * 7919) % 5000},${time(index)},${until},${index % 4},note ${index % 100},${index}.5`;
    });
    const project = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(log.replace('    entityType', '    activityColumn: note\n    entityType')),
    };
    const minutes = (day: string): string => `2024-03-${day} 00:00:00`;
    return withProject({ ...project, 'log.csv': fileOf(logHeader, rows) }, async (each) => {
      await each.import();
      for (const added of [
        [`t7,${minutes('31')},,1,note 1,1.5`],
        // Ids of all entities and of the last events change: 130,000 minutes end on 31 March.
        [`s0,${minutes('28')},${minutes('29')},1,note 1,1.5`, `t1,${minutes('30')},${minutes('30')},,,`],
      ]) {
        rows.push(...added);
        await each.write({ 'log.csv': fileOf(logHeader, rows) });
        assert.equal(previousGraph(await importLikeAnew(each, tableHashes)), added.length);
      }
    });
  });

  describe('are added to elements with', () => {
    const withText = logRows.map((row) => row.replace(/,([12]),/, (_, n: string) => `,n${n},`));
    const withTimes = logRows.map((row) => row.replace(/,([12]),/, (_, n: string) => `,2024-05-0${n} 00:00:00,`));
    const equal = (sequence: string): readonly string[] => [
      `t2,2024-01-02 00:00:00,,${sequence},new,1.5`,
      'T3,2024-01-02 00:00:00,2024-01-02 00:00:00,,new,1.5',
    ];
    const path = `  - { name: calls again, source: Call, target: Call, correlate: none, path: [about, { relationship: about, reverse: true }] }\n`;
    for (const [what, settings, elements, relationships, before, added] of [
      ['a text sequence', '', log + calls, about, withText, equal('N1')],
      ['a sequence of times', '', log + calls, about, withTimes, equal('2024-05-01 12:00:00')],
      [
        'sequences of several kinds',
        '',
        log + calls.replace('    properties', '    sequence: text\n    properties'),
        about,
        logRows,
        equal('1'),
      ],
      ['times of another zone', ', timeZone: America/New_York', log + calls, about, logRows, equal('1')],
      ['a key of several columns', '', log.replace('key: ticket', 'key: [ticket, n]'), '', logRows, equal('1')],
      ['no properties', '', log.replace(/ {4}properties.*\n/, '') + calls, about, logRows, equal('1')],
      [
        'one entity type',
        '',
        log + calls.replace('    startTimestamp', '    entityType: ticket\n    startTimestamp'),
        '',
        logRows,
        ['3,2024-01-02 00:00:00,,1,new,1.5', '2,2024-01-02 00:00:00,,1,new,1.5'],
      ],
      ['paths', '', log + calls, about.replace('both', 'none') + path, logRows, equal('1')],
    ] as const) {
      it(what, () =>
        withProject(
          {
            ...files,
            'entity-sources.yaml': csvSources(settings),
            'graph.entity.yaml': graphText(elements, relationships),
            'log.csv': fileOf(logHeader, before),
          },
          async (project) => {
            await project.import();
            await project.write({
              'log.csv': fileOf(logHeader, [...before, ...added]),
              'calls.csv': fileOf(callHeader, [...callRows, '2,2024-01-02 00:00:00,t2,N1']),
            });
            const found = previousGraph(await importLikeAnew(project, wholeStore));
            assert.equal(found, elements.includes('calls') ? 3 : 2);
          },
        ),
      );
    }
  });

  describe('of a part of a data object', () => {
    const letters = (rows: readonly string[]): string => fileOf(logHeader, rows);
    const row = (ticket: string, day: number): string => `${ticket},2024-01-0${day} 00:00:00,,1,a,1.5`;
    const rows = [row('t1', 1), row('t1', 1), row('t3', 2), row('t3', 2)];
    const parts = (all: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(all).map(([name, each]) => [`log-${name}.csv`, letters(each)]));
    for (const [what, before, after, expected] of [
      ['are added if the part is after the others', { a: rows, c: [row('t9', 3)] }, { d: [row('t2', 2)] }, 1],
      [
        'are not added if the part is between the others',
        { a: rows, c: [row('t9', 3)] },
        { b: [row('t2', 2)] },
        /keys, times|are gone/,
      ],
      [
        'are not added if one part gets shorter and another one longer',
        { a: rows, c: [row('t9', 3)] },
        { a: rows.slice(1), c: [row('t9', 3), row('t9', 3), row('t2', 3)] },
        /keys, times|are gone/,
      ],
      [
        'are added if one part gets shorter and a new part begins with the rows that it lost',
        { a: [...rows, row('t9', 3)], c: [row('t9', 3)] },
        { a: rows, d: [row('t9', 3), row('t9', 4)] },
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
            const found = previousGraph(await importLikeAnew(project, wholeStore));
            if (typeof expected === 'number') assert.equal(found, expected);
            else assert.match(String(found), expected);
          },
        ),
      );
    }
  });

  describe('are checked by counts, before the whole graph is read', () => {
    const isReading = /COLUMNS\(\*\)\) FROM graph_copy/;
    const days = Array.from(
      { length: 10_100 },
      (_, index) => `t${index % 9},2024-01-02 00:00:${10 + (index % 49)},,1,a,1.5`,
    );
    for (const [what, activity, before, added, why] of [
      ['many events are not before the first new one', '', days, ['t1,2024-01-01 00:00:00,,1,a,1.5'], /10100 of 10100/],
      [
        'activities are new',
        '    activityColumn: note\n',
        logRows,
        ['t1,2024-03-01 00:00:00,,1,new,1.5'],
        /new activities/,
      ],
    ] as const) {
      it(`and refused if ${what}`, () =>
        withProject(
          {
            'entity-sources.yaml': csvSources(),
            'graph.entity.yaml': graphText(log.replace('    entityType', `${activity}    entityType`)),
            'log.csv': fileOf(logHeader, before),
          },
          async (project) => {
            await project.import();
            await project.write({ 'log.csv': fileOf(logHeader, [...before, ...added]) });
            const read: string[] = [];
            const note = (sql: string): void => void (isReading.test(sql) && read.push(sql));
            const summary = await beforeStatements(note, () => project.import());
            assert.match(String(previousGraph(summary)), why);
            assert.deepEqual(read, []);
          },
        ));
    }
  });

  it('are added if only rows without a key or a start have a new activity', () =>
    withProject(
      {
        ...files,
        'graph.entity.yaml': graphText(log.replace('    entityType', '    activityColumn: note\n    entityType')),
      },
      async (project) => {
        await project.import();
        await project.write(withRows([',2024-03-01 00:00:00,,1,new,1', 't1,,,1,newer,1']));
        assert.equal(previousGraph(await importLikeAnew(project)), 2);
      },
    ));

  describe('lead to a full build', () => {
    const added = withRows(['t2,2024-01-02 00:00:00,,1,new,1'], ['2,2024-01-01 12:00:00,t2,x']);
    const statement = (pattern: RegExp, act: (other: (sql: string) => Promise<unknown>) => unknown) => {
      let isDone = false;
      return async (sql: string, other: (sql: string) => Promise<unknown>): Promise<void> => {
        if (isDone || !pattern.test(sql)) return;
        isDone = true;
        await act(other);
      };
    };
    const fails = (): never => {
      throw new Error('No space is left.');
    };
    const changes = (sql: string) => (other: (sql: string) => Promise<unknown>) => other(sql);
    const rowProperties = 'graph_copy.entity_graph_storage.row_properties_1';
    for (const [what, pattern, act, why] of [
      [
        'when properties of moved events are missing',
        /^UPDATE .*row_properties_1/,
        changes(`DELETE FROM ${rowProperties} WHERE start_event_id = 3`),
        /0 rows of properties were written instead of 1/,
      ],
      [
        'when properties of new rows are not written',
        /^INSERT INTO .*row_properties_1/,
        changes(`DELETE FROM added_element_1`),
        /0 rows of properties were written instead of 1/,
      ],
      [
        'when a table that is built anew fails, after the copy has taken its place',
        /^CREATE TABLE graph\.directly_follows/,
        fails,
        /No space is left/,
      ],
      ['when a check fails', /FROM graph\.directly_follows/, fails, /No space is left/],
    ] as const) {
      it(what, () =>
        withProject(files, async (project) => {
          await project.import();
          await project.write(added);
          const summary = await beforeStatements(statement(pattern, act), () => importLikeAnew(project));
          assert.match(String(previousGraph(summary)), why);
          assert.equal(previousGraph(await importLikeAnew(project)), 0);
        }),
      );
    }
  });

  describe('in an import that fails or is cancelled', () => {
    const isOfCopy = (sql: string): boolean => /first_new|new_keys|moved_|later_steps|graph_copy/.test(sql);
    const added = withRows(
      ['t2,2024-01-02 00:00:00,,1,new,1', 't1,2024-01-01 00:00:00,,1,new,1'],
      ['2,2024-01-01 12:00:00,t2,x'],
    );
    let all = 0;

    /** Directly-follows and the process map are brought up to date, too. */
    const uncorrelated = { ...files, 'graph.entity.yaml': graphText(log + calls, about.replace('both', 'none')) };
    const withNewRows = (use: (project: ImportedProject) => Promise<void>): Promise<void> =>
      withProject(uncorrelated, async (project) => {
        await project.import();
        await project.write(added);
        await use(project);
      });
    /** Calls `act` before the statement of a number that writes into the copy, or reads it. */
    const at = <T>(number: number, act: () => void, work: () => Promise<T>): Promise<T> => {
      all = 0;
      return beforeStatements((sql) => {
        if (isOfCopy(sql) && ++all === number) act();
      }, work);
    };

    before(() =>
      withNewRows(async (project) => {
        assert.equal(
          previousGraph(
            await at(
              0,
              () => undefined,
              () => project.import(),
            ),
          ),
          3,
        );
        assert.ok(all > 40, String(all));
        statements = all;
      }),
    );
    let statements = 0;
    const places = [0.02, 0.3, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.99];

    for (const place of places) {
      it(`lead to a full build if a statement fails, at ${place}`, () =>
        withNewRows(async (project) => {
          const fail = (): void => {
            throw new Error('No space is left.');
          };
          const summary = await at(Math.ceil(place * statements), fail, () => importLikeAnew(project));
          assert.match(String(previousGraph(summary)), /could not be used: .*No space is left/);
          assert.equal(previousGraph(await importLikeAnew(project)), 0);
        }));
    }

    for (const place of [0.4, 0.6, 0.8]) {
      it(`leave the previous graph unchanged if the import is cancelled, at ${place}`, () =>
        withNewRows(async (project) => {
          const before = await project.rows('SELECT id FROM run');
          const cancel = new AbortController();
          const { status } = await at(
            Math.ceil(place * statements),
            () => cancel.abort(),
            () => project.import({ signal: cancel.signal }),
          );
          assert.equal(status, 'cancelled');
          assert.deepEqual(await project.rows('SELECT id FROM run'), before);
          assert.equal(previousGraph(await importLikeAnew(project)), 3);
        }));
    }
  });

  const runs = soakAmount('seeds', 4, 1 / 10);

  it('give the graph of a full import, for random rows', async () => {
    const row = fc.record({
      ticket: fc.constantFrom('t1', 't2', 't3', 't4', 't5', 't12', ''),
      day: fc.integer({ min: 0, max: 6 }),
      until: fc.constantFrom('', '2024-01-02 00:00:00', '2024-01-04 00:00:00', '2024-01-09 00:00:00'),
      n: fc.integer({ min: 1, max: 2 }),
      note: fc.constantFrom('a', 'b', '', 'ü'),
      isCall: fc.boolean(),
    });
    type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;
    const sequences = fc.record({
      start: fc.array(row, { minLength: 4, maxLength: 10 }),
      steps: fc.array(fc.array(row, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 5 }),
      isInParts: fc.boolean(),
      hasSequence: fc.boolean(),
      hasChange: fc.boolean(),
      hasActivity: fc.boolean(),
      correlate: fc.constantFrom('both', 'source', 'none'),
    });
    let [imports, reused] = [0, 0];
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        sequences,
        async ({ start, steps, isInParts, hasSequence, hasChange, hasActivity, correlate }) => {
          // Columns with values of one type, whatever the others are.
          const first = 't0,2024-01-01 00:00:00,2024-01-02 00:00:00,1,first,1.5';
          const logLine = ({ ticket, day, until, n, note }: Row): string =>
            [ticket, day === 0 ? '' : `2024-01-0${day} 00:00:00`, until, n, note, '2.5'].join(',');
          const callLine = ({ ticket, day, note }: Row, index: number): string =>
            [`${(index * 7) % 10}${index}`, `2024-01-0${day + 1} 00:00:00`, ticket, note].join(',');
          const text = (groups: readonly (readonly Row[])[]): Readonly<Record<string, string>> => {
            const rows = groups.flat();
            const calls = ['0,2024-01-01 00:00:00,t0,first', ...rows.filter(({ isCall }) => isCall).map(callLine)];
            const logs = groups.map((group) => group.filter(({ isCall }) => !isCall).map(logLine));
            const parts: Record<string, string> = isInParts
              ? Object.fromEntries(
                  logs.map((lines, index) => [
                    `log-${index}.csv`,
                    fileOf(logHeader, index === 0 ? [first, ...lines] : lines),
                  ]),
                )
              : { 'log.csv': fileOf(logHeader, [first, ...logs.flat()]) };
            return { ...parts, 'calls.csv': fileOf(callHeader, calls) };
          };
          const element = log
            .replace(hasSequence ? '' : '    sequence: n\n', '')
            .replace(hasChange ? '' : '    changeTimestamp: until\n', '')
            .replace('    entityType', `${hasActivity ? '    activityColumn: note\n' : ''}    entityType`);
          const project = {
            'entity-sources.yaml': csvSources(isInParts ? ', parts: { log: "log-*.csv" }' : ''),
            'graph.entity.yaml': graphText(element + calls, about.replace('both', correlate)),
            ...text([start]),
          };
          await withProject(project, async (each: ImportedProject) => {
            await each.import();
            for (let count = 1; count <= steps.length; count++) {
              await each.write(text([start, ...steps.slice(0, count)]));
              const found = previousGraph(await importLikeAnew(each));
              imports += 1;
              if (typeof found === 'number') reused += 1;
              else reasons.add(String(found));
            }
          });
          countSoak('seeds', 1);
        },
      ),
      isSoak ? { numRuns: runs } : { numRuns: runs, seed: 5 },
    );
    const share = `${reused} of ${imports} imports used the previous graph; ${[...reasons].join('; ')}`;
    console.log(`      ${share}`);
    assert.ok(reused > imports / 2, share);
  });

  it('give the graph of a full import of a database, whose rows have no order', async () => {
    const server = await sharedPostgres();
    const row = fc.record({
      customer: fc.constantFrom('1', '2', '3', '10', 'NULL'),
      at: fc.constantFrom("'2024-01-01'", "'2024-01-02'", "'2024-01-03'", 'NULL'),
      until: fc.constantFrom("'2024-01-02'", "'2024-01-05'", 'NULL'),
      note: fc.constantFrom("'a'", "'b'", 'NULL'),
    });
    const step = fc.record({
      added: fc.array(row, { minLength: 1, maxLength: 3 }),
      renoted: fc.option(fc.nat({ max: 9 }), { freq: 3 }),
    });
    const sequences = fc.record({
      start: fc.array(row, { minLength: 10, maxLength: 14 }),
      steps: fc.array(step, { minLength: 3, maxLength: 4 }),
    });
    let [imports, reused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(sequences, async ({ start, steps }) => {
        const database = await server.createDatabase();
        const run = (sql: string): Promise<unknown> => server.query(database, sql);
        let [id, marks] = [0, 0];
        const insert = ({ customer, at, until, note }: (typeof start)[number]): string =>
          `INSERT INTO orders VALUES (${++id}, ${customer}, ${at}, ${until}, ${note}, '2024-01-01Z'::timestamptz + ${++marks} * interval '1 day')`;
        await run(
          'CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamp, until timestamp, note text, updated_at timestamptz)',
        );
        await run([...start.map(insert), 'ANALYZE'].join(';'));
        const project = {
          'entity-sources.yaml': postgresqlSources(server, database, ', watermarks: { orders: updated_at }'),
          'graph.entity.yaml': graphText(
            '  - { activityName: Place Order, dataObject: orders, key: customer, startTimestamp: at, changeTimestamp: until, properties: [id, note] }\n',
          ),
        };
        await withProject(project, async (each) => {
          await each.import();
          for (const { added, renoted } of steps) {
            const mark = `updated_at = '2024-01-01Z'::timestamptz + ${++marks} * interval '1 day'`;
            const changes = renoted === null ? [] : [`UPDATE orders SET note = 'c', ${mark} WHERE id = ${renoted + 1}`];
            await run([...changes, ...added.map(insert)].join(';'));
            const summary = await each.import();
            const { graph, inOrder } = await wholeImport(each);
            await withProject(project, async (copy) => {
              await copy.import(fullImport);
              const { graph: full, inOrder: fullInOrder } = await wholeImport(copy);
              assert.deepEqual([graph, inOrder], [full, fullInOrder]);
            });
            imports += 1;
            if (typeof previousGraph(summary) === 'number') reused += 1;
          }
        });
        countSoak('seeds', 1);
      }),
      isSoak ? { numRuns: runs } : { numRuns: 3, seed: 5 },
    );
    const share = `${reused} of ${imports} imports used the previous graph`;
    console.log(`      ${share}`);
    assert.ok(reused > imports / 3, share);
  });
});
