import { join } from 'node:path';
import { root } from './paths.mjs';

/** Of the user `northwind`, who may only read. A demonstration on loopback has nothing to hide. */
export const northwindPassword = 'northwind';

/**
 * Starts a PostgreSQL of its own with the Northwind sample in it; it goes down with this process.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>} `env` is what samples/northwind needs.
 */
export async function startNorthwind() {
  const { tsImport } = await import('tsx/esm/api');
  const { startPostgres } = await tsImport('../test/support/postgres.ts', import.meta.url);
  const server = await startPostgres();
  await server.createDatabase('northwind');
  await server.loadSqlFile('northwind', join(root, 'samples/northwind/northwind.sql'));
  await server.query('northwind', `CREATE ROLE northwind LOGIN PASSWORD '${northwindPassword}'`);
  await server.query('northwind', 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO northwind');
  await server.query('northwind', 'ANALYZE');
  const env = { NORTHWIND_PORT: String(server.port), ENTITY_GRAPH_SECRET_NORTHWIND: northwindPassword };
  return { env, stop: () => server.stop() };
}
