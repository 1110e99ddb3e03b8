import assert from 'node:assert/strict';
import { idRanges } from '../../server/src/export/id-ranges.ts';
import { withBuildDatabase } from '../support/build-database.ts';

/** Ranges bound the texts that exports hold in memory. */
describe('ranges of ids of an export', () => {
  const cases: readonly (readonly [what: string, rows: string, ends: readonly number[]])[] = [
    ['no ids', 'SELECT 1 AS id WHERE false', []],
    ['all in one', 'SELECT range + 1 AS id FROM range(65)', [65]],
    ['the borders of a few ids each', 'SELECT range + 1 AS id FROM range(300)', [63, 191, 255, 300]],
    ['each id with more rows than a range', 'SELECT range // 500 + 1 AS id FROM range(2000)', [1, 2, 3, 4]],
    [
      'one such among ids with few',
      'SELECT range + 1 AS id FROM range(200) UNION ALL SELECT 70 FROM range(1000)',
      [69, 99, 191, 200],
    ],
  ];
  for (const [what, rows, ends] of cases) {
    it(what, async () => {
      await withBuildDatabase(async (store) => {
        const ranges = await idRanges(store, rows, 100, {});
        assert.deepEqual(
          ranges.map(({ upTo }) => Number(upTo)),
          ends,
        );
        assert.deepEqual(
          ranges.map(({ after }) => Number(after)),
          [0, ...ends].slice(0, ends.length),
        );
      });
    });
  }
});
