import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { importGraph } from '../../server/src/operations/import-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { projectFolder } from '../support/vscode-host.ts';

/** The graph of the incidents sample, imported in a copy of it. */
export async function importIncidents(): Promise<{ readonly store: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-incidents-'));
  const filter = (path: string): boolean => basename(path) !== '.entity-graph';
  await cp(join(projectFolder, 'samples/incidents'), folder, { recursive: true, filter });
  const surroundings = { readSecret: async () => undefined, environment: {}, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'incidents.entity.yaml'), surroundings);
  const { signal } = new AbortController();
  const { store, error } = await importGraph(file, surroundings, { onProgress: () => undefined, signal });
  if (store === undefined) throw new Error(error?.message ?? 'The sample was not imported.');
  return { store, remove: () => rm(folder, { recursive: true, force: true }) };
}
