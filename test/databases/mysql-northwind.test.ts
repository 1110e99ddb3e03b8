import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { loadNorthwind } from '../support/northwind-mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { projectFolder } from '../support/vscode-host.ts';

const folder = join(projectFolder, 'samples/northwind');

describe('Northwind in MariaDB', () => {
  it('gives the same graph as in PostgreSQL, row by row', async () => {
    const postgres = await sharedPostgres();
    const original = await postgres.createDatabase();
    await postgres.loadSqlFile(original, join(folder, 'northwind.sql'));
    const mariadb = await sharedMariadb();
    const copy = await loadNorthwind(mariadb);
    const graph = await readFile(join(folder, 'northwind.entity.yaml'), 'utf8');
    const sources = (kind: string, server: typeof postgres | typeof mariadb, database: string): string =>
      `version: 1\ndataSources:\n  northwind: { kind: ${kind}, host: 127.0.0.1, port: ${server.port}, database: ${database}, user: ${server.user}, password: ${server.password} }\n`;
    const contents = async (sourcesText: string): Promise<ReadonlyMap<string, unknown>> => {
      const files = { 'entity-sources.yaml': sourcesText, 'graph.entity.yaml': graph };
      return withProject(files, async (project) => {
        const summary = await project.import();
        assert.equal(summary.status, 'imported', summary.error?.message);
        assert.ok(summary.totals.events > 4000);
        return tablesOf(project);
      });
    };
    const expected = await contents(sources('postgresql', postgres, original));
    const actual = await contents(sources('mysql', mariadb, copy));
    assert.deepEqual([...actual.keys()], [...expected.keys()]);
    for (const [table, rows] of expected) assert.deepEqual(actual.get(table), rows, table);
  });
});

/** All tables but that of the run, whose rows say when and from where. */
async function tablesOf(project: ImportedProject): Promise<ReadonlyMap<string, unknown>> {
  const tables = await project.read((store) => storedTables(store));
  const names = tables.filter(({ schema }) => schema !== 'run').map(({ name }) => name);
  const contents = new Map<string, unknown>();
  for (const name of names.toSorted()) contents.set(name, await project.rows(`SELECT * FROM ${name} ORDER BY ALL`));
  return contents;
}
