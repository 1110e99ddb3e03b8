import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, importGraph, queryDuckDb } from './samples-import.ts';

/** Tables that name neither the source nor the time of the import. */
const compared = ['entity', 'event', 'event_entity', 'relation', 'directly_follows', 'process_map'];

/** docs/sqlite.md, docs/duckdb.md */
describe('Northwind as a file gives the graph of Northwind in PostgreSQL', () => {
  let folder = '';
  let server: TestPostgres;
  let env: Readonly<Record<string, string>> = {};
  let expected: ReadonlyMap<string, readonly string[]>;

  before(async () => {
    folder = await copySample('northwind');
    server = await sharedPostgres();
    env = await loadSampleDatabase(server);
    expected = await graphOf(await readFile(join(folder, 'entity-sources.yaml'), 'utf8'));
  });
  after(() => removeFolder(folder));

  /** The rows of each table as texts. */
  async function graphOf(sources: string): Promise<ReadonlyMap<string, readonly string[]>> {
    await writeFile(join(folder, 'entity-sources.yaml'), sources);
    const { store } = await importGraph(join(folder, 'northwind.entity.yaml'), { env });
    const tables = new Map<string, readonly string[]>();
    for (const table of compared) {
      const rows = await queryDuckDb(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${table} ORDER BY ALL`, store);
      assert.ok(rows.length > 0, `${table} is empty`);
      tables.set(
        table,
        rows.map((row) => JSON.stringify(row)),
      );
    }
    return tables;
  }

  /** The tables of the database with their rows as literals. */
  async function* tables() {
    const names = await server.query(
      'northwind',
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    );
    for (const { name } of names) {
      const columns = await server.query(
        'northwind',
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = '${String(name)}' ORDER BY ordinal_position`,
      );
      const keys = await server.query(
        'northwind',
        `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
         WHERE i.indisprimary AND i.indrelid = 'public.${String(name)}'::regclass ORDER BY array_position(i.indkey::int2[], a.attnum)`,
      );
      const literals = columns.map((column) => literalOf(String(column['name']), String(column['type'])));
      const rows = await server.query(
        'northwind',
        `SELECT concat_ws(', ', ${literals.join(', ')}) AS row FROM ${String(name)}`,
      );
      yield {
        name: String(name),
        columns: columns.map((column) => ({ name: String(column['name']), type: String(column['type']) })),
        key: keys.map((key) => String(key['name'])),
        rows: rows.map(({ row }) => `(${String(row)})`),
      };
    }
  }

  it('as an SQLite file', async () => {
    const statements: string[] = [];
    for await (const { name, columns, key, rows } of tables()) {
      const definitions = columns.map((column) => `"${column.name}" ${sqliteTypes[column.type] ?? 'TEXT'}`);
      statements.push(`CREATE TABLE "${name}" (${[...definitions, `PRIMARY KEY (${key.join(', ')})`].join(', ')})`);
      if (rows.length > 0) statements.push(`INSERT INTO "${name}" VALUES ${rows.join(', ')}`);
    }
    createSqliteFile(join(folder, 'northwind.sqlite'), statements.join(';\n'));
    const graph = await graphOf('version: 1\ndataSources:\n  northwind: { kind: sqlite, path: northwind.sqlite }\n');
    assert.deepEqual(graph, expected);
  });

  it('as a DuckDB file', async () => {
    const statements: string[] = [];
    for await (const { name, columns, key, rows } of tables()) {
      const definitions = columns.map(
        (column) => `"${column.name}" ${column.type === 'bytea' ? 'VARCHAR' : column.type}`,
      );
      statements.push(`CREATE TABLE "${name}" (${[...definitions, `PRIMARY KEY (${key.join(', ')})`].join(', ')})`);
      if (rows.length > 0) statements.push(`INSERT INTO "${name}" VALUES ${rows.join(', ')}`);
    }
    await createDuckdbFile(join(folder, 'northwind.duckdb'), statements);
    const graph = await graphOf('version: 1\ndataSources:\n  northwind: { kind: duckdb, path: northwind.duckdb }\n');
    assert.deepEqual(graph, expected);
  });
});

const sqliteTypes: Readonly<Record<string, string>> = {
  smallint: 'INTEGER',
  integer: 'INTEGER',
  real: 'REAL',
  date: 'DATE',
};

/** SQL of a column's value as a literal that both engines read. */
function literalOf(column: string, type: string): string {
  const text = type === 'bytea' ? `encode("${column}", 'hex')` : `"${column}"::text`;
  const isNumber = /int|real|numeric|double/.test(type);
  return `coalesce(${isNumber ? text : `'''' || replace(${text}, '''', '''''') || ''''`}, 'NULL')`;
}
