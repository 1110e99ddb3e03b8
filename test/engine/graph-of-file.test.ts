import assert from 'node:assert/strict';
import { join } from 'node:path';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { graphOfFile } from '../../server/src/operations/graph-files/graph-of-file.ts';
import type { ProjectContext } from '../../server/src/project/open-project.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const log = [
  'case_id,activity,at',
  ...Array.from({ length: 30 }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 3_600_000).toISOString();
    return `C${Math.floor(row / 3)},${['open', 'work', 'close'][row % 3] ?? ''},${at}`;
  }),
].join('\n');

const ocel = JSON.stringify({
  objectTypes: [{ name: 'order', attributes: [] }],
  eventTypes: [{ name: 'place', attributes: [] }],
  objects: [{ id: 'o1', type: 'order' }],
  events: [
    { id: 'e1', type: 'place', time: '2024-01-01T00:00:00Z', relationships: [{ objectId: 'o1', qualifier: 'order' }] },
  ],
});

describe('the graph of a file', () => {
  const draft = async (files: Readonly<Record<string, string>>, file: string, isNamed = false) => {
    const folder = await folderWith(files);
    const context: ProjectContext = {
      readSecret: () => Promise.resolve(undefined),
      permitUses: permitAllUses,
      environment: {},
      workspaceFolderOf: () => folder,
    };
    const named = isNamed ? { name: 'Other', fileName: 'other.entity.yaml' } : undefined;
    const options = { answers: [], named, signal: new AbortController().signal };
    try {
      const found = await graphOfFile(join(folder, file), options, context);
      const cut = (path: string): string => path.slice(folder.length + 1);
      if (found.kind === 'exists') return { exists: found.graphs.map(cut) };
      return {
        sources: cut(found.sources.path),
        after: found.sources.after,
        graph: cut(found.graph),
        text: found.text,
      };
    } finally {
      await removeFolder(folder);
    }
  };

  it('begins a sources file beside the file, where there is none', async () => {
    const drafted = await draft({ 'in/my log.csv': log }, 'in/my log.csv');
    assert.deepEqual(
      [drafted.sources, drafted.after, drafted.graph],
      [
        'in/entity-sources.yaml',
        'version: 1\ndataSources:\n  my-log:\n    kind: csv\n    path: my log.csv\n',
        'in/my log.entity.yaml',
      ],
    );
    assert.match(drafted.text ?? '', /activityColumn: activity/);
  });

  it('adds a source to the nearest sources file, whose comments stay', async () => {
    const sources = '# Ours\nversion: 1\ndataSources:\n  log: { kind: csv, path: other/*.csv } # old\n';
    const drafted = await draft({ 'entity-sources.yaml': sources, 'in/log.csv': log }, 'in/log.csv');
    assert.equal(drafted.after, `${sources}  log2:\n    kind: csv\n    path: in/log.csv\n`);
    assert.equal(drafted.graph, 'log.entity.yaml');
  });

  it('takes the source that reads this file only, and a free name of a graph', async () => {
    const sources = 'version: 1\ndataSources:\n  mine: { kind: csv, path: log.csv }\n';
    const files = { 'entity-sources.yaml': sources, 'log.csv': log, 'log.entity.yaml': 'version: 1\n' };
    const drafted = await draft(files, 'log.csv');
    assert.equal(drafted.after, sources);
    assert.equal(drafted.graph, 'log-2.entity.yaml');
    assert.match(drafted.text ?? '', /^dataSource: mine$/m);
  });

  for (const [what, path] of [
    ['of a source of this file', 'log.csv'],
    ['of a pattern', '*.csv'],
  ] as const) {
    it(`finds a graph ${what}, beside which a new one can be named`, async () => {
      const files = {
        'entity-sources.yaml': `version: 1\ndataSources:\n  mine: { kind: csv, path: '${path}' }\n`,
        'log.csv': log,
        'a.entity.yaml':
          'version: 1\ndataSource: mine\nelements:\n  - { activityName: A, dataObject: log, key: case_id, startTimestamp: at }\n',
        'b.entity.yaml':
          'version: 1\ndataSource: none\nelements:\n  - { activityName: A, dataObject: log, key: case_id, startTimestamp: at }\n',
      };
      assert.deepEqual(await draft(files, 'log.csv'), { exists: ['a.entity.yaml'] });
      assert.equal((await draft(files, 'log.csv', true)).graph, 'other.entity.yaml');
    });
  }

  it('knows an event log by its content, where its extension is that of other files', async () => {
    const drafted = await draft({ 'orders.json': ocel, 'rows.json': '[{"id":1}]' }, 'orders.json');
    assert.match(drafted.after ?? '', /kind: ocel/);
  });

  it('refuses files that no source reads, by name', async () => {
    await assert.rejects(draft({ 'note.txt': 'x' }, 'note.txt'), /^OperationError: note\.txt is no file of which/);
  });
});
