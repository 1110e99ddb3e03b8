import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { openScratch, openStore } from '../../server/src/store/duckdb-store.ts';
import { openSqliteFile } from '../../server/src/store/sqlite-file.ts';
import { exportProject } from '../support/export-project.ts';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { jsonFaults, xmlFaults } from '../support/ocel-faults.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { tablesBesideRun } from '../support/tables-of-store.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, importGraph, shortenFiles } from './samples-import.ts';

const { signal } = new AbortController();
const forms = ['ocel-json', 'ocel-xml', 'ocel-sqlite'] as const;

/** Tests one export in all aspects of its form. */
async function assertValid(path: string, form: (typeof forms)[number]): Promise<void> {
  const report = await checkFile(path, signal);
  assert.equal(report.form, form);
  assert.deepEqual(
    report.results.filter(({ ok }) => !ok),
    [],
    form,
  );
  if (form === 'ocel-json') assert.deepEqual(jsonFaults(await readFile(path, 'utf8')), []);
  if (form === 'ocel-xml') assert.deepEqual(xmlFaults(await readFile(path, 'utf8')), []);
}

async function assertExports(of: ImportedProject): Promise<void> {
  for (const form of forms) await assertValid(await exportProject(of, form, form), form);
}

/** A column of every time type of PostgreSQL, with all kinds of values. */
const timesSql = `CREATE TABLE price (id int PRIMARY KEY, at timestamptz, valid_to timestamp, ends date, seen timestamptz, note text);
  INSERT INTO price VALUES
    (1, '2024-01-01 00:00Z', 'infinity', 'infinity', 'infinity', 'a'),
    (2, '2024-01-02 00:00Z', '-infinity', '-infinity', '-infinity', 'b'),
    (3, '2024-01-03 00:00Z', '0044-03-15 12:00 BC', '0044-03-15 BC', '0044-03-15 12:00Z BC', 'c'),
    (4, '2024-01-04 00:00Z', '12024-05-06 07:08:09', '12024-05-06', '12024-05-06 07:08:09Z', 'd'),
    (5, '2024-01-05 00:00Z', '0001-01-01', '0001-01-01', '0001-01-01 00:00Z', 'e'),
    (6, '2024-01-06 00:00Z', '9999-12-31 23:59:59.999999', '9999-12-31', '9999-12-31 23:59:59.999999Z', 'f'),
    (7, '2024-01-07 00:00Z', NULL, NULL, NULL, 'g')`;

const pricesGraph = graphText(
  `  - { activityName: Set, dataObject: price, key: id, entityType: price, startTimestamp: at, properties: [valid_to, ends, seen, note] }\n`,
);

async function withPrices(use: (of: ImportedProject) => Promise<void>, more = ''): Promise<void> {
  const server = await sharedPostgres();
  const database = await server.createDatabase();
  await server.query(database, `${timesSql}; ${more}`);
  await withProject(
    { 'entity-sources.yaml': postgresqlSources(server, database), 'graph.entity.yaml': pricesGraph },
    async (of) => {
      const done = await of.import();
      assert.equal(done.status, 'imported', done.error?.message);
      await use(of);
    },
  );
}

describe('times outside the range of an export format', () => {
  /** Per event: if a time is beyond the years of a log, all times of the property are texts. Infinity is no value. */
  const said = [
    ...[3, '-0043-03-15T12:00:00.000000Z', '-0043-03-15'],
    ...[4, '12024-05-06T07:08:09.000000Z', '12024-05-06'],
    ...[5, '0001-01-01T00:00:00.000000Z', '0001-01-01'],
    ...[6, '9999-12-31T23:59:59.999999Z', '9999-12-31'],
  ];
  const texts = [0, 3, 6, 9].map((at) => said.slice(at, at + 3) as [number, string, string]);

  it('become texts of events and objects in OCEL JSON, XML and SQLite', async () => {
    await withPrices(async (of) => {
      await assertExports(of);
      interface Valued {
        readonly id: string;
        readonly attributes: readonly { readonly name: string; readonly value: string }[];
      }
      const log = JSON.parse(await readFile(join(of.folder, 'ocel-json'), 'utf8')) as {
        readonly events: readonly Valued[];
        readonly objects: readonly Valued[];
      };
      const times = (all: readonly Valued[], prefix: string): readonly (readonly string[])[] =>
        all.flatMap(({ id, attributes }) =>
          attributes
            .filter(({ name }) => name !== 'note')
            .map(({ name, value }) => [name, `e${id.slice(prefix.length)}`, value]),
        );
      const expected = texts.flatMap(([event, moment, day]) => [
        ['valid_to', `e${event}`, moment],
        ['ends', `e${event}`, day],
        ['seen', `e${event}`, moment],
      ]);
      assert.deepEqual(times(log.events, 'e'), expected);
      assert.deepEqual(times(log.objects, 'price:'), expected);
      const file = await openSqliteFile(join(of.folder, 'ocel-sqlite'), 'read');
      try {
        for (const table of ['event_Set', 'object_Price']) {
          assert.deepEqual(
            [...file.rows(`SELECT valid_to, ends, seen FROM ${table} ORDER BY ocel_id`)].map((row) =>
              Object.values(row),
            ),
            [
              ...[1, 2].map(() => [null, null, null]),
              ...texts.map(([, moment, day]) => [moment, day, moment]),
              [null, null, null],
            ],
          );
        }
      } finally {
        file.close();
      }
    });
  });

  it('become texts in the files for Neo4j', async () => {
    await withPrices(async (of) => {
      const folder = await exportProject(of, 'neo4j');
      const lines = (await readFile(join(folder, 'events_1.csv'), 'utf8')).trim().split('\n').slice(1);
      const times = lines.map((line) => line.split(',').slice(5, 8).join());
      assert.deepEqual(times, [',,', ',,', ...texts.map(([, moment, day]) => [moment, day, moment].join()), ',,']);
    });
  });

  it('are omitted if infinite, while other times of the property are exported as times', async () => {
    await withPrices(async (of) => {
      const path = join(of.folder, 'ocel-json');
      const types = async (): Promise<readonly unknown[]> => {
        await exportProject(of, 'ocel-json', 'ocel-json');
        await assertValid(path, 'ocel-json');
        const { eventTypes } = JSON.parse(await readFile(path, 'utf8')) as {
          readonly eventTypes: readonly {
            readonly attributes: readonly { readonly name: string; readonly type: string }[];
          }[];
        };
        return eventTypes.flatMap(({ attributes }) => attributes.map(({ name, type }) => `${name} ${type}`));
      };
      assert.deepEqual(await types(), ['valid_to string', 'ends string', 'seen string', 'note string']);
      await of.write({ 'graph.entity.yaml': pricesGraph.replace(' }', ', where: "id IN (1, 2, 5, 6, 7)" }') });
      assert.equal((await of.import()).status, 'imported');
      assert.deepEqual(await types(), ['valid_to time', 'ends time', 'seen time', 'note string']);
    });
  });

  it('stay unchanged in Parquet and CSV', async () => {
    await withPrices(async (of) => {
      for (const format of ['parquet', 'csv'] as const) await assertSameTables(of, format);
      const text = await readFile(join(of.folder, 'csv', 'properties_1.csv'), 'utf8');
      assert.match(text, /^1,infinity,infinity,infinity,a$/m);
    });
  });

  it('of an event: OCEL and Neo4j exports are refused, with an alternative', async () => {
    await withPrices(async (of) => {
      for (const form of [...forms, 'neo4j']) {
        await assert.rejects(exportProject(of, form, form), {
          name: 'OperationError',
          failure: {
            code: 'time-out-of-range',
            message:
              '2 events are outside the years 1 to 9999, which this form cannot say: the first is of Set, 0044-03-15 (BC) 12:00:00.',
            remedy: 'Leave these rows out with "where" and import again, or export as Parquet or CSV.',
          },
        });
      }
      await exportProject(of, 'parquet');
    }, `INSERT INTO price VALUES (8, '0044-03-15 12:00Z BC'), (9, '12024-01-01 00:00Z')`);
  });
});

/** Unusual names, and values that need escapes in one form or another. */
const nasty = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    `  - { activityName: 'Place "order" <&>', dataObject: orders, key: id, entityType: 'order ''1''', startTimestamp: at, changeTimestamp: changed, properties: [amount, paid, due, note, level, OCEL_id, 'a "b" <c>'] }
  - { activityName: place-Order, dataObject: audits, key: order, entityType: 'order ''1''', startTimestamp: at, properties: [level, note] }
  - { activityName: Win, dataObject: customers, key: [id, since], entityType: object, startTimestamp: since }
`,
    `  - { name: 'places "it" & waits', source: Win, target: 'Place "order" <&>', mappings: [{ source: id, target: customer }] }\n`,
  ),
  'orders.csv': `id,customer,at,changed,amount,paid,due,note,level,OCEL_id,"a ""b"" <c>"
1,7,2024-01-02 08:00:00,2024-01-05 08:00:00,1.5,true,2024-02-01,"a ""b"" <&>' ]]>
c\td\r\ne",3,x,y
"2"" <&",7,2024-01-03 08:00:00,,nan,false,,Ünïcode 🦆 \\ line \u0001\u0008,4,,"
"
3,7,2024-01-03 08:00:00,,-inf,,,"",4,,
`,
  'audits.csv': 'order,at,level,note\n1,2024-01-03 08:00:00,high,\n1,2024-01-04 08:00:00.123456,high, \n',
  'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-02\n',
};

describe('OCEL exports and OCEL 2.0', () => {
  it('names and values that need escaping conform', async () => {
    await withProject(nasty, async (of) => {
      const done = await of.import();
      assert.equal(done.status, 'imported', done.error?.message);
      assert.equal(done.totals.events, 8);
      await assertExports(of);
    });
  });

  it('a graph without events, and one without properties and relations, conform', async () => {
    for (const [rows, events] of [
      ['', 0],
      ['7,2024-01-01\n', 1],
    ] as const) {
      const files = {
        'entity-sources.yaml': csvSources(', types: { id: BIGINT, since: TIMESTAMP }'),
        'graph.entity.yaml': graphText(
          '  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }\n',
        ),
        'customers.csv': `id,since\n${rows}`,
      };
      await withProject(files, async (of) => {
        const done = await of.import();
        assert.deepEqual([done.status, done.totals.events], ['imported', events], done.error?.message);
        await assertExports(of);
      });
    }
  });

  const samples: readonly (readonly [sample: string, graph: string])[] = [
    ['incidents', 'incidents.entity.yaml'],
    ['incidents', 'trail.entity.yaml'],
    ['northwind', 'northwind.entity.yaml'],
  ];
  for (const [sample, graph] of samples) {
    it(`the sample ${graph} conforms`, async () => {
      const folder = await copySample(sample);
      try {
        await shortenFiles(join(folder, 'data'), 2000);
        const env = sample === 'northwind' ? await loadSampleDatabase(await sharedPostgres()) : {};
        await importGraph(join(folder, graph), { env });
        for (const form of forms) {
          const exported = await runCommand(
            ['export', graph, '--as', form, '--output', form, '--workspace', folder],
            folder,
          );
          assert.equal(exported.code, 0, exported.stderr);
          await assertValid(join(folder, form), form);
        }
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('the schema used here rejects deviations', () => {
    const event = '{"id":"e1","type":"a","time":"2024-02-29T00:00:00Z","attributes":[],"relationships":[]}';
    const log = (inner: string): string => `{"objectTypes":[],"eventTypes":[],"objects":[],"events":[${inner}]}`;
    assert.deepEqual(jsonFaults(log(event)), []);
    for (const time of [
      'infinity',
      '-43-03-15T12:00:00Z',
      '12024-01-01T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2024-01-01',
    ]) {
      assert.equal(jsonFaults(log(event.replace('2024-02-29T00:00:00Z', time))).length, 1, time);
    }
    assert.ok(jsonFaults(log(event.replace('"attributes":[]', '"attributes":[{"name":"a","value":1}]'))).length > 0);
    const xml = (inner: string): string =>
      `<log><object-types/><event-types/><objects><object id="o" type="t"><attributes/><objects><relationship object-id="o" qualifier="is"/></objects></object></objects><events>${inner}</events></log>`;
    const xmlEvent =
      '<event id="e1" type="a" time="2024-02-29T00:00:00Z"><attributes/><objects><object object-id="o" type="t" qualifier=""/></objects></event>';
    assert.deepEqual(xmlFaults(xml(xmlEvent)), []);
    for (const [from, to] of [
      ['2024-02-29T00:00:00Z', 'infinity'],
      ['object-id="o"', 'object-id="p"'],
      ['<attributes/>', ''],
      [' type="a"', ''],
      ['</event>', 'text</event>'],
      ['</event>', `</event>${xmlEvent}`],
    ] as const) {
      assert.ok(xmlFaults(xml(xmlEvent.replace(from, to))).length > 0, to);
    }
    const related = xml(xmlEvent);
    assert.deepEqual(
      xmlFaults(related.replace('<relationship object-id="o"', '<relationship object-id="p"')).length,
      1,
    );
    assert.ok(xmlFaults(related.replace('<relationship ', '<object type="t" ')).length > 0);
  });
});

/** Reads the exported files and compares every table with the store: columns, types and rows. */
async function assertSameTables(of: ImportedProject, format: 'parquet' | 'csv'): Promise<void> {
  const folder = await exportProject(of, format, format);
  const [[path] = []] = await of.rows(`SELECT path FROM duckdb_databases() WHERE path IS NOT NULL`);
  const store = await openStore(String(path));
  const scratch = await openScratch();
  try {
    await scratch.run(`ATTACH '${String(path)}' AS graph (READ_ONLY)`);
    const tables = await tablesBesideRun(store);
    assert.ok(tables.length >= 7, tables.join());
    for (const table of tables) {
      const file = `${join(folder, table)}.${format}`;
      const columns = await store.describe(`SELECT * FROM ${table}`);
      const types = columns.map(({ name, type }) => `'${name.replaceAll("'", "''")}': '${type}'`).join(', ');
      // CSV has no types: its texts must be values of the type.
      const read =
        format === 'parquet'
          ? `read_parquet('${file}')`
          : `read_csv('${file}', header = true, delim = ',', quote = '"', escape = '"', columns = {${types}}, strict_mode = false, auto_detect = false, new_line = '\\n')`;
      assert.deepEqual(await scratch.describe(`SELECT * FROM ${read}`), columns, file);
      const differing = await scratch.table(
        `(FROM ${read} EXCEPT ALL FROM graph.${table}) UNION ALL (FROM graph.${table} EXCEPT ALL FROM ${read})`,
      );
      assert.deepEqual(differing.rows, [], file);
      const [[count] = []] = (await scratch.table(`SELECT count(*)::INT FROM ${read}`)).rows;
      assert.deepEqual((await store.table(`SELECT count(*)::INT FROM ${table}`)).rows, [[count]], file);
    }
  } finally {
    await scratch.close();
    await store.close();
  }
}

describe('table exports', () => {
  for (const format of ['parquet', 'csv'] as const) {
    it(`as ${format} contain every table of the store but the run record, with all columns and rows`, async () => {
      await withProject(nasty, async (of) => {
        assert.equal((await of.import()).status, 'imported');
        await assertSameTables(of, format);
      });
    });
  }
});
