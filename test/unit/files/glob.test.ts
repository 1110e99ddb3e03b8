import assert from 'node:assert/strict';
import { globToRegExp, isGlob } from '../../../server/src/files/glob.ts';

const names = [
  'a.csv',
  'ab.csv',
  'a.tsv',
  '.hidden.csv',
  'x/a.csv',
  'x/y/a.csv',
  'x/.git/a.csv',
  'a[1].csv',
  'a+b.csv',
] as const;

/** One row per glob: the matching names. */
const globs: readonly (readonly [glob: string, matches: readonly string[]])[] = [
  ['*.csv', ['a.csv', 'ab.csv', 'a[1].csv', 'a+b.csv']],
  ['?.csv', ['a.csv']],
  ['a*', ['a.csv', 'ab.csv', 'a.tsv', 'a[1].csv', 'a+b.csv']],
  ['*.{csv,tsv}', ['a.csv', 'ab.csv', 'a.tsv', 'a[1].csv', 'a+b.csv']],
  ['a{,b}.csv', ['a.csv', 'ab.csv']],
  ['*/a.csv', ['x/a.csv']],
  ['**/a.csv', ['a.csv', 'x/a.csv', 'x/y/a.csv']],
  ['x/**', ['x/a.csv', 'x/y/a.csv']],
  ['**', ['a.csv', 'ab.csv', 'a.tsv', 'x/a.csv', 'x/y/a.csv', 'a[1].csv', 'a+b.csv']],
  ['.*.csv', ['.hidden.csv']],
  ['a[1].*', ['a[1].csv']],
  ['a+*.csv', ['a+b.csv']],
];

describe('file globs', () => {
  for (const [glob, matches] of globs) {
    it(glob, () => {
      const expression = globToRegExp(glob);
      assert.deepEqual(
        names.filter((name) => expression.test(name)),
        matches,
      );
    });
  }

  it('are distinguished from plain paths', () => {
    const paths = ['data/a.csv', 'data/*.csv', 'a?.csv', '{a,b}.csv', 'a[1].csv', 'a{b.csv'];
    assert.deepEqual(paths.filter(isGlob), ['data/*.csv', 'a?.csv', '{a,b}.csv']);
  });
});
