import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { type MariadbOptions, type MariadbServer, startMariadbServer } from './mariadb-server.ts';
import { refuseForShared, serverOfRun } from './server-of-run.ts';

/** A real MariaDB on a free loopback port, its data in a temporary folder; the user may do everything. */
export interface TestMariadb extends MariadbServer {
  /** Runs one or several statements on a separate connection; returns the rows of the last. */
  query(database: string, sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Creates an empty database (a fresh name when none is given) and returns its name. */
  createDatabase(name?: string): Promise<string>;
}

/** Starts a separate server; prefer `sharedMariadb`, which is started once. */
export async function startMariadb(options: MariadbOptions = {}): Promise<TestMariadb> {
  return testServer(await startMariadbServer(options), ofThisProcess);
}

/** Test processes share a server. */
const ofThisProcess = `test_${process.pid}`;

/** The server of `npm run try-server -- mysql://…`. Its databases are dropped in the end. */
function serverAt(address: string): TestMariadb {
  const { hostname: host, port, username, password } = new URL(address);
  const refuse = (): Promise<never> => Promise.reject(new Error('A server of the user is not stopped.'));
  const access = {
    ...{ host, port: Number(port || 3306), socket: '', halt: refuse, stop: async () => undefined },
    ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
  const server = testServer(access, `entity_graph_try_${process.pid}`);
  const created: string[] = [];
  return {
    ...server,
    async createDatabase(name) {
      const database = await server.createDatabase(name);
      created.push(database);
      return database;
    },
    async stop() {
      for (const database of created) await server.query('', `DROP DATABASE \`${database}\``);
    },
  };
}

function testServer(server: MariadbServer, prefix: string): TestMariadb {
  const { host, port, user, password } = server;
  const query: TestMariadb['query'] = async (database, sql, values = []) => {
    const access = { host, port, user, password, ...(database !== '' && { database }) };
    const connection = await createConnection({ ...access, multipleStatements: true, charset: 'utf8mb4' });
    try {
      const [rows] = await connection.query<RowDataPacket[] | RowDataPacket[][]>(sql, [...values]);
      const last = Array.isArray(rows) ? rows.at(-1) : undefined;
      return (Array.isArray(last) ? last : Array.isArray(rows) ? rows : []) as Record<string, unknown>[];
    } finally {
      await connection.end();
    }
  };
  let last = 0;
  return {
    ...server,
    query,
    async createDatabase(name = `${prefix}_${++last}`) {
      await query('', `CREATE DATABASE \`${name}\``);
      return name;
    },
  };
}

/** The server shared by all test processes of a run, as `sharedPostgres` is. */
export const sharedMariadb = shareServer();

function shareServer(): () => Promise<TestMariadb> {
  let running: Promise<TestMariadb> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  // Benches use this module without mocha.
  afterAllFiles?.(async () => (await running)?.stop());
  return () => (running ??= useOrStart());
}

async function useOrStart(): Promise<TestMariadb> {
  const named = process.env['ENTITY_GRAPH_MYSQL'];
  if (named !== undefined) return serverAt(named);
  const shared = await serverOfRun<MariadbServer>('mariadb');
  if (shared === undefined) return startMariadb();
  return testServer({ ...shared, halt: refuseForShared, stop: async () => undefined }, ofThisProcess);
}
