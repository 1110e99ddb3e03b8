import assert from 'node:assert/strict';
import { differenceP, holm, shareDifference } from '../../../server/src/analysis/causes/significance.ts';

const close = (found: number, expected: number, error = 1e-4): void =>
  assert.ok(Math.abs(found - expected) <= error * Math.max(1e-12, Math.abs(expected)), `${found}, not ${expected}`);

describe('significance', () => {
  it('Newcombe intervals are those of the paper', () => {
    // Newcombe 1998, table II, method 10: (a) 56/70 − 48/80, (c) 6/7 − 2/7, (f) 10/10 − 0/20.
    const cases = [
      [{ found: 56, of: 70 }, { found: 48, of: 80 }, 0.0524, 0.3339],
      [{ found: 6, of: 7 }, { found: 2, of: 7 }, 0.0582, 0.8062],
      [{ found: 10, of: 10 }, { found: 0, of: 20 }, 0.6791, 1],
    ] as const;
    for (const [one, other, low, high] of cases) {
      const found = shareDifference(one, other);
      assert.deepEqual([found.low.toFixed(4), found.high.toFixed(4)], [low.toFixed(4), high.toFixed(4)]);
    }
  });

  it('small tables have the p-values of Fisher’s exact test', () => {
    // The lady tasting tea; the last by Python's math.comb.
    close(differenceP({ found: 3, of: 4 }, { found: 1, of: 4 }), 34 / 70, 1e-6);
    close(differenceP({ found: 4, of: 4 }, { found: 0, of: 4 }), 2 / 70, 1e-6);
    close(differenceP({ found: 0, of: 20 }, { found: 5, of: 30 }), 0.074_576_639_166, 1e-6);
    assert.equal(differenceP({ found: 0, of: 20 }, { found: 0, of: 30 }), 1);
  });

  it('larger tables have those of χ², also far out', () => {
    // By Python's math.erfc.
    close(differenceP({ found: 60, of: 100 }, { found: 40, of: 100 }), 0.004_677_734_981, 1e-6);
    close(differenceP({ found: 150, of: 200 }, { found: 100, of: 200 }), 2.417_563_881e-7, 1e-6);
    close(differenceP({ found: 750, of: 1000 }, { found: 500, of: 1000 }), 7.643_758_386e-31, 1e-6);
  });

  it('Holm accounts for all tests', () => {
    assert.deepEqual(holm([0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
    assert.deepEqual(holm([0.02], 0.01), [false]);
    assert.deepEqual(holm([], 0.01), []);
  });
});
