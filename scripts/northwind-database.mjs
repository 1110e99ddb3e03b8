/**
 * Starts a PostgreSQL server with the Northwind sample; it ends with this process.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>} `env` is what samples/northwind needs.
 */
export async function startNorthwind() {
  const { tsImport } = await import('tsx/esm/api');
  const { startPostgres } = await tsImport('../test/support/postgres.ts', import.meta.url);
  const { loadSampleDatabase } = await tsImport('../test/support/northwind.ts', import.meta.url);
  const server = await startPostgres();
  return { env: await loadSampleDatabase(server), stop: () => server.stop() };
}
