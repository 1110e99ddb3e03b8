import type { Connector } from '../../server/src/connectors/connector.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { sharedMariadb } from './mariadb.ts';
import { mysqlConnector, mysqlQuery } from './mysql-source.ts';
import { sharedPostgres } from './postgres.ts';
import { compiledQuery, postgresqlConnector } from './postgresql-source.ts';

/** A database of one source kind, as the connector contract tests use it: a column of their table of cases. */
export interface ContractDatabase {
  readonly kind: string;
  /** Starts what is needed, and creates an empty database. */
  start(): Promise<StartedDatabase>;
  /** SQL that differs from kind to kind. */
  readonly sql: ContractSql;
}

export interface StartedDatabase {
  /** Runs statements in the database, past the connector. */
  run(sql: string): Promise<void>;
  connector(settings?: Readonly<Record<string, unknown>>): Promise<Connector>;
  /** How many statements with this comment run now; undefined where nothing runs outside of this process. */
  running(comment: string): Promise<number | undefined>;
}

export interface ContractSql {
  query(sql: string): CompiledQuery;
  quote(name: string): string;
  /** A type with room for any text. */
  readonly text: string;
  /** A table `n` with a column `i` of the numbers from 1. */
  numbers(count: number): string;
  /** A SELECT that takes about a minute; undefined where no function waits. */
  readonly slow: string | undefined;
  /** What tries to write, each as a core SELECT. */
  readonly writes: readonly string[];
  /** Settings under which no connector can connect, with the code of the failure. */
  readonly unreachable: readonly (readonly [settings: Readonly<Record<string, unknown>>, code: string])[];
}

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
        const sql = `SELECT FROM pg_stat_activity WHERE query LIKE '%/* ${comment} */%' AND pid <> pg_backend_pid() AND state = 'active'`;
        return (await server.query(database, sql)).length;
      },
    };
  },
  sql: {
    query: compiledQuery,
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    text: 'text',
    numbers: (count) => `CREATE TABLE n AS SELECT i FROM generate_series(1, ${count}) AS i`,
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
        const sql = `SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO LIKE '%/* ${comment} */%' AND ID <> CONNECTION_ID()`;
        return (await server.query(database, sql)).length;
      },
    };
  },
  sql: {
    query: mysqlQuery,
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    text: 'longtext',
    numbers: (count) => `CREATE TABLE n (i int) AS SELECT seq AS i FROM seq_1_to_${count}`,
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

/** A new kind of database is one entry here. */
export const contractDatabases: readonly ContractDatabase[] = [postgresql, mysql];
