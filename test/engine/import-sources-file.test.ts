import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import {
  type GraphFile,
  type ProjectContext,
  findSources,
  readGraphFile,
} from '../../server/src/project/open-project.ts';
import { createServices } from '../../server/src/services.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const builtEngine = fileURLToPath(new URL('../../server/dist/engine.js', import.meta.url));
const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n');

describe('import › data sources file', () => {
  let folder = '';
  let reads = 0;
  const projectContext: ProjectContext = {
    openText(path) {
      if (path !== join(folder, 'entity-sources.yaml')) return undefined;
      reads += 1;
      return csvSources();
    },
    permitUses: permitAllUses,
    readSecret: async () => undefined,
    environment: process.env,
    workspaceFolderOf: () => folder,
  };
  beforeEach(async () => {
    reads = 0;
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources: {}\n',
      'graph.entity.yaml': graph,
      'orders.csv': 'id,at\n1,2024-01-01\n',
    });
  });
  afterEach(() => removeFolder(folder));

  const ways: readonly (readonly [name: string, importFile: (file: GraphFile) => Promise<ImportOutcome>])[] = [
    ['runs in this process', (file) => importGraph(file, projectContext, options())],
    ['runs in a child process', (file) => importGraph(file, projectContext, { ...options(), enginePath: builtEngine })],
    [
      'is given what its caller has found',
      async (file) => {
        const sourcesFile = await findSources(file.path, projectContext);
        return createServices(projectContext, builtEngine).importGraph(file, { ...options(), sourcesFile });
      },
    ],
  ];
  for (const [name, importFile] of ways) {
    it(`is read once, unsaved text first, when the import ${name}`, async () => {
      const outcome = await importFile(await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext));
      assert.equal(outcome.status, 'imported', JSON.stringify(outcome));
      assert.equal(reads, 1);
    });
  }
});

function options(): { onProgress: () => void; signal: AbortSignal } {
  return { onProgress: () => undefined, signal: new AbortController().signal };
}
