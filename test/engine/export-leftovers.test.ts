import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { noteExport, removeKilledExports } from '../../server/src/operations/stored-graphs/export-notes.ts';
import { sweepLeftovers } from '../../server/src/operations/imports/sweep-leftovers.ts';
import { endedProcess, tagOf } from '../support/ended-process.ts';
import { exportProject } from '../support/export-project.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

const gone = endedProcess;

const note = (folder: string, host = hostname()): string => JSON.stringify({ host, folder });

interface Case {
  readonly name: string;
  readonly pid: number;
  readonly text: (output: string) => string;
  /** The remains of an export's note and of its folder. */
  readonly left: readonly ('note' | 'folder')[];
}

const cases: readonly Case[] = [
  { name: 'of a process that has ended', pid: gone, text: (output) => note(output), left: [] },
  { name: 'of a process that runs', pid: process.pid, text: (output) => note(output), left: ['note', 'folder'] },
  { name: 'of another machine', pid: gone, text: (output) => note(output, 'elsewhere'), left: ['note', 'folder'] },
  { name: 'without a folder', pid: gone, text: () => '{"host":', left: ['folder'] },
  { name: 'with a relative folder', pid: gone, text: () => note('.'), left: ['folder'] },
];

describe('temporary files of killed exports', () => {
  for (const { name, pid, text, left } of cases) {
    it(`marker ${name} › only files of ended local processes are deleted`, async () => {
      const folder = await folderWith({});
      const tag = await tagOf(pid);
      try {
        const graphs = join(folder, '.entity-graph/graphs/shop/order');
        const output = join(folder, 'elsewhere');
        const abandoned = `.entity-graph-export-${tag}-x`;
        await mkdir(join(output, abandoned), { recursive: true });
        await writeFiles(folder, {
          'entity-sources.yaml': csvSources(),
          'elsewhere/.entity-graph-export-mine': 'mine',
          [`.entity-graph/graphs/shop/order/.exporting-${tag}-0a1b.json`]: text(output),
          '.entity-graph/graphs/shop/order/.exporting-notes.json': 'mine',
        });
        await sweepLeftovers([folder]);
        assert.deepEqual(
          [(await readdir(graphs)).toSorted(), (await readdir(output)).toSorted()],
          [
            [...(left.includes('note') ? [`.exporting-${tag}-0a1b.json`] : []), '.exporting-notes.json'].toSorted(),
            [...(left.includes('folder') ? [abandoned] : []), '.entity-graph-export-mine'].toSorted(),
          ],
        );
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('are deleted by the next export of the graph, wherever it writes', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(
        '  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }\n',
      ),
      'customers.csv': 'id,since\n7,2024-01-01\n',
    };
    await withProject(files, async (project) => {
      await project.import();
      const graphs = join(project.folder, '.entity-graph/graphs/graph');
      const before = await readdir(graphs);
      const tag = await tagOf(gone);
      await mkdir(join(project.folder, `there/.entity-graph-export-${tag}-x`), { recursive: true });
      await writeFiles(graphs, { [`.exporting-${tag}-0a1b.json`]: note(join(project.folder, 'there')) });
      await exportProject(project, 'csv', 'here/out');
      assert.deepEqual(await readdir(join(project.folder, 'there')), []);
      assert.deepEqual(await readdir(graphs), before, 'An export that has ended leaves no note.');
    });
  });

  it('are kept while their export runs', async () => {
    const folder = await folderWith({});
    try {
      const forget = await noteExport(folder, join(folder, 'there'));
      await removeKilledExports(folder);
      assert.equal((await readdir(folder)).length, 1);
      await forget();
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await removeFolder(folder);
    }
  });
});
