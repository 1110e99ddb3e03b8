import assert from 'node:assert/strict';
import { proposedPattern } from '../../../client/src/source-kinds/source-settings.ts';

describe('proposed data files', () => {
  for (const [paths, expected] of [
    [[], undefined],
    [['orders.csv'], 'orders.csv'],
    [['data/orders.csv.gz'], 'data/orders.csv.gz'],
    [['a.csv', 'b.csv', 'old/c.csv'], '*.csv'],
    [['data/a.parquet', 'data/b.parquet', 'notes.csv'], 'data/*.parquet'],
    [['x/a.csv', 'b.tsv'], '*.tsv'],
  ] as const) {
    it(`${paths.join(', ') || 'no file'} → ${expected ?? 'none'}`, () => {
      assert.equal(proposedPattern(paths), expected);
    });
  }
});
