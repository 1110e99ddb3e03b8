import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { importGraph } from '../../server/src/operations/import-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const builtEngine = fileURLToPath(new URL('../../server/dist/engine.js', import.meta.url));
const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n');

describe('import › the data sources file', () => {
  for (const [where, engine] of [
    ['in this process', {}],
    ['in a child process', { enginePath: builtEngine }],
  ] as const) {
    it(`is read once, the open buffer first, when the import runs ${where}`, async () => {
      const folder = await folderWith({
        'entity-sources.yaml': 'version: 1\ndataSources: {}\n',
        'graph.entity.yaml': graph,
        'orders.csv': 'id,at\n1,2024-01-01\n',
      });
      try {
        const sourcesPath = join(folder, 'entity-sources.yaml');
        let reads = 0;
        const surroundings = {
          openText(path: string): string | undefined {
            if (path !== sourcesPath) return undefined;
            reads += 1;
            return csvSources();
          },
          permitUses: permitAllUses,
          readSecret: async () => undefined,
          environment: process.env,
          workspaceFolderOf: () => folder,
        };
        const file = await readGraphFile(join(folder, 'graph.entity.yaml'), surroundings);
        const { signal } = new AbortController();
        const { status, error } = await importGraph(file, surroundings, {
          ...{ onProgress: () => undefined, signal },
          ...engine,
        });
        assert.equal(status, 'imported', error?.message);
        assert.equal(reads, 1);
      } finally {
        await removeFolder(folder);
      }
    });
  }
});
