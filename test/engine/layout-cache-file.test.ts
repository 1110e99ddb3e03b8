import assert from 'node:assert/strict';
import { access, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { deleteGraph } from '../../server/src/operations/graph-files/delete-graph.ts';
import { drawProcessMap } from '../../server/src/operations/stored-graphs/draw-process-map.ts';
import { layoutCacheFile } from '../../server/src/operations/stored-graphs/layout-cache-file.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const elkProgram = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
const { signal } = new AbortController();

const data = {
  'entity-sources.yaml': csvSources(),
  'steps.csv': 'id,at,step\n1,2026-01-01,A\n1,2026-01-02,B\n1,2026-01-03,A\n2,2026-01-01,A\n2,2026-01-04,C\n',
};
const graph = graphText(
  '  - { activityName: Step, dataObject: steps, key: id, startTimestamp: at, activityColumn: step }\n',
);

describe('layouts beside the graph', () => {
  it('a map that was drawn before is drawn without ELK, and equals the first one', async () => {
    await withProject({ ...data, 'graph.entity.yaml': graph }, async (project) => {
      const { store = '' } = await project.import();
      const path = join(project.folder, 'graph.entity.yaml');
      const projectContext = {
        permitUses: permitAllUses,
        readSecret: async () => undefined,
        environment: process.env,
        workspaceFolderOf: () => project.folder,
      };
      const draw = async (program: string): Promise<string> => {
        const file = await readGraphFile(path, projectContext);
        const map = { of: 'first type', activities: 1, paths: 1 } as const;
        return (await drawProcessMap(file, projectContext, map, { elkProgram: program, signal })).svg;
      };
      const first = await draw(elkProgram);
      assert.equal(await draw('/there/is/no/elk.js'), first);
      assert.ok((await readdir(dirname(store))).includes('layouts.kept'));
      await writeFile(join(dirname(store), 'layouts.kept'), '[{"key":');
      await assert.rejects(draw('/there/is/no/elk.js'));
      assert.equal(await draw(elkProgram), first);
      await deleteGraph(path, projectContext);
      await assert.rejects(access(dirname(store)));
    });
  });

  it('a link is neither read nor written through', async () => {
    const [folder, outside] = [await folderWith({ 'run.duckdb': '' }), await folderWith({ 'mine.json': '[]' })];
    try {
      await symlink(join(outside, 'mine.json'), join(folder, 'layouts.kept'));
      const file = layoutCacheFile(join(folder, 'run.duckdb'));
      assert.equal(await file.read(), undefined);
      await file.write('[1]');
      assert.equal(await readFile(join(outside, 'mine.json'), 'utf8'), '[]');
      assert.equal(await file.read(), '[1]');
    } finally {
      await Promise.all([folder, outside].map(removeFolder));
    }
  });

  it('nothing is written for a graph that was deleted meanwhile', async () => {
    const folder = await folderWith({ 'run.duckdb': '' });
    try {
      const file = layoutCacheFile(join(folder, 'run.duckdb'));
      await rm(join(folder, 'run.duckdb'));
      await file.write('[1]');
      assert.deepEqual(await readdir(folder), [], basename(folder));
      assert.equal(await file.read(), undefined);
    } finally {
      await removeFolder(folder);
    }
  });
});
