import { crossSystemData } from './cross-system-data.mjs';

/**
 * Starts a simulated instance with the complaints of samples/cross-system; it ends with this process.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>} `env` is what samples/cross-system needs beside Northwind.
 */
export async function startServiceDesk() {
  const { tsImport } = await import('tsx/esm/api');
  const desk = await tsImport('../test/support/complaints.ts', import.meta.url);
  const { complaints } = await crossSystemData();
  const { simulator, env } = await desk.startServiceDesk(complaints);
  return { env, stop: () => simulator.close() };
}
