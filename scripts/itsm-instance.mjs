/**
 * Starts a simulated instance of the IT-service-management platform with 300 incidents; it ends with this process.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>} `env` is what samples/itsm needs.
 */
export async function startItsmInstance() {
  const { tsImport } = await import('tsx/esm/api');
  const { startSimulator } = await tsImport('../test/simulator/simulator.ts', import.meta.url);
  const simulator = await startSimulator({ seed: 1, incidents: 300 });
  return {
    env: { ITSM_URL: simulator.url, ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password },
    stop: () => simulator.close(),
  };
}
