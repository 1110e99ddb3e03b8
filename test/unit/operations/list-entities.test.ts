import assert from 'node:assert/strict';
import { rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EntityCache,
  type EntityListing,
  listEntities,
} from '../../../server/src/operations/graph-files/list-entities.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

/** More than are read at a time; later ones are shorter, and read sooner. */
const graphs = 50;
const nameOf = (index: number): string => `graph-${String(index).padStart(2, '0')}`;
const textOf = (index: number): string =>
  `version: 1\nname: Graph ${index}\ndataSource: files\nelements: []\n${'# More text.\n'.repeat((graphs - index) * 20)}`;

describe('listing entity graphs', () => {
  let folder = '';
  const path = (index: number): string => join(folder, `${nameOf(index)}.entity.yaml`);
  const list = (memory?: EntityCache): Promise<EntityListing> =>
    listEntities(folder, { workspaceFolderOf: () => folder, ...(memory && { memory }) });
  beforeEach(async () => {
    const all = Array.from({ length: graphs }, (_, index) => index);
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources: { files: { kind: csv, path: "*.csv" } }\n',
      ...Object.fromEntries(all.map((index) => [`${nameOf(index)}.entity.yaml`, textOf(index)])),
      ...Object.fromEntries(
        all.map((index) => [
          `.entity-graph/state/${nameOf(index)}.json`,
          JSON.stringify({ version: 1, status: 'Imported', progress: `import of ${index}` }),
        ]),
      ),
    });
  });
  afterEach(() => removeFolder(folder));

  it('shows each with its own status and times, in the order of their paths', async () => {
    const { rows, unreadable } = await list();
    assert.deepEqual(unreadable, []);
    assert.deepEqual(
      rows.map(({ file, name, progress }) => [file, name, progress]),
      rows.map((_, index) => [path(index), `Graph ${index}`, `import of ${index}`]),
    );
    assert.equal(rows.length, graphs);
    for (const [index, { modified }] of rows.entries())
      assert.equal(modified, (await stat(path(index))).mtime.toISOString());
  });

  it('reads a file again that has changed since the last listing, and no other', async () => {
    const memory: EntityCache = new Map();
    await list(memory);
    const remembered = memory.get(path(4));
    await writeFile(path(3), textOf(3).replace('Graph 3', 'Changed'));
    await utimes(path(3), new Date(), new Date('2030-01-01'));
    const { rows } = await list(memory);
    assert.equal(rows[3]?.name, 'Changed');
    assert.equal(memory.get(path(4)), remembered);
  });

  it('reports a file that cannot be read, beside the others', async () => {
    if (process.platform === 'win32') return;
    await rm(path(7));
    await symlink(folder, path(7));
    const { rows, unreadable } = await list();
    assert.equal(rows.length, graphs - 1);
    assert.deepEqual(
      unreadable.map(({ file, error }) => [file, error.message]),
      [[path(7), `Cannot read ${path(7)}: it is a folder.`]],
    );
  });
});
