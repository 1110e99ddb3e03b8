import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDraftProject } from '../support/draft-projects.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

type Row = readonly string[];
type Tables = Readonly<Record<string, { readonly columns: readonly string[]; readonly rows: readonly Row[] }>>;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const day = (number: number): string => `2024-01-${String(1 + (number % 28)).padStart(2, '0')}`;

/**
 * More rows than a sample has. Bills refer to orders behind the sample, `other` to nothing; the number of a movement is unique in
 * the sample only.
 */
const tables: Tables = {
  orders: { columns: ['order_no', 'placed'], rows: numbers(11_000).map((id) => [`SO-${10_000 + id}`, day(id)]) },
  bills: {
    columns: ['bill_no', 'about', 'other', 'billed'],
    rows: numbers(200).map((id) => [`B-${id}`, `SO-${20_600 + id}`, `SO-${50_000 + id}`, day(id)]),
  },
  movements: {
    columns: ['movement', 'part', 'entered'],
    rows: numbers(12_000).map((id) => [`M-${Math.min(id, 11_000)}`, `P${id > 11_000 ? id : id % 7}`, day(id)]),
  },
};

function statements(text: string): readonly string[] {
  return Object.entries(tables).flatMap(([name, { columns, rows }]) => [
    `CREATE TABLE ${name} (${columns.map((column, at) => `${column} ${at === columns.length - 1 ? 'date' : text}`).join(', ')})`,
    ...Array.from({ length: Math.ceil(rows.length / 2000) }, (_, part) =>
      rows.slice(part * 2000, (part + 1) * 2000),
    ).map(
      (some) =>
        `INSERT INTO ${name} VALUES ${some.map((row) => `(${row.map((cell) => `'${cell}'`).join(', ')})`).join(', ')}`,
    ),
  ]);
}

type Place = (folder: string) => Promise<Readonly<Record<string, string | Uint8Array>>>;

const kinds: Readonly<Record<string, Place>> = {
  async csv() {
    const files = Object.entries(tables).map(([name, { columns, rows }]) => {
      const lines = [columns, ...rows].map((row) => row.join(','));
      return [`data/${name}.csv`, `${lines.join('\n')}\n`] as const;
    });
    return {
      ...Object.fromEntries(files),
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: data/*.csv }\n',
    };
  },
  async sqlite(folder) {
    createSqliteFile(join(folder, 'shop.sqlite'), statements('TEXT').join(';'));
    const file = await readFile(join(folder, 'shop.sqlite'));
    return {
      'shop.sqlite': file,
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n',
    };
  },
  async duckdb(folder) {
    await createDuckdbFile(join(folder, 'shop.duckdb'), statements('VARCHAR'));
    const file = await readFile(join(folder, 'shop.duckdb'));
    return {
      'shop.duckdb': file,
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n',
    };
  },
  async postgresql() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, statements('text').join(';'));
    return { 'entity-sources.yaml': postgresqlSources(server, database) };
  },
  async mysql() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(database, statements('varchar(20)').join(';'));
    const { host, port, user, password } = server;
    const source = `{ kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password} }`;
    return { 'entity-sources.yaml': `version: 1\ndataSources:\n  shop: ${source}\n` };
  },
};

/** docs/first-graph.md */
describe('first graphs › where samples are a part of the tables, the source counts', () => {
  for (const [kind, place] of Object.entries(kinds)) {
    it(kind, async () => {
      const folder = await folderWith({});
      try {
        await withDraftProject(await place(folder), async ({ draft }) => {
          const { graph } = await draft();
          const keys = graph.elements.map(({ dataObject, key = [] }) => [
            dataObject?.value,
            key.map(({ value }) => value).join(),
          ]);
          assert.deepEqual(Object.fromEntries(keys), {
            orders: 'order_no',
            bills: 'bill_no',
            movements: 'movement,part',
          });
          assert.deepEqual(
            graph.relationships.map(({ name }) => name?.value),
            ['bills about'],
          );
        });
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('ends when it is cancelled', async () => {
    const folder = await folderWith({});
    try {
      const files = await kinds['csv']?.(folder);
      await withDraftProject(files ?? {}, async ({ draft }) => {
        const controller = new AbortController();
        const seen: string[] = [];
        const onProgress = (message: string): void => {
          seen.push(message);
          // Each of the three tables is read once; what follows is counting.
          if (seen.length === 4) controller.abort(new Error('cancelled'));
        };
        await assert.rejects(draft({ signal: controller.signal, onProgress }), { message: 'cancelled' });
        assert.equal(seen.length, 4);
      });
    } finally {
      await removeFolder(folder);
    }
  });
});
