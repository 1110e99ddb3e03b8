import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnector } from '../support/create-connector.ts';
import { withDraftProject } from '../support/draft-projects.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const table = [
  `CREATE TABLE orders (id INTEGER PRIMARY KEY, placed TIMESTAMP)`,
  `INSERT INTO orders VALUES (1, '2024-01-01 10:00:00')`,
];
/** A view whose rows have no end, and one that never has its first row. */
const views = {
  sqlite: [
    `CREATE VIEW numbers AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id FROM n`,
    `CREATE VIEW counted AS SELECT count(*) AS c, 'x' AS note FROM numbers`,
  ],
  duckdb: [
    `CREATE VIEW numbers AS SELECT range AS id FROM range(9000000000000000000)`,
    `CREATE VIEW counted AS SELECT sum(hash(id)) AS c, 'x' AS note FROM numbers`,
  ],
};
type Kind = keyof typeof views;

async function withEndless<T>(kind: Kind, use: (folder: string, file: string) => Promise<T>): Promise<T> {
  const folder = await folderWith({});
  const file = `shop.${kind}`;
  try {
    const statements = [...table, ...views[kind]];
    if (kind === 'sqlite') createSqliteFile(join(folder, file), statements.join(';\n'));
    else await createDuckdbFile(join(folder, file), statements);
    return await use(folder, file);
  } finally {
    await removeFolder(folder);
  }
}

describe('views without end', () => {
  for (const kind of ['sqlite', 'duckdb'] as const) {
    it(`of ${kind} have their columns in the catalog, with a warning, and previews of their first rows`, async () => {
      await withEndless(kind, async (folder, path) => {
        const source = dataSource('shop', { kind, path, statementTimeout: '3s' });
        const connector = await createConnector(source, { folder, ...noSecrets });
        try {
          const { objects, warnings } = await connector.describe({});
          assert.deepEqual(
            objects.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
            [
              ['counted', ['c', 'note']],
              ['numbers', ['id']],
              ['orders', ['id', 'placed']],
            ],
          );
          assert.deepEqual(objects[1]?.columns[0]?.samples, kind === 'sqlite' ? ['1', '2', '3'] : ['0', '1', '2']);
          assert.deepEqual(warnings, [
            'The first rows of counted of shop took too long: it has no example values, and types are those that need none.',
          ]);
          const of = (sql: string, dataObject: string) => ({
            ...{ dialect: kind, sql, columns: [], dataObjects: [dataObject], fragments: [], references: [] },
          });
          const { rows, truncated } = await connector.preview(of('SELECT id FROM numbers', 'numbers'), { limit: 2 });
          assert.deepEqual([rows.length, truncated], [2, true]);
          await assert.rejects(connector.preview(of('SELECT c FROM counted', 'counted'), { limit: 2 }), {
            code: 'statement-timeout',
          });
        } finally {
          await connector.close();
        }
      });
    });

    it(`of ${kind} do not keep a first graph from its end`, async () => {
      await withEndless(kind, async (folder, path) => {
        const files = {
          [path]: await readFile(join(folder, path)),
          'entity-sources.yaml': `version: 1\ndataSources:\n  shop: { kind: ${kind}, path: ${path}, statementTimeout: 3s }\n`,
        };
        await withDraftProject(files, async ({ draft }) => {
          const { graph } = await draft({ objects: ['orders', 'numbers', 'counted'] });
          const [placed] = graph.elements;
          assert.equal(placed?.dataObject?.value, 'orders');
        });
      });
    });
  }
});
