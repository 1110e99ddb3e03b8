import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { type MariadbOptions, type MariadbServer, startMariadbServer } from './mariadb-server.ts';

/** A real MariaDB on a free loopback port, its data in a temporary folder; the user may do everything. */
export interface TestMariadb extends MariadbServer {
  /** Runs one or several statements on a separate connection; returns the rows of the last. */
  query(database: string, sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Creates an empty database (a fresh name when none is given) and returns its name. */
  createDatabase(name?: string): Promise<string>;
}

/** Starts a separate server; prefer `sharedMariadb`, which is started once. */
export async function startMariadb(options: MariadbOptions = {}): Promise<TestMariadb> {
  const server = await startMariadbServer(options);
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
    async createDatabase(name = `test_${++last}`) {
      await query('', `CREATE DATABASE \`${name}\``);
      return name;
    },
  };
}

/** The server shared by all tests of this process: started on first use, stopped after the last file or by the caller. */
export const sharedMariadb = shareServer();

function shareServer(): () => Promise<TestMariadb> {
  let running: Promise<TestMariadb> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  // Benches use this module without mocha.
  afterAllFiles?.(async () => (await running)?.stop());
  return () => (running ??= startMariadb());
}
