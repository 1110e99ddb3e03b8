import assert from 'node:assert/strict';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { withDraftProject } from '../support/draft-projects.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `00000000` is no date, and a missing time of day is midnight. */
const written = ['20240131', '20240229', '20241231', '00000000', '20240102', '20240103', '20240104'] as const;
const clocks = ['093015', '235959', '000001', '000000', '120000', '101010', '060504'] as const;

const expected = written
  .map((day, at) => [day, clocks[at] ?? ''] as const)
  .filter(([day]) => day !== '00000000')
  .map(([day, clock]) => `${day.replace(/(....)(..)(..)/, '$1-$2-$3')} ${clock.replace(/(..)(..)(..)/, '$1:$2:$3')}`)
  .toSorted();

/** Dates and times as texts, as numbers without leading zeros, and in types of their own. */
function tables(types: { readonly text: string; readonly date: string; readonly time: string }): readonly string[] {
  const rows = (value: (day: string, clock: string) => string): string =>
    written.map((day, at) => `('K${at}', ${value(day, clocks[at] ?? '')})`).join(', ');
  const typed = (day: string, clock: string): string => {
    const date = day.replace(/(....)(..)(..)/, '$1-$2-$3');
    return day === '00000000' ? 'NULL, NULL' : `'${date}', '${clock.replace(/(..)(..)(..)/, '$1:$2:$3')}'`;
  };
  return [
    `CREATE TABLE texts (text_no ${types.text}, erdat ${types.text}, erzet ${types.text})`,
    `INSERT INTO texts VALUES ${rows((day, clock) => `'${day}', '${clock}'`)}`,
    `CREATE TABLE numbers (number_no ${types.text}, udate INTEGER, utime INTEGER)`,
    `INSERT INTO numbers VALUES ${rows((day, clock) => `${Number(day)}, ${Number(clock)}`)}`,
    `CREATE TABLE typed (typed_no ${types.text}, made_on ${types.date}, made_time ${types.time})`,
    `INSERT INTO typed VALUES ${rows(typed)}`,
  ];
}

type Place = (folder: string) => Promise<string>;

const kinds: Readonly<Record<string, Place>> = {
  async sqlite(folder) {
    createSqliteFile(join(folder, 'shop.sqlite'), tables({ text: 'TEXT', date: 'DATE', time: 'TIME' }).join(';'));
    return 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n';
  },
  async duckdb(folder) {
    await createDuckdbFile(join(folder, 'shop.duckdb'), tables({ text: 'VARCHAR', date: 'DATE', time: 'TIME' }));
    return 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n';
  },
  async postgresql() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, tables({ text: 'text', date: 'date', time: 'time' }).join(';'));
    return postgresqlSources(server, database);
  },
  async mysql() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(database, tables({ text: 'varchar(20)', date: 'date', time: 'time' }).join(';'));
    const { host, port, user, password } = server;
    return `version: 1\ndataSources:\n  shop: { kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password} }\n`;
  },
};

/** docs/first-graph.md */
describe('first graphs join dates and times of day', () => {
  for (const [kind, place] of Object.entries(kinds)) {
    it(`in the SQL of ${kind}`, async () => {
      const folder = await folderWith({});
      try {
        const sources = await place(folder);
        const files: Record<string, string | Uint8Array> = { 'entity-sources.yaml': sources };
        for (const name of ['shop.sqlite', 'shop.duckdb'])
          if (sources.includes(name)) files[name] = await readFile(join(folder, name));
        await withDraftProject(files, async ({ draft, project }) => {
          const { graph, leftOut } = await draft();
          assert.deepEqual(leftOut, []);
          assert.equal(graph.elements.length, 3);
          const summary = await project.import();
          assert.equal(summary.status, 'imported', summary.error?.message);
          for (const table of ['texts', 'numbers', 'typed']) {
            const rows = await project.rows(
              `SELECT strftime(time, '%Y-%m-%d %H:%M:%S') FROM event JOIN event_entity ON event.id = event_id
               JOIN entity ON entity.id = event_entity.entity_id WHERE entity_type = '${table}' ORDER BY 1`,
            );
            assert.deepEqual(rows.flat(), expected, table);
          }
        });
      } finally {
        await removeFolder(folder);
      }
    });
  }
});
