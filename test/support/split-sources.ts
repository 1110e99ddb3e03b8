import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { createDuckdbFile } from './duckdb-file.ts';
import { type ImportedProject, withProject } from './import-text.ts';
import { sharedMariadb } from './mariadb.ts';
import type { TestPostgres } from './postgres.ts';
import { createSqliteFile } from './sqlite-database.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';

/** A graph as data; the data objects are tables of one database. */
export interface SplitGraph {
  readonly elements: readonly SplitEntry[];
  readonly entities?: readonly SplitEntry[];
  readonly relationships: readonly (Readonly<Record<string, unknown>> & { readonly crossTable?: SplitEntry })[];
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
}

type SplitEntry = Readonly<Record<string, unknown>> & { readonly dataObject: string };

/** A table of the database, for kinds that get a copy of it. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Values as PostgreSQL prints them. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Puts copies of tables into a data source of one kind: the settings of that source, and the files it needs. */
export interface SplitKind {
  source(
    tables: readonly CopiedTable[],
    server: TestPostgres,
  ): Promise<{
    readonly settings: Readonly<Record<string, unknown>>;
    readonly files: Readonly<Record<string, string | Uint8Array>>;
  }>;
}

/** The kinds over which graphs are split: one more kind is one more entry. */
export const splitKinds: Readonly<Record<string, SplitKind>> = {
  postgresql: {
    async source(tables, server) {
      return { settings: databaseSettings(server, await createTables(server, tables)), files: {} };
    },
  },
  mysql: {
    async source(tables) {
      const mariadb = await sharedMariadb();
      const database = await mariadb.createDatabase();
      await mariadb.query(database, tables.map(mysqlText).join('\n'));
      const { host, port, user, password } = mariadb;
      return { settings: { kind: 'mysql', host, port, database, user, password }, files: {} };
    },
  },
  duckdb: {
    async source(tables) {
      const folder = await folderWith({});
      try {
        const path = join(folder, 'tables.duckdb');
        await createDuckdbFile(path, tables.flatMap(duckdbStatements));
        return {
          settings: { kind: 'duckdb', path: 'tables.duckdb' },
          files: { 'tables.duckdb': await readFile(path) },
        };
      } finally {
        await removeFolder(folder);
      }
    },
  },
  csv: {
    source: async (tables) => ({
      settings: {
        kind: 'csv',
        path: 'csv/*.csv',
        files: Object.fromEntries(tables.map((table) => [`${table.name}.csv`, { types: typesOf(table) }])),
      },
      files: Object.fromEntries(tables.map((table) => [`csv/${table.name}.csv`, csvText(table)])),
    }),
  },
  sqlite: {
    async source(tables) {
      const folder = await folderWith({});
      try {
        const path = join(folder, 'tables.sqlite');
        createSqliteFile(path, tables.map(sqliteText).join('\n'));
        const times = tables.flatMap(({ name, columns }) =>
          columns.flatMap(({ name: column, type }) => {
            const stored = type === 'date' ? 'date' : type.startsWith('timestamp') ? 'text' : 'none';
            return [[`${name}.${column}`, stored] as const];
          }),
        );
        return {
          settings: { kind: 'sqlite', path: 'tables.sqlite', times: Object.fromEntries(times) },
          files: { 'tables.sqlite': await readFile(path) },
        };
      } finally {
        await removeFolder(folder);
      }
    },
  },
};

/** A new database with these tables. */
export async function createTables(server: TestPostgres, tables: readonly CopiedTable[]): Promise<string> {
  const database = await server.createDatabase();
  for (const { name, columns, rows } of tables) {
    const list = columns.map((column) => `"${column.name}" ${column.type}`).join(', ');
    await server.query(database, `CREATE TABLE "${name}" (${list})`);
    const records = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column.name, row[at]])));
    const filled = `INSERT INTO "${name}" SELECT * FROM json_populate_recordset(NULL::"${name}", $1)`;
    await server.query(database, filled, [JSON.stringify(records)]);
  }
  return database;
}

/** The settings of a database of the test server. */
export function databaseSettings({ host, port, user, password }: TestPostgres, database: string) {
  return { kind: 'postgresql', host, port, database, user, password };
}

/** Reads a table with its column types. */
export async function copyTable(server: TestPostgres, database: string, name: string): Promise<CopiedTable> {
  const described = await server.query(
    database,
    'SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum',
    [name],
  );
  const columns = described.map((row) => ({ name: String(row['name']), type: String(row['type']) }));
  const list = columns.map((column) => `"${column.name}"::text AS "${column.name}"`).join(', ');
  const rows = await server.query(database, `SELECT ${list} FROM "${name}"`);
  const cell = (value: unknown): string | null => (value === null ? null : String(value));
  return { name, columns, rows: rows.map((row) => columns.map((column) => cell(row[column.name]))) };
}

const duckdbTypes: readonly (readonly [RegExp, string])[] = [
  [/^smallint$/, 'SMALLINT'],
  [/^integer$/, 'INTEGER'],
  [/^bigint$/, 'BIGINT'],
  [/^real$/, 'FLOAT'],
  [/^double precision$/, 'DOUBLE'],
  [/^numeric\((\d+),(\d+)\)$/, 'DECIMAL($1,$2)'],
  [/^boolean$/, 'BOOLEAN'],
  [/^date$/, 'DATE'],
  [/^timestamp without time zone$/, 'TIMESTAMP'],
];

function typesOf({ columns }: CopiedTable): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.map(({ name, type }) => {
      const found = duckdbTypes.find(([pattern]) => pattern.test(type));
      return [name, found ? type.replace(found[0], found[1]) : 'VARCHAR'];
    }),
  );
}

/** The types of MariaDB that hold the same values; a text is long in any case, as keys are not declared. */
const mysqlTypes: readonly (readonly [RegExp, string])[] = [
  [/^real$/, 'float'],
  [/^text$/, 'longtext'],
  [/^character varying(\(\d+\))?$/, 'longtext'],
  [/^timestamp without time zone$/, 'datetime(6)'],
];

function mysqlText(table: CopiedTable): string {
  const types = table.columns.map(({ type }) => mysqlTypes.find(([pattern]) => pattern.test(type))?.[1] ?? type);
  const rows = insertedRows(table);
  const list = table.columns.map(({ name }, at) => `\`${name}\` ${types[at]}`).join(', ');
  return `CREATE TABLE \`${table.name}\` (${list}) CHARACTER SET utf8mb4;${rows && `INSERT INTO \`${table.name}\` VALUES ${rows};`}`;
}

function duckdbStatements(table: CopiedTable): readonly string[] {
  const types = typesOf(table);
  const list = table.columns.map(({ name }) => `"${name}" ${types[name]}`).join(', ');
  const rows = insertedRows(table);
  return [`CREATE TABLE "${table.name}" (${list})`, ...(rows ? [`INSERT INTO "${table.name}" VALUES ${rows}`] : [])];
}

function sqliteText(table: CopiedTable): string {
  const list = table.columns.map(({ name, type }) => `"${name}" ${type}`).join(', ');
  const rows = insertedRows(table);
  return `CREATE TABLE "${table.name}" (${list});${rows && `INSERT INTO "${table.name}" VALUES ${rows};`}`;
}

/** The rows as the values of an INSERT; empty without rows. No text has a backslash, which MariaDB reads as an escape. */
function insertedRows({ columns, rows }: CopiedTable): string {
  const cell = (value: string | null | undefined, type: string): string => {
    if (value === null || value === undefined) return 'NULL';
    if (type === 'boolean') return value === 'true' ? '1' : '0';
    assert.ok(!value.includes('\\'), value);
    return `'${value.replaceAll("'", "''")}'`;
  };
  return rows.map((row) => `(${row.map((value, at) => cell(value, columns[at]?.type ?? '')).join(', ')})`).join(', ');
}

function csvText({ columns, rows }: CopiedTable): string {
  const cell = (value: string | null): string => (value === null ? '' : `"${value.replaceAll('"', '""')}"`);
  return [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

/** A graph with the data source of each data object, as the text of a file. */
export function splitText(graph: SplitGraph, sourceOf: (dataObject: string) => string, main: string): string {
  const placed = <Entry extends SplitEntry>(entry: Entry): Entry => {
    const dataSource = sourceOf(entry.dataObject);
    return dataSource === main ? entry : { dataSource, ...entry };
  };
  const { elements, entities, relationships, rules } = graph;
  return JSON.stringify({
    version: 1,
    dataSource: main,
    elements: elements.map(placed),
    entities: entities?.map(placed),
    relationships: relationships.map((each) =>
      each.crossTable ? { ...each, crossTable: placed(each.crossTable) } : each,
    ),
    rules: rules && rules.length > 0 ? rules : undefined,
  });
}

/** Imports a graph whose tables belong to several data sources; returns its tables and its summary. */
export async function importSplit(
  server: TestPostgres,
  database: string,
  graph: SplitGraph,
  split: Readonly<Record<string, string>>,
): Promise<SplitImport> {
  const copies = await Promise.all(Object.keys(split).map((table) => copyTable(server, database, table)));
  return importCopies(server, copies, graph, split);
}

export interface SplitImport {
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly summary: ImportSummary;
}

/** The same of tables in hand. @param made a database with all of them, in place of one that is made for the import */
export async function importCopies(
  server: TestPostgres,
  tables: readonly CopiedTable[],
  graph: SplitGraph,
  split: Readonly<Record<string, string>>,
  made?: string,
): Promise<SplitImport> {
  const kinds = new Map<string, CopiedTable[]>();
  for (const [table, kind] of Object.entries(split)) {
    kinds.set(kind, [...(kinds.get(kind) ?? []), ...tables.filter(({ name }) => name === table)]);
  }
  const sources: Record<string, unknown> = {};
  const files: Record<string, string | Uint8Array> = {};
  for (const [kind, copies] of kinds) {
    const isMade = made !== undefined && kind === 'postgresql';
    const source = isMade
      ? { settings: databaseSettings(server, made), files: {} }
      : await splitKinds[kind]?.source(copies, server);
    assert.ok(source, `There is no kind ${kind} to split over.`);
    sources[kind] = source.settings;
    Object.assign(files, source.files);
  }
  const [main = ''] = kinds.keys();
  const text = splitText(graph, (table) => split[table] ?? main, main);
  return withProject(
    {
      ...files,
      'entity-sources.yaml': JSON.stringify({ version: 1, dataSources: sources }),
      'graph.entity.yaml': text,
    },
    async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', `${JSON.stringify(summary.error)}\n${text}`);
      return { tables: await tablesOf(project), summary };
    },
  );
}

/** All rows of all tables but `run`, each table sorted. */
async function tablesOf(project: ImportedProject): Promise<ReadonlyMap<string, readonly string[]>> {
  return project.read(async (store) => {
    const found = new Map<string, readonly string[]>();
    for (const { name, schema } of await storedTables(store)) {
      if (schema === 'run') continue;
      const { rows } = await store.table(`SELECT * FROM ${name}`);
      found.set(name, rows.map((row) => JSON.stringify(row)).toSorted());
    }
    return found;
  });
}

/** Expects all tables of two graphs to be equal, row by row. */
export function assertEqualGraphs(
  actual: ReadonlyMap<string, readonly string[]>,
  expected: ReadonlyMap<string, readonly string[]>,
  hint: string,
): void {
  assert.deepEqual([...actual.keys()].toSorted(), [...expected.keys()].toSorted(), hint);
  for (const [table, rows] of expected) assert.deepEqual(actual.get(table), rows, `${table}\n${hint}`);
}
