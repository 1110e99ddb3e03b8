import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type UseCache, findSourceUses } from '../../../server/src/project/find-source-uses.ts';
import { folderWith, removeFolder, writeFiles } from '../../support/temporary-folder.ts';

const sources = 'version: 1\ndataSources: {}\n';
const graph = (source: string): string => `version: 1\ndataSource: ${source}\nelements: []\n`;

const cases: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[] | undefined])[] = [
  ['no graph', {}, []],
  ['graphs here and below', { 'a.entity.yaml': graph('a'), 'x/y/b.entity.yml': graph('b') }, ['a', 'b']],
  [
    'sources of an element, a cross table and a group',
    {
      'a.entity.yaml':
        'dataSource: a\ndataObjects: [{ source: b, objects: [x] }]\nelements: [{ dataSource: c, dataObject: y }]\nrelationships: [{ crossTable: { dataSource: d, dataObject: z } }]\n',
    },
    ['a', 'b', 'c', 'd'],
  ],
  ['a graph in JSON', { 'a.entity.json': '{ "dataSource": "a" }' }, ['a']],
  [
    'a nearer sources file',
    { 'a.entity.yaml': graph('a'), 'x/b.entity.yaml': graph('b'), 'x/entity-sources.yml': sources },
    ['a'],
  ],
  ['a graph that names none yet', { 'a.entity.yaml': 'version: 1\n' }, []],
  ['a damaged graph that still names one', { 'a.entity.yaml': `${graph('a')}x: [\n` }, ['a']],
  ['a graph that cannot be read', { 'a.entity.yaml': graph('a'), 'b.entity.yaml': 'dataSource: [\n' }, undefined],
];

describe('findSourceUses', () => {
  for (const [name, files, expected] of cases) {
    it(name, () =>
      inFolder(files, async (folder, path) => {
        const found = await findSourceUses(path, { workspaceFolderOf: () => folder });
        assert.deepEqual(found && [...found].toSorted(), expected);
      }),
    );
  }

  it('prefers unsaved text, and reads a changed file again', () =>
    inFolder({ 'a.entity.yaml': graph('a') }, async (folder, path) => {
      const memory: UseCache = new Map();
      const find = async (open?: string): Promise<readonly string[]> => [
        ...((await findSourceUses(path, { workspaceFolderOf: () => folder, openText: () => open }, memory)) ?? []),
      ];
      assert.deepEqual(await find(), ['a']);
      assert.deepEqual(await find(graph('b')), ['b']);
      assert.deepEqual(await find(), ['a']);
      await writeFiles(folder, { 'a.entity.yaml': graph('longer') });
      assert.deepEqual(await find(), ['longer']);
    }));

  it('finds nothing in a missing folder', async () => {
    const path = join('no', 'such', 'folder', 'entity-sources.yaml');
    assert.equal(await findSourceUses(path, { workspaceFolderOf: () => '.' }), undefined);
  });
});

async function inFolder(
  files: Readonly<Record<string, string>>,
  use: (folder: string, path: string) => Promise<void>,
): Promise<void> {
  const folder = await folderWith({ 'entity-sources.yaml': sources, ...files });
  try {
    await use(folder, join(folder, 'entity-sources.yaml'));
  } finally {
    await removeFolder(folder);
  }
}
