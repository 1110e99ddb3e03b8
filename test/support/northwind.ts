import { join } from 'node:path';
import { projectFolder } from './vscode-host.ts';
import type { TestPostgres } from './postgres.ts';

/** Password of the sample's read-only user, on a server on loopback. */
const password = 'northwind';

/** Loads the Northwind sample into a server; returns the environment that samples/northwind needs. */
export async function loadSampleDatabase(server: TestPostgres): Promise<Readonly<Record<string, string>>> {
  await server.createDatabase('northwind');
  await server.loadSqlFile('northwind', join(projectFolder, 'samples/northwind/northwind.sql'));
  await server.query('northwind', `CREATE ROLE northwind LOGIN PASSWORD '${password}'`);
  await server.query('northwind', 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO northwind');
  await server.query('northwind', 'ANALYZE');
  return { NORTHWIND_PORT: String(server.port), ENTITY_GRAPH_SECRET_NORTHWIND: password };
}
