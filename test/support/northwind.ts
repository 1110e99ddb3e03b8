import { join } from 'node:path';
import { projectFolder } from './vscode-host.ts';
import type { TestPostgres } from './postgres.ts';

/** An SQLSTATE of PostgreSQL. */
const duplicateDatabase = '42P04';

/** Password of the sample's read-only user, on a server on loopback. */
const password = 'northwind';

type Environment = Readonly<Record<string, string>>;

/** By server: test files of one process load it once. */
const loaded = new WeakMap<TestPostgres, Promise<Environment>>();

/** Loads the Northwind sample into a server, unless another test process did; returns the environment that samples/northwind needs. */
export function loadSampleDatabase(server: TestPostgres): Promise<Environment> {
  const loading = loaded.get(server) ?? load(server);
  loaded.set(server, loading);
  return loading;
}

async function load(server: TestPostgres): Promise<Environment> {
  const present = await server.query('postgres', "SELECT FROM pg_database WHERE datname = 'northwind'");
  if (present.length === 0) {
    const database = await server.createDatabase();
    await server.loadSqlFile(database, join(projectFolder, 'samples/northwind/northwind.sql'));
    await server.query(
      'postgres',
      `DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(1);
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'northwind') THEN
          CREATE ROLE northwind LOGIN PASSWORD '${password}';
        END IF;
      END $$`,
    );
    await server.query(database, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO northwind');
    await server.query(database, 'ANALYZE');
    await server.query('postgres', `ALTER DATABASE ${database} RENAME TO northwind`).catch((error: unknown) => {
      // Another process has loaded it meanwhile.
      if ((error as { code?: unknown }).code !== duplicateDatabase) throw error;
    });
  }
  return { NORTHWIND_PORT: String(server.port), ENTITY_GRAPH_SECRET_NORTHWIND: password };
}
