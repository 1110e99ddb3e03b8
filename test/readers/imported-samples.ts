import { join } from 'node:path';
import { copySample, importGraph } from '../engine/samples-import.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { type Complaint, startServiceDesk } from '../support/complaints.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { startPostgres } from '../support/postgres.ts';
import { removeFolder } from '../support/temporary-folder.ts';

/** Every entity graph of the samples, and its folder. */
export const sampleGraphs = [
  ['incidents', 'incidents.entity.yaml'],
  ['incidents', 'trail.entity.yaml'],
  ['northwind', 'northwind.entity.yaml'],
  ['itsm', 'itsm.entity.yaml'],
  ['order-to-cash', 'order-to-cash.entity.yaml'],
  ['cross-system', 'cross-system.entity.yaml'],
] as const;

export interface ImportedSamples {
  /** Absolute path of a graph. */
  file(graph: string): string;
  /** The result of its import. */
  store(graph: string): string;
  remove(): Promise<void>;
}

/** Imports all samples, each from a source of its own kind; the sources are stopped when it resolves. */
export async function importSamples(): Promise<ImportedSamples> {
  const folders = new Map<string, string>();
  const stores = new Map<string, string>();
  const postgres = await startPostgres();
  const simulator = await startSimulator({ seed: 1, incidents: 300 });
  const url = new URL('../../scripts/cross-system-data.mjs', import.meta.url).href;
  const { crossSystemData } = (await import(url)) as { crossSystemData(): Promise<{ complaints: Complaint[] }> };
  const desk = await startServiceDesk((await crossSystemData()).complaints);
  try {
    const env = {
      ...(await loadSampleDatabase(postgres)),
      ITSM_URL: simulator.url,
      ...desk.env,
      ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password,
    };
    for (const [sample, graph] of sampleGraphs) {
      const folder = folders.get(sample) ?? (await copySample(sample));
      folders.set(sample, folder);
      stores.set(graph, (await importGraph(join(folder, graph), { env })).store);
    }
  } finally {
    await desk.simulator.close();
    await simulator.close();
    await postgres.stop();
  }
  const folderOf = (graph: string): string => {
    const sample = sampleGraphs.find(([, name]) => name === graph)?.[0] ?? '';
    return folders.get(sample) ?? '';
  };
  return {
    file: (graph) => join(folderOf(graph), graph),
    store: (graph) => stores.get(graph) ?? '',
    async remove() {
      for (const folder of folders.values()) await removeFolder(folder);
    },
  };
}
