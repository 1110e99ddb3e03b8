import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findFiles } from '../../server/src/connectors/csv/find-files.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

/** One row per `path` setting: the files found, relative to the folder. */
const patterns: readonly (readonly [paths: readonly string[], found: readonly string[]])[] = [
  [['data/*.csv'], ['data/a.csv', 'data/b{1}.csv', 'data/linked.csv']],
  [['data/**/*.csv'], ['data/a.csv', 'data/b{1}.csv', 'data/deep/er/c.csv', 'data/linked.csv']],
  [['data/*/*/*.csv'], ['data/deep/er/c.csv']],
  [['data/{a,x}.{csv,tsv}'], ['data/a.csv', 'data/x.tsv']],
  [
    ['data/a.csv', 'data/*.csv'],
    ['data/a.csv', 'data/b{1}.csv', 'data/linked.csv'],
  ],
  [['data/b{1}.csv'], ['data/b{1}.csv']],
  [['./data/a.csv'], ['data/a.csv']],
  [['data\\*.tsv'], ['data/x.tsv']],
  [['data/missing.csv'], ['data/missing.csv']],
  [['nowhere/*.csv'], []],
  [['data/deep/../?.csv'], ['data/a.csv']],
];

describe('file paths of a source', () => {
  let folder: string;

  before(async () => {
    folder = await folderWith({
      'data/a.csv': '',
      'data/b{1}.csv': '',
      'data/x.tsv': '',
      'data/.hidden.csv': '',
      'data/deep/er/c.csv': '',
      'data/node_modules/n.csv': '',
      'data/folder.csv/inside.txt': '',
    });
    await symlink(join(folder, 'data/a.csv'), join(folder, 'data/linked.csv'));
    await symlink(folder, join(folder, 'data/loop'));
  });

  after(() => removeFolder(folder));

  for (const [paths, found] of patterns) {
    it(paths.join(', '), async () => {
      const files = await findFiles(folder, paths);
      assert.deepEqual(
        files.map((file) => relative(folder, file).replaceAll('\\', '/')),
        found,
      );
    });
  }

  it('accept absolute globs', async () => {
    assert.deepEqual(await findFiles('/elsewhere', [`${folder}/data/*.tsv`]), [join(folder, 'data/x.tsv')]);
  });
});
