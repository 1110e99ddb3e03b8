import assert from 'node:assert/strict';
import { join } from 'node:path';
import { compareEngines } from '../support/compare-engines.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

/** An order of events, of which some have no state. */
const rows: readonly (readonly [id: number, at: string, state: string | undefined, code: number])[] = [
  [1, '2024-01-01 00:00:00', 'New', 1],
  [1, '2024-01-02 00:00:00', 'in progress', 2],
  [1, '2024-01-03 00:00:00', 'In Progress', 2],
  [1, '2024-01-04 00:00:00', "it's \\ done", 3],
  [2, '2024-01-05 00:00:00', undefined, 1],
  [2, '2024-01-06 00:00:00', 'new', 4],
];

const element = (name: string, column: string, names: string): string =>
  `  - { activityName: ${name}, dataObject: log, entityType: ticket, key: id, startTimestamp: at, activityColumn: ${column}, activityNames: ${names}, properties: [state, code] }\n`;
const states = element(
  'Update',
  'state',
  `{ in progress: Work, In Progress: Work, "it's \\\\ done": "Say \\"it's \\\\ done\\"", New: Open, unseen: Nothing }`,
);
const codes = element('Count', 'code', '{ 1: Created, "2": Work }');
const rules = `rules:
  - { name: Work comes once, each: { activity: Open }, expect: [{ within: 1d, activity: Work }] }
`;
const graph = graphText(states + codes) + rules;

const expected = [
  ['1', 'Count', 'Created', 'New'],
  ['1', 'Count', 'Work', 'in progress'],
  ['1', 'Count', 'Work', 'In Progress'],
  ['1', 'Count', '3', "it's \\ done"],
  ['1', 'Update', 'Open', 'New'],
  ['1', 'Update', 'Work', 'in progress'],
  ['1', 'Update', 'Work', 'In Progress'],
  ['1', 'Update', `Say "it's \\ done"`, "it's \\ done"],
  ['2', 'Count', 'Created', null],
  ['2', 'Count', '4', 'new'],
  ['2', 'Update', 'Update', null],
  ['2', 'Update', 'new', 'new'],
];
const eventsSql = `SELECT key, element, activity, coalesce(one.state, other.state) FROM event JOIN entity ON entity.id = entity_id
  LEFT JOIN properties_1 AS one ON one.event_id = event.id LEFT JOIN properties_2 AS other ON other.event_id = event.id
  ORDER BY key, element, time`;

const csv = `id,at,state,code\n${rows.map((row) => row.map((cell) => cell ?? '').join()).join('\n')}\n`;
const sql = (quoted: (text: string) => string): string =>
  [
    'CREATE TABLE log (id int, at timestamp NULL, state varchar(40), code int)',
    ...rows.map(
      ([id, at, state, code]) =>
        `INSERT INTO log VALUES (${id}, '${at}', ${state === undefined ? 'NULL' : quoted(state)}, ${code})`,
    ),
  ].join(';');
const standard = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const sources = (settings: string): string => `version: 1\ndataSources:\n  shop: { ${settings} }\n`;

const kinds: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  csv: async () => csvSources(', types: { state: VARCHAR }'),
  async duckdb(folder) {
    await createDuckdbFile(join(folder, 'shop.duckdb'), sql(standard).replaceAll(' at ', ' "at" ').split(';'));
    return sources('kind: duckdb, path: shop.duckdb');
  },
  async sqlite(folder) {
    createSqliteFile(join(folder, 'shop.sqlite'), sql(standard));
    return sources('kind: sqlite, path: shop.sqlite');
  },
  async postgresql() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, sql(standard));
    return postgresqlSources(server, database);
  },
  async mysql() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(
      database,
      sql((text) => standard(text.replaceAll('\\', '\\\\'))),
    );
    const { host, port, user, password } = server;
    return sources(
      `kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password}`,
    );
  },
};

/** docs/semantics.md#55-activity-of-an-event */
describe('names of activities', () => {
  for (const [kind, prepare] of Object.entries(kinds)) {
    it(`${kind} › replace texts of the activity column, and a change of them alone is imported`, () =>
      withProject({ 'log.csv': csv }, async (project) => {
        const plain = graph.replaceAll(/, activityNames: \{.*\}(?=, properties)/g, '');
        assert.ok(!plain.includes('activityNames'));
        await project.write({ 'entity-sources.yaml': await prepare(project.folder), 'graph.entity.yaml': plain });
        const before = await project.import();
        assert.equal(before.status, 'imported', before.error?.message);
        assert.deepEqual(
          (await project.rows(eventsSql)).map(([, , activity, state]) => [activity, state]).slice(4, 8),
          rows.slice(0, 4).map(([, , state]) => [state, state]),
        );
        await project.write({ 'graph.entity.yaml': graph });
        const after = await project.import();
        assert.equal(after.status, 'imported', after.error?.message);
        assert.deepEqual(await project.rows(eventsSql), expected);
        // The map, and rules, have the new names.
        assert.deepEqual(
          await project.rows(
            "SELECT DISTINCT activity FROM directly_follows JOIN event ON event.id = target_event_id WHERE activity IN ('Work', 'in progress') ORDER BY 1",
          ),
          [['Work']],
        );
        assert.deepEqual(
          after.rules?.map(({ name, concerned, kept }) => [name, concerned, kept]),
          [['Work comes once', 1, 1]],
        );
        await project.write({ 'graph.entity.yaml': plain });
        await project.import();
        assert.notDeepEqual(await project.rows(eventsSql), expected);
      }));
  }

  it('postgresql › are those of a graph built inside the source, as in the embedded engine', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, sql(standard));
    await compareEngines(server, database, graph, '', true);
  });
});
