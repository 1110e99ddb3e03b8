import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { watcherOf } from '../../../server/src/lsp/sources/watched-files.ts';
import { uriOfPath } from '../../../server/src/lsp/file-uri.ts';

const open = resolve('/team/[open]');
const folders = { of: (path: string): string | undefined => (path.startsWith(join(open, '/')) ? open : undefined) };

/**
 * One row per place: the watchers of an editor that can watch any folder, and of one that watches its own folders only.
 */
const rows: readonly (readonly [
  folder: string,
  glob: string,
  isAnywhere: boolean,
  inOpenFolder: string | undefined,
])[] = [
  [open, 'a.csv', true, '**/a.csv'],
  [join(open, 'x/{y}'), '**/*.json', true, '**/x/?y?/**/*.json'],
  [resolve('/team'), '*.csv', true, undefined],
  [resolve('/team/other'), '**/*.csv', true, undefined],
  [resolve('/'), 'a.csv', true, undefined],
  [resolve('/'), '**/a.csv', false, undefined],
  [homedir(), '**/a.csv', false, undefined],
  [dirname(homedir()), '*/a.csv', false, undefined],
  [join(homedir(), 'data'), '**/a.csv', true, undefined],
];

describe('base folders of watched globs', () => {
  for (const [folder, glob, isAnywhere, inOpenFolder] of rows) {
    it(`${glob} in ${folder}`, () => {
      const relative = { globPattern: { baseUri: uriOfPath(folder), pattern: glob } };
      assert.deepEqual(watcherOf({ folder, glob }, folders, true), isAnywhere ? relative : undefined);
      const text = inOpenFolder === undefined ? undefined : { globPattern: inOpenFolder };
      assert.deepEqual(watcherOf({ folder, glob }, folders, false), text);
    });
  }
});
