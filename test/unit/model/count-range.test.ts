import assert from 'node:assert/strict';
import { countRangeText, isInRange, parseCountRange } from '../../../server/src/model/count-range.ts';

describe('count range', () => {
  const cases: readonly (readonly [value: unknown, text: string | undefined, inside: readonly number[]])[] = [
    [5, '5', [5]],
    ['5', '5', [5]],
    ['0', '0', [0]],
    ['1..', 'at least 1', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['..3', 'at most 3', [0, 1, 2, 3]],
    ['2..3', '2 to 3', [2, 3]],
    [' 2..3 ', '2 to 3', [2, 3]],
    ['3..1', '3 to 1', []],
    ['..', undefined, []],
    ['', undefined, []],
    ['-1', undefined, []],
    ['1...', undefined, []],
    ['a', undefined, []],
    [-1, undefined, []],
    [1.5, undefined, []],
    [null, undefined, []],
  ];
  for (const [value, text, inside] of cases) {
    it(`${JSON.stringify(value)} is ${text ?? 'none'}`, () => {
      const range = parseCountRange(value);
      assert.equal(range && countRangeText(range), text);
      const counts = Array.from({ length: 10 }, (_, count) => count);
      assert.deepEqual(range ? counts.filter((count) => isInRange(count, range)) : [], inside);
    });
  }
});
