import pg from 'pg';
import { loadSqlText } from './load-sql-text.ts';
import { readSqlFile } from './read-sql-file.ts';
import { type PostgresOptions, type PostgresServer, startServer } from './postgres-server.ts';
import { refuseForShared, serverOfRun } from './server-of-run.ts';

/** A server with PostgreSQL's protocol. */
export interface PostgresAccess {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Runs SQL on a separate connection; of several statements, returns the rows of the last. */
  query(database: string, sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** A real PostgreSQL on a free loopback port, its data in a temporary folder; the user is a superuser. */
export interface TestPostgres extends PostgresAccess {
  /** `postgresql://…/postgres`, for tools that take one. */
  readonly adminUrl: string;
  /** The connection string of a database. */
  url(database: string): string;
  /** Creates an empty database (a fresh name when none is given) and returns its name. */
  createDatabase(name?: string): Promise<string>;
  /** Runs a script of pg_dump (plain or `.gz`), including `COPY … FROM stdin` sections. */
  loadSqlFile(database: string, path: string): Promise<void>;
  /** Stops the server like a crash, keeping its data. */
  halt(): Promise<void>;
  /** The same, blocking this process until the server has ended. */
  haltNow(): void;
  /** Restarts it after `halt`: same data, same port. */
  startAgain(): Promise<void>;
  /** Stops the server and deletes its data; idempotent. */
  stop(): Promise<void>;
}

/** Starts a separate server; prefer `sharedPostgres`, which is started once. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  return testServer(await startServer(options));
}

function testServer(server: PostgresServer): TestPostgres {
  const url = (database: string): string => urlOf(server, database);
  const access = accessTo(server);
  const { query } = access;
  const names = freshNames();
  return {
    ...access,
    adminUrl: url('postgres'),
    url,
    async createDatabase(name = names()) {
      await query('postgres', `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      return name;
    },
    async loadSqlFile(database, path) {
      const text = await readSqlFile(path);
      await withClient(url(database), (client) => loadSqlText(client, text));
    },
    halt: () => server.halt(),
    haltNow: () => server.haltNow(),
    startAgain: () => server.startAgain(),
    stop: () => server.stop(),
  };
}

/** An existing server. */
export function accessTo({ host, port, user, password }: Omit<PostgresAccess, 'query'>): PostgresAccess {
  const query: PostgresAccess['query'] = (database, sql, values = []) =>
    withClient(urlOf({ host, port, user, password }, database), async (client) => {
      const result: pg.QueryResult | pg.QueryResult[] = await client.query(
        sql,
        values.length ? [...values] : undefined,
      );
      return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
    });
  return { host, port, user, password, query };
}

function urlOf({ host, port, user, password }: Omit<PostgresAccess, 'query'>, database: string): string {
  return `postgresql://${user}:${password}@${host}:${port}/${database}`;
}

/**
 * The server shared by all test processes of a run. Of a file that runs alone: started on first use, stopped after the
 * last file (of scripts/test-worker.mjs, or of mocha) or by the caller (benches). Every test creates its own database;
 * the names of users are unique, too.
 */
export const sharedPostgres = shareServer();

function shareServer(): () => Promise<TestPostgres> {
  let running: Promise<TestPostgres> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  // Benches use this module without mocha.
  afterAllFiles?.(async () => (await running)?.stop());
  return () => (running ??= useOrStart());
}

async function useOrStart(): Promise<TestPostgres> {
  const shared = await serverOfRun<PostgresServer>('postgresql');
  if (shared === undefined) return startPostgres();
  const refuse = refuseForShared;
  return testServer({ ...shared, halt: refuse, haltNow: refuse, startAgain: refuse, stop: async () => undefined });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function freshNames(): () => string {
  let last = 0;
  return () => `test_${process.pid}_${++last}`;
}
