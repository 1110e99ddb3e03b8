import assert from 'node:assert/strict';
import { thousands } from '../../../protocol/thousands.ts';

describe('thousands', () => {
  it('formats whole numbers as Intl does', () => {
    const numbers = [0, 7, 12, 999, 1000, 10_000, 123_456, 1_000_000, Number.MAX_SAFE_INTEGER];
    const expected = new Intl.NumberFormat('en-US');
    for (const number of [...numbers, ...numbers.map((each) => -1 - each)]) {
      assert.equal(thousands(number), expected.format(number));
    }
  });
});
