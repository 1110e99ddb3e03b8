import assert from 'node:assert/strict';
import { join } from 'node:path';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import { runCommand } from '../support/run-command.ts';
import { compareEngines } from '../support/compare-engines.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import {
  type ImportedProject,
  csvSources,
  graphText,
  postgresqlSources,
  withGraph,
  withProject,
} from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { tablesBesideRun } from '../support/tables-of-store.ts';

/** The same three moments on the clocks of Berlin and of UTC: in the gap of March, the overlap of October, and summer. */
const tables: Readonly<Record<string, readonly (readonly string[])[]>> = {
  calls: [
    ['1', '2024-03-31 02:30:00', '2024-03-31 03:45:00'],
    ['2', '2024-10-27 02:30:00', '2024-10-27 03:30:00'],
    ['3', '2024-07-01 12:00:00', '2024-07-01 13:00:00'],
  ],
  notes: [
    ['1', '2024-03-31 01:30:00', '2024-03-31 01:30:00'],
    ['2', '2024-10-27 00:30:00', '2024-10-27 00:30:00'],
    ['3', '2024-07-01 10:00:00', '2024-07-01 10:00:00'],
  ],
  rates: [
    ['1', '2024-03-31 02:30:00', '2024-07-01 00:00:00'],
    ['2', '2024-07-01 12:00:00', '2024-10-27 02:30:00'],
  ],
};

/** Calls and rates are those of Berlin, notes of UTC. @param berlin `timeZone` of the first, @param utc of notes */
const graph = (berlin: string, utc: string): string =>
  graphText(
    `  - { activityName: Call, dataObject: calls, key: id, startTimestamp: began, endTimestamp: later, ${berlin} properties: [began], correlatesWith: [{ entityType: rate, key: began, qualifier: at }] }
  - { activityName: Note, dataObject: notes, key: id, startTimestamp: began, changeTimestamp: later, ${utc} properties: [later] }
`,
    `  - { name: same time, source: Call, target: Note, mappings: [{ source: began, target: began }] }
  - { name: other time, source: Call, target: Note, mappings: [{ source: began, operator: "!=", target: began }] }
  - { name: earlier, source: Note, target: Call, mappings: [{ source: began, operator: <, target: later }] }
  - { name: called, source: Rate, target: Call, mappings: [{ source: began, target: began }] }
  - { name: twice, source: Call, target: Call, mappings: [{ source: began, operator: <, target: began }] }
  - { name: through notes, source: Rate, target: Note, path: [called, same time] }
`,
  ).replace(
    'relationships:',
    `entities:\n  - { name: Rate, entityType: rate, dataObject: rates, key: began, validFrom: later, ${berlin} properties: [id, later] }\nrelationships:`,
  );

const ofSource = graph('', 'timeZone: UTC,');
const ofEntries = graph('timeZone: Europe/Berlin,', 'timeZone: UTC,');

interface Kind {
  readonly name: string;
  /** Writes the tables into the folder or a new database; resolves to the sources file with these settings of a data source. */
  prepare(folder: string): Promise<(settings: string) => string>;
}

const sqlTables = (type: string): readonly string[] =>
  Object.entries(tables).flatMap(([name, rows]) => [
    `CREATE TABLE ${name} (id int, began ${type}, later ${type})`,
    ...rows.map(([id = '', ...times]) => `INSERT INTO ${name} VALUES (${id}, '${times.join("', '")}')`),
  ]);

const sources = (settings: string): string => `version: 1\ndataSources:\n  shop: { ${settings} }\n`;

const kinds: readonly Kind[] = [
  {
    name: 'csv',
    // Columns of undeclared types are compared by the texts of their cells.
    prepare: async () => (settings) => csvSources(`, types: { began: TIMESTAMP, later: TIMESTAMP }${settings}`),
  },
  {
    name: 'duckdb',
    async prepare(folder) {
      await createDuckdbFile(join(folder, 'shop.duckdb'), sqlTables('TIMESTAMP'));
      return (settings) => sources(`kind: duckdb, path: shop.duckdb${settings}`);
    },
  },
  {
    name: 'sqlite',
    async prepare(folder) {
      createSqliteFile(join(folder, 'shop.sqlite'), sqlTables('DATETIME').join(';'));
      return (settings) => sources(`kind: sqlite, path: shop.sqlite${settings}`);
    },
  },
  {
    name: 'postgresql',
    async prepare() {
      const server = await sharedPostgres();
      const database = await server.createDatabase();
      await server.query(database, sqlTables('timestamp').join(';'));
      return (settings) => postgresqlSources(server, database, settings);
    },
  },
  {
    name: 'mysql',
    async prepare() {
      const server = await sharedMariadb();
      const database = await server.createDatabase();
      await server.query(database, sqlTables('DATETIME(6)').join(';'));
      const { host, port, user, password } = server;
      return (settings) =>
        sources(
          `kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password}${settings}`,
        );
    },
  },
];

const csvFiles = Object.fromEntries(
  Object.entries(tables).map(([name, rows]) => [
    `${name}.csv`,
    ['id,began,later', ...rows.map((row) => row.join())].join('\n'),
  ]),
);

function wholeGraph(project: Pick<ImportedProject, 'read'>): Promise<unknown> {
  return project.read(async (store) => {
    const found: Record<string, unknown> = {};
    for (const name of await tablesBesideRun(store)) {
      found[name] = (await store.table(`SELECT * FROM ${name} ORDER BY ALL`)).rows;
    }
    return found;
  });
}

const berlin = ', timeZone: Europe/Berlin';
const newYork = ', timeZone: America/New_York';

/** docs/semantics.md#82-times-without-zone */
describe('the time zone of an element and of an entry of entities', () => {
  for (const { name, prepare } of kinds) {
    it(`${name} › gives the graph that the same zone of the data source gives`, () =>
      withProject(csvFiles, async (project) => {
        const sourcesOf = await prepare(project.folder);
        await project.write({ 'entity-sources.yaml': sourcesOf(berlin), 'graph.entity.yaml': ofSource });
        const first = await project.import();
        assert.equal(first.status, 'imported', first.error?.message);
        assert.deepEqual(
          await project.rows(
            "SELECT activity, lifecycle, strftime(time, '%m-%d %H:%M') FROM event WHERE lifecycle = 'start' ORDER BY activity, event.id",
          ),
          [
            ['Call', 'start', '03-31 01:30'],
            ['Call', 'start', '07-01 10:00'],
            ['Call', 'start', '10-27 00:30'],
            ['Note', 'start', '03-31 01:30'],
            ['Note', 'start', '07-01 10:00'],
            ['Note', 'start', '10-27 00:30'],
          ],
        );
        const pairs = Object.fromEntries(first.relationships.map((each) => [each.name, each.pairs]));
        assert.deepEqual(pairs, {
          'same time': 3,
          'other time': 6,
          earlier: 6,
          called: 2,
          twice: 3,
          'through notes': 2,
        });
        const expected = await wholeGraph(project);

        // Rows that are kept are not those of another zone.
        await project.write({ 'entity-sources.yaml': sourcesOf(newYork) });
        await project.import();
        assert.notDeepEqual(await wholeGraph(project), expected);
        await project.write({ 'graph.entity.yaml': ofEntries });
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(await wholeGraph(project), expected);

        // And back, by the field alone.
        await project.write({ 'graph.entity.yaml': ofSource });
        await project.import();
        assert.notDeepEqual(await wholeGraph(project), expected);
      }));

    it(`${name} › is that of the rows of Test Query`, () =>
      withProject(csvFiles, async (project) => {
        const sourcesOf = await prepare(project.folder);
        const context = { ...noSecrets, workspaceFolderOf: () => project.folder, readSecret: async () => 'postgres' };
        const rowsOf = async (settings: string, text: string): Promise<unknown> => {
          await project.write({ 'entity-sources.yaml': sourcesOf(settings), 'graph.entity.yaml': text });
          const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), context);
          const found = [];
          for (const target of [
            { kind: 'element', name: 'Call' },
            { kind: 'element', name: 'Note' },
            { kind: 'entities', name: 'Rate' },
            { kind: 'relationship', name: 'same time' },
            { kind: 'relationship', name: 'called' },
          ] as const) {
            found.push((await testQuery(file, target, context)).rows.map((row) => JSON.stringify(row)).toSorted());
          }
          return found;
        };
        const expected = await rowsOf(berlin, ofSource);
        assert.match(JSON.stringify(expected), /2024-10-27T00:30:00/);
        assert.deepEqual(await rowsOf(newYork, ofEntries), expected);
        assert.notDeepEqual(await rowsOf(newYork, ofSource), expected);
      }));
  }

  it('sqlite › is that of texts without offset beside texts with one', async () => {
    const element =
      '  - { activityName: Call, dataObject: calls, key: id, startTimestamp: began, timeZone: Asia/Tokyo }\n';
    await withGraph({ 'graph.entity.yaml': graphText(element) }, async (project) => {
      createSqliteFile(
        join(project.folder, 'shop.sqlite'),
        "CREATE TABLE calls (id INTEGER, began TEXT); INSERT INTO calls VALUES (1, '2024-07-01 12:00:00'), (2, '2024-07-01T12:00:00+02:00')",
      );
      await project.write({ 'entity-sources.yaml': sources(`kind: sqlite, path: shop.sqlite${berlin}`) });
      await project.import();
      assert.deepEqual(await project.rows("SELECT strftime(time, '%d %H:%M') FROM event ORDER BY id"), [
        ['01 03:00'],
        ['01 10:00'],
      ]);
    });
  });

  it('postgresql › is that of a graph built inside the source, as in the embedded engine', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, sqlTables('timestamp').join(';'));
    await compareEngines(server, database, ofEntries, newYork, true);
    await compareEngines(server, database, graph('timeZone: Asia/Kolkata,', ''), berlin);
  });

  it('sqlite › is that of rows which two texts read in one query', () => {
    const texts = (zone: string, most: number): string =>
      graphText(
        `  - { activityName: Call, dataObject: calls, entityType: moment, key: began, startTimestamp: began, timeZone: ${zone}, where: "id <= ${most}" }
  - { activityName: Note, dataObject: notes, entityType: moment, key: began, startTimestamp: began, timeZone: UTC }\n`,
      );
    return withProject({ 'base.yaml': texts('Europe/Berlin', 3) }, async (project) => {
      createSqliteFile(join(project.folder, 'shop.sqlite'), sqlTables('DATETIME').join(';'));
      await project.write({ 'entity-sources.yaml': sources(`kind: sqlite, path: shop.sqlite${newYork}`) });
      const changesTo = async (text: string): Promise<unknown> => {
        await project.write({ 'graph.entity.yaml': text });
        const args = ['effect', 'graph.entity.yaml', '--base', 'base.yaml', '--total', '--format', 'json'];
        const { code, stdout } = await runCommand([...args, '--workspace', project.folder], project.folder);
        assert.equal(code, 0, stdout);
        const { events = [], entities = [] } = (JSON.parse(stdout) as GraphEffect).changes ?? {};
        return [...events, ...entities].map(({ name, before, after }) => [name, before, after]);
      };
      // Calls and notes of one moment are one entity, which stays.
      assert.deepEqual(await changesTo(texts('Europe/Berlin', 2)), [['Call', 3, 2]]);
      assert.deepEqual(await changesTo(texts('Asia/Tokyo', 2)), [
        ['Call', 3, 2],
        ['moment', 3, 5],
      ]);
    });
  });

  it('is that of each data source of a graph', async () => {
    const split = ofEntries
      .replace('dataObject: notes', 'dataSource: archive, dataObject: notes')
      .replaceAll(/ {2}- \{ name: (?:called|through notes).*\n/g, '');
    const zones = (shop: string, archive: string): string =>
      `version: 1\ndataSources:\n  shop: { kind: csv, path: "*a*s.csv", types: { began: TIMESTAMP, later: TIMESTAMP }${shop} }\n  archive: { kind: csv, path: notes.csv, types: { began: TIMESTAMP, later: TIMESTAMP }${archive} }\n`;
    const graphs: unknown[] = [];
    for (const [shop, archive] of [
      [berlin, ''],
      [newYork, berlin],
      ['', newYork],
    ] as const) {
      await withGraph(
        { ...csvFiles, 'entity-sources.yaml': zones(shop, archive), 'graph.entity.yaml': split },
        async (project) => {
          const { status, error, relationships } = await project.import();
          assert.equal(status, 'imported', error?.message);
          assert.equal(relationships.find((each) => each.name === 'same time')?.pairs, 3);
          graphs.push(await wholeGraph(project));
        },
      );
    }
    assert.deepEqual(graphs[1], graphs[0]);
    assert.deepEqual(graphs[2], graphs[0]);
  });
});
