import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { EventGraphQuestion } from '../../protocol/requests/event-graph-requests.ts';
import { createElkLayout } from '../../server/src/event-graph/elk-layout.ts';
import { askGraph, createGraphCache } from '../../server/src/operations/stored-graphs/event-graph.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';
import type { PostedRequest } from './webview-page.ts';
import { noSecrets } from '../support/no-secrets.ts';

/** The graph of the incidents sample, imported in a copy of it. */
export interface ImportedIncidents {
  /** Answers a request of the page by the real graph. */
  answer(request: PostedRequest): Promise<unknown>;
  remove(): Promise<void>;
}

/** The sample as it is, imported once for all files of this process. */
export const sharedIncidents = shareIncidents();

function shareIncidents(): () => Promise<ImportedIncidents> {
  let imported: Promise<ImportedIncidents> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  afterAllFiles?.(async () => (await imported)?.remove());
  return () => (imported ??= importIncidents({}));
}

/** @param more further data files by their path, and text behind that of the graph */
export async function importIncidents(more: {
  readonly files?: Readonly<Record<string, string>>;
  readonly graph?: string;
}): Promise<ImportedIncidents> {
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-incidents-'));
  const filter = (path: string): boolean => basename(path) !== '.entity-graph';
  await cp(join(projectFolder, 'samples/incidents'), folder, { recursive: true, filter });
  await writeFiles(folder, more.files ?? {});
  await appendFile(join(folder, 'incidents.entity.yaml'), more.graph ?? '');
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'incidents.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const outcome = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  if (outcome.status !== 'imported') throw new Error(outcome.error.message);
  const { store = '' } = outcome;
  const graphs = createGraphCache();
  const layOut = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
  return {
    answer: ({ method, params }) =>
      askGraph({ graphs, layOut }, store, method as EventGraphQuestion, params as never, signal),
    async remove() {
      await graphs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
