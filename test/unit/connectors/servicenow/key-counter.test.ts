import assert from 'node:assert/strict';
import { keyCounter } from '../../../../server/src/connectors/servicenow/records/key-counter.ts';

const keys = ['', '0', '00', '000', '0a1', '3', '3f0', '40', '7fff', '8000', 'a', 'f', 'ff1', 'fg', 'global', 'G', '~'];

describe('key counter', () => {
  it('counts each key in exactly one range, also non-hexadecimal ones', () => {
    const tally = keyCounter();
    for (const key of keys) tally.add(key);
    const isIn = (
      key: string,
      { from = '', below = '￿' }: { from?: string | undefined; below?: string | undefined },
    ): boolean => key >= from && key < below;
    const wide = tally.ranges();
    for (const { range, keys: found, first, size } of [...wide, ...wide.flatMap((each) => tally.ranges(each))]) {
      assert.equal(found, keys.filter((key) => isIn(key, range)).length, JSON.stringify(range));
      assert.ok(first >= 0 && size >= 1);
    }
    assert.equal(
      wide.reduce((sum, range) => sum + range.keys, 0),
      keys.length,
    );
  });
});
