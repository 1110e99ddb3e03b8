import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';

/** A data source with a table `orders`, whose schema is changed while an import runs. */
interface ChangingSource {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Creates tables in a project, which is in this folder. */
  create(folder: string, tables: Tables): Promise<void>;
  /** Blocks, so that the change is made between two steps of an import. */
  change(folder: string, change: Change): void;
}

/** Statements for databases, and the texts of files by their names. */
interface Tables {
  readonly sql: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** A column is dropped, renamed or retyped, or the table is dropped. */
interface Change {
  /** For databases. */
  readonly sql: readonly string[];
  /** For files: their new text; undefined deletes them. */
  readonly text: string | undefined;
  /** A part of the failure message, and the words of the graph that it marks. */
  readonly says: RegExp;
  readonly marks: string;
}

const rows = ['1,2024-01-05 10:00:00,paid', '2,2024-01-06 11:30:00,sent'];
const csv = (header: string, lines: readonly string[] = rows): string => `${[header, ...lines].join('\n')}\n`;
const original = csv('order_id,placed_at,state');
const types = { order_id: 'integer', placed_at: 'timestamp', state: 'varchar(20)' };

/** The SQL is the same for all databases. */
function tableOf(columns: Readonly<Record<string, string>>): string {
  const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `CREATE TABLE orders (${list.join(', ')})`;
}

function insertInto(table: string, values: readonly string[]): string {
  return `INSERT INTO ${table} VALUES ${values.map((row) => `('${row.replaceAll(',', "', '")}')`).join(', ')}`;
}

/**
 * A thread that runs what it is sent with a client, while this one waits. One for each kind, because loading a client
 * takes longer than what is run.
 * @param client The body of an asynchronous function `(access, statements)` that may `require` packages.
 */
function waitingClient(client: string): (access: unknown, statements: readonly string[]) => void {
  const state = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | undefined;
  return (access, statements) => {
    worker ??= new Worker(
      `const { parentPort, workerData: state } = require('node:worker_threads');
       const run = async ({ access, statements }) => {${client}};
       parentPort.on('message', async (order) => {
         const result = await run(order).then(() => 1, (error) => (console.error(error), 2));
         Atomics.store(state, 0, result);
         Atomics.notify(state, 0);
       });`,
      { eval: true, execArgv: [], workerData: state },
    );
    worker.unref();
    Atomics.store(state, 0, 0);
    worker.postMessage({ access, statements });
    Atomics.wait(state, 0, 0);
    assert.equal(Atomics.load(state, 0), 1, `failed: ${statements.join('; ')}`);
  };
}

const postgresClient = waitingClient(`
  const client = new (require('pg').Client)(access);
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();`);

const mysqlClient = waitingClient(`
  const client = await require('mysql2/promise').createConnection(access);
  for (const sql of statements) await client.query(sql);
  await client.end();`);

const kinds: Readonly<Record<string, () => Promise<ChangingSource>>> = {
  async postgresql() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    const { host, port, user, password } = server;
    const access = { host, port, user, password, database };
    return {
      settings: { kind: 'postgresql', ...access },
      create: async (_, { sql }) => void (await server.query(database, sql.join('; '))),
      change: (_, { sql }) => postgresClient(access, sql),
    };
  },
  async mysql() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    const { host, port, user, password } = server;
    const access = { host, port, user, password, database };
    const own = (sql: readonly string[]) => sql.map((each) => each.replaceAll('timestamp', 'datetime'));
    return {
      settings: { kind: 'mysql', ...access },
      create: async (_, { sql }) => void (await server.query(database, own(sql).join('; '))),
      change: (_, { sql }) => mysqlClient(access, own(sql)),
    };
  },
  async sqlite() {
    const run = (folder: string, statements: readonly string[]): void => {
      // The process that read the tables may still hold its lock for a moment.
      const database = new DatabaseSync(join(folder, 'shop.sqlite'), { timeout: 10_000 });
      for (const sql of statements) database.exec(sql);
      database.close();
    };
    return {
      settings: { kind: 'sqlite', path: 'shop.sqlite' },
      create: async (folder, { sql }) => run(folder, sql),
      change: (folder, { sql }) => run(folder, sql),
    };
  },
  async duckdb() {
    return {
      settings: { kind: 'duckdb', path: 'shop.duckdb' },
      create: (folder, { sql }) => createDuckdbFile(join(folder, 'shop.duckdb'), sql),
      change(folder, { sql }) {
        // In another process, because files are locked against other processes only.
        const script = `import duckdb from '@duckdb/node-api';
          const instance = await duckdb.DuckDBInstance.create(${JSON.stringify(join(folder, 'shop.duckdb'))});
          const connection = await instance.connect();
          for (const sql of ${JSON.stringify(sql)}) await connection.run(sql);
          connection.closeSync();
          instance.closeSync();`;
        const options = ['--input-type=module', '--eval', script];
        const { status, stderr } = spawnSync(process.execPath, options, { cwd: projectFolder, encoding: 'utf8' });
        assert.equal(status, 0, stderr);
      },
    };
  },
  async csv() {
    return {
      settings: { kind: 'csv', path: '*.csv' },
      create: (folder, { files }) => writeFiles(folder, files),
      change(folder, { text }) {
        if (text === undefined) rmSync(join(folder, 'orders.csv'));
        else writeFileSync(join(folder, 'orders.csv'), text);
      },
    };
  },
};

const recreated = (columns: Readonly<Record<string, string>>, values: readonly string[]): readonly string[] => [
  'DROP TABLE orders',
  tableOf(columns),
  insertInto('orders', values),
];

const changes: Readonly<Record<string, Change>> = {
  'a column that is read is dropped': {
    sql: ['ALTER TABLE orders DROP COLUMN state'],
    text: csv(
      'order_id,placed_at',
      rows.map((row) => row.replace(/,\w+$/, '')),
    ),
    says: /^"state" is neither a column of "orders" nor, as alias\.column, of a joined table\. Correct the name/,
    marks: 'state',
  },
  'a column that is read is renamed': {
    sql: ['ALTER TABLE orders RENAME COLUMN state TO status'],
    text: csv('order_id,placed_at,status'),
    says: /Did you mean "status"\?$/,
    marks: 'state',
  },
  'the start becomes a number': {
    sql: recreated({ ...types, placed_at: 'integer' }, ['1,20,paid', '2,30,sent']),
    text: csv('order_id,placed_at,state', ['1,20,paid', '2,30,sent']),
    says: /^"placed_at" is of type [\w()]+, which holds no time\. Choose a column with timestamps or dates\.( Times are declared in "times" of the data source\.)?$/,
    marks: 'placed_at',
  },
  'the table is gone': {
    sql: ['DROP TABLE orders'],
    text: undefined,
    says: /^"orders" is not a data object of "shop"\./,
    marks: 'orders',
  },
};

const graph = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    key: order_id
    startTimestamp: placed_at
    properties: [state]
`;

for (const [kind, prepare] of Object.entries(kinds)) {
  describe(`a source of ${kind} that changes its schema after its tables were read`, () => {
    for (const [title, change] of Object.entries(changes)) {
      it(`${title} › fails with source, place and remedy, and keeps the graph`, async () => {
        const source = await prepare();
        const sources = { version: 1, dataSources: { shop: source.settings } };
        const files = { 'entity-sources.yaml': JSON.stringify(sources), 'graph.entity.yaml': graph };
        await withProject(files, async (project) => {
          await source.create(project.folder, {
            sql: [tableOf(types), insertInto('orders', rows)],
            files: { 'orders.csv': original, 'customers.csv': 'customer_id\n1\n' },
          });
          const first = await project.import();
          assert.equal(first.status, 'imported', first.error?.message);
          const before = await contentOf(project);

          let isChanged = false;
          const { status, error } = await project.import({
            request: { kind: 'build', isFull: true },
            onProgress({ message }) {
              // All tables are read, and no row.
              if (isChanged || message !== 'Checking the entity graph') return;
              isChanged = true;
              source.change(project.folder, change);
            },
          });
          assert.ok(isChanged && error);
          assert.equal(status, 'failed');
          const { message, remedy, file, range } = error;
          const [, said = ''] =
            /^Data source shop has changed since the import read its tables: (.+)$/.exec(message) ?? [];
          assert.match(said, change.says, message);
          assert.equal(remedy, 'Adapt the entity graph, or undo the change at the source; then import again.');
          assert.equal(file, join(project.folder, 'graph.entity.yaml'));
          assert.equal(
            range && graph.split('\n')[range.start.line]?.slice(range.start.character, range.end.character),
            change.marks,
          );
          assert.deepEqual(await contentOf(project), before);
        });
      });
    }
  });
}

/** A change that no source refuses: the rows have another type than in the plan. */
interface Retyped {
  readonly sql: readonly string[];
  readonly text: string;
}

const linked = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    key: order_id
    startTimestamp: placed_at
    properties: [state]
  - { activityName: Call, dataObject: calls, key: id, startTimestamp: called }
relationships:
  - { name: about, source: Call, target: Place Order, mappings: [{ source: number, target: number }] }
`;
const wide = { ...types, number: 'integer' };
const retyped = (change: Readonly<Record<string, string>>, values: readonly string[]): Retyped => ({
  sql: recreated({ ...wide, ...change }, values),
  text: csv('order_id,placed_at,state,number', values),
});
const silent: Readonly<Record<string, Retyped>> = {
  'a property': retyped({ state: 'integer' }, ['1,2024-01-05 10:00:00,7,10', '2,2024-01-06 11:30:00,8,20']),
  'a key': retyped({ order_id: 'varchar(20)' }, ['a,2024-01-05 10:00:00,paid,10', 'A,2024-01-06 11:30:00,sent,20']),
  'a mapped column': retyped({ number: 'varchar(20)' }, [
    ...['1,2024-01-05 10:00:00,paid,10', '2,2024-01-06 11:30:00,sent,10.0', '3,2024-01-06 11:30:00,sent,x'],
  ]),
};
const orders = ['1,2024-01-05 10:00:00,paid,10', '2,2024-01-06 11:30:00,sent,20'];
const calls = ['1,2024-01-05 09:00:00,10', '2,2024-01-05 09:30:00,20'];
const linkedTables: Tables = {
  sql: [
    tableOf(wide),
    insertInto('orders', orders),
    'CREATE TABLE calls (id integer, called timestamp, number integer)',
    insertInto('calls', calls),
  ],
  files: {
    'orders.csv': csv('order_id,placed_at,state,number', orders),
    'calls.csv': csv('id,called,number', calls),
  },
};
/** The kinds whose engines compare numbers with texts, and the kinds that compare keys as text. */
const areNamed = ['mysql a key', 'sqlite a key'];

for (const [kind, prepare] of Object.entries(kinds)) {
  describe(`a source of ${kind} that changes a type after its tables were read`, () => {
    for (const [title, change] of Object.entries(silent)) {
      it(`${title} › fails by name, or gives the rows of an import after the change`, async () => {
        const source = await prepare();
        const sources = { version: 1, dataSources: { shop: source.settings } };
        const files = { 'entity-sources.yaml': JSON.stringify(sources), 'graph.entity.yaml': linked };
        await withProject(files, async (project) => {
          await source.create(project.folder, linkedTables);
          let isChanged = false;
          const during = await project.import({
            request: { kind: 'build', isFull: true },
            onProgress({ message }) {
              if (isChanged || message !== 'Checking the entity graph') return;
              isChanged = true;
              source.change(project.folder, { ...change, says: /./, marks: '' });
            },
          });
          assert.ok(isChanged);
          if (during.status === 'imported') {
            assert.ok(!areNamed.includes(`${kind} ${title}`));
            const read = await linkedContent(project);
            const after = await project.import({ request: { kind: 'build', isFull: true } });
            assert.equal(after.status, 'imported', after.error?.message);
            assert.deepEqual(read, await linkedContent(project));
            return;
          }
          const { message = '', remedy, range } = during.error ?? {};
          assert.match(message, /^Data source shop has changed since the import read its tables: "(number|order_id)" /);
          assert.match(remedy ?? '', /[Ii]mport again\.$/);
          assert.ok(range);
          const stored = await readdir(join(project.folder, '.entity-graph/graphs'), { recursive: true });
          assert.deepEqual(
            stored.filter((name) => name.endsWith('.duckdb')),
            [],
          );
        });
      });
    }
  });
}

async function linkedContent(project: ImportedProject) {
  const tables = ['event', 'entity', 'relation', 'properties_1'];
  return project.rowsOfAll(tables.map((table) => `SELECT * FROM ${table}`));
}

/** Of the graph that was published last. */
async function contentOf(project: ImportedProject) {
  const stores = await readdir(join(project.folder, '.entity-graph/graphs'), { recursive: true });
  return [stores, ...(await project.rowsOfAll(['SELECT * FROM event', 'SELECT * FROM properties_1']))];
}
