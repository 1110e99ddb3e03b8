import { join } from 'node:path';
import { projectFolder } from './vscode-host.ts';
import type { TestPostgres } from './postgres.ts';

/** Password of the sample's read-only user, on a server on loopback. */
const password = 'northwind';

type Environment = Readonly<Record<string, string>>;

/** By server: test files of one process share it. */
const loaded = new WeakMap<TestPostgres, Promise<Environment>>();

/** Loads the Northwind sample into a server, once; returns the environment that samples/northwind needs. */
export function loadSampleDatabase(server: TestPostgres): Promise<Environment> {
  const loading = loaded.get(server) ?? load(server);
  loaded.set(server, loading);
  return loading;
}

async function load(server: TestPostgres): Promise<Environment> {
  await server.createDatabase('northwind');
  await server.loadSqlFile('northwind', join(projectFolder, 'samples/northwind/northwind.sql'));
  await server.query('northwind', `CREATE ROLE northwind LOGIN PASSWORD '${password}'`);
  await server.query('northwind', 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO northwind');
  await server.query('northwind', 'ANALYZE');
  return { NORTHWIND_PORT: String(server.port), ENTITY_GRAPH_SECRET_NORTHWIND: password };
}
