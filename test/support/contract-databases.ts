import { join } from 'node:path';
import { noSecrets } from './no-secrets.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { quoteIdentifier } from '../../server/src/query/quote.ts';
import { type ContractDatabase, strangeTable } from './contract-database.ts';
import { createConnector } from './create-connector.ts';
import { createDuckdbFile, runElsewhere } from './duckdb-file.ts';
import { sharedMariadb } from './mariadb.ts';
import { mysqlConnector, mysqlQuery } from './mysql-source.ts';
import { sharedPostgres } from './postgres.ts';
import { compiledQuery, dataSource, postgresqlConnector } from './postgresql-source.ts';
import { createSqliteFile } from './sqlite-database.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';

const ofServers = [
  [{ port: 1 }, 'source-unreachable'],
  [{ user: 'nobody' }, 'authentication-failed'],
  [{ password: 'wrong' }, 'authentication-failed'],
  [{ database: 'no_such_database' }, 'source-config'],
] as const;

const postgresql: ContractDatabase = {
  kind: 'postgresql',
  async start() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    return {
      run: async (sql) => void (await server.query(database, sql)),
      connector: (settings = {}) => postgresqlConnector(server, database, { settings }),
      async running(comment) {
        const sql = `SELECT FROM pg_stat_activity WHERE query LIKE '%/* ${comment} */%' AND datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'`;
        return (await server.query(database, sql)).length;
      },
    };
  },
  sql: {
    query: compiledQuery,
    quote: quoteIdentifier,
    text: 'text',
    numbers: (count) => `CREATE TABLE n AS SELECT i FROM generate_series(1, ${count}) AS i`,
    repeat: (text, count) => `REPEAT('${text}', ${count})`,
    slow: 'SELECT pg_sleep(60)::text AS a',
    writes: [
      `SELECT lo_create(0)`,
      `SELECT 1) AS q; COMMIT; CREATE TABLE hacked (); SELECT * FROM (SELECT 1`,
      `WITH w AS (INSERT INTO n VALUES (0) RETURNING i) SELECT i FROM w`,
    ],
    unreachable: ofServers,
  },
};

const mysql: ContractDatabase = {
  kind: 'mysql',
  async start() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(
      database,
      'CREATE FUNCTION add_row() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO n VALUES (0); RETURN 1; END',
    );
    return {
      run: async (sql) => void (await server.query(database, sql)),
      connector: (settings = {}) => mysqlConnector(server, database, { settings }),
      async running(comment) {
        const sql = `SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO LIKE '%/* ${comment} */%' AND DB = DATABASE() AND ID <> CONNECTION_ID()`;
        return (await server.query(database, sql)).length;
      },
    };
  },
  sql: {
    query: mysqlQuery,
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    text: 'longtext',
    // MySQL has no table of numbers, and limits recursion to 1000 rows.
    numbers: (count) =>
      `CREATE TABLE n (i int) AS WITH RECURSIVE d (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM d WHERE i < 99)
       SELECT a.i * 100 + b.i + 1 AS i FROM d AS a CROSS JOIN d AS b WHERE a.i * 100 + b.i < ${count} ORDER BY 1`,
    repeat: (text, count) => `REPEAT('${text}', ${count})`,
    slow: 'SELECT SLEEP(60) AS a',
    writes: [
      'SELECT add_row() AS a',
      'SELECT 1 AS a) AS q; COMMIT; CREATE TABLE hacked (a int); SELECT * FROM (SELECT 1 AS a',
      `SELECT i FROM n INTO OUTFILE '/tmp/entity-graph-hacked'`,
      `SELECT i INTO @a FROM n`,
    ],
    unreachable: ofServers,
  },
};

const ofFiles = [
  [{ path: 'nowhere' }, 'file-missing'],
  [{ path: 'empty' }, 'file-malformed'],
  [{ path: 'text' }, 'file-malformed'],
] as const;

/** A folder with files that are not databases, and a database that `createFile` makes. */
async function startFile(kind: string, createFile: (path: string) => Promise<void>) {
  const folder = await folderWith({ empty: '', text: 'id,name\n1,Ann\n' });
  const path = join(folder, 'shop');
  await createFile(path);
  return {
    path,
    connector: (settings: Readonly<Record<string, unknown>> = {}) =>
      createConnector(dataSource('shop', { kind, path, ...settings }), { folder, ...noSecrets }),
    running: async () => undefined,
    stop: () => removeFolder(folder),
  };
}

const sqlite: ContractDatabase = {
  kind: 'sqlite',
  async start() {
    // Only in this mode can others write while rows are read.
    const create = async (path: string): Promise<void> => createSqliteFile(path, 'PRAGMA journal_mode = WAL');
    const { path, ...started } = await startFile('sqlite', create);
    return { ...started, run: async (sql) => createSqliteFile(path, sql) };
  },
  sql: {
    query: (sql) => userQuery('sqlite', sql),
    quote: quoteIdentifier,
    text: 'text',
    repeat: (text, count) => `replace(printf('%.*c', ${count}, 'x'), 'x', '${text}')`,
    numbers: (count) =>
      `CREATE TABLE n (i int); WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < ${count}) INSERT INTO n SELECT i FROM r`,
    slow: 'WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) AS a FROM r',
    writes: [
      'SELECT 1 AS a) AS q; CREATE TABLE hacked (a int); SELECT * FROM (SELECT 1 AS a',
      'INSERT INTO n VALUES (0) RETURNING i',
      `SELECT load_extension('hacked') AS a`,
      `SELECT writefile('/tmp/entity-graph-hacked', 'a') AS a`,
    ],
    unreachable: ofFiles,
  },
};

const duckdb: ContractDatabase = {
  kind: 'duckdb',
  async start() {
    const { path, ...started } = await startFile('duckdb', (file) => createDuckdbFile(file, []));
    return { ...started, run: (sql) => runElsewhere(path, sql) };
  },
  sql: {
    query: (sql) => userQuery('duckdb', sql),
    quote: quoteIdentifier,
    text: 'text',
    repeat: (text, count) => `repeat('${text}', ${count})`,
    numbers: (count) => `CREATE TABLE n AS SELECT CAST(range AS integer) AS i FROM range(1, ${count + 1})`,
    slow: 'SELECT count(*) AS a FROM range(10000000) AS a(i), range(10000000) AS b(i) WHERE a.i + b.i < 0',
    writes: [
      'SELECT 1 AS a) AS q; CREATE TABLE hacked (a int); SELECT * FROM (SELECT 1 AS a',
      'INSERT INTO n VALUES (0) RETURNING i',
      `COPY n TO '/tmp/entity-graph-hacked'`,
      `SELECT * FROM read_csv('/etc/passwd')`,
    ],
    unreachable: ofFiles,
    locksWriters: true,
    stagesAtOnce: true,
  },
};

/** SQL of a user over the tables of the cases that it names. */
function userQuery(dialect: string, sql: string): CompiledQuery {
  const named = contractTables.filter((table) => new RegExp(`\\b${table}\\b`).test(sql));
  const dataObjects = sql.includes(strangeTable.replaceAll('"', '""')) ? [...named, strangeTable] : named;
  const range = { start: 0, end: sql.length };
  const source = { value: sql, range, sourceOffsets: [...sql, ''].map((_, index) => index) };
  return { dialect, sql, columns: [], dataObjects, fragments: [{ offset: 0, source }], references: [] };
}

/** The tables of the cases. */
const contractTables = ['n', 'parent', 'child', 'notes', 'changing'];

/** A new kind of database is one entry here. */
export const contractDatabases: readonly ContractDatabase[] = [postgresql, mysql, sqlite, duckdb];
