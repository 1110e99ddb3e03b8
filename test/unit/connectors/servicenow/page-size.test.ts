import assert from 'node:assert/strict';
import { pageSize } from '../../../../server/src/connectors/servicenow/records/page-size.ts';

const small = 1000;
const large = 20 * 1024 * 1024;

/** Successive page sizes at an instance that cancels requests for which `isTooMuch` holds. */
function sizesOf(
  options: { readonly most: number; readonly first?: number },
  pages: number,
  instance: {
    readonly isTooMuch?: (asked: number, page: number) => boolean;
    readonly bytes?: (asked: number) => number;
    readonly milliseconds?: number;
  } = {},
): { readonly asked: readonly number[]; readonly failed: readonly number[] } {
  const sizes = pageSize(options);
  const asked: number[] = [];
  const failed: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    const next = sizes.next();
    asked.push(next);
    if (instance.isTooMuch?.(next, page)) {
      failed.push(next);
      sizes.tookTooLong(next);
    } else {
      const { bytes = () => small, milliseconds = 10 } = instance;
      sizes.arrived({ asked: next, bytes: bytes(next), milliseconds });
    }
  }
  return { asked, failed };
}

const times = (count: number, size: number): readonly number[] => Array.from({ length: count }, () => size);

describe('page size', () => {
  it('starts at the maximum, or grows to it when few records are requested first', () => {
    assert.deepEqual(sizesOf({ most: 1000 }, 3).asked, [1000, 1000, 1000]);
    assert.deepEqual(sizesOf({ most: 100, first: 11 }, 6).asked, [11, 22, 44, 88, 100, 100]);
  });

  it('stays below a failed size, and retries it after a growing number of fast pages', () => {
    const { asked, failed } = sizesOf({ most: 1000 }, 60, { isTooMuch: (size) => size > 100 });
    assert.deepEqual(failed, [1000, 500, 250, 125, 126, 126]);
    assert.deepEqual(asked.slice(0, 14), [1000, 500, 250, 125, ...times(8, 63), 126, 63]);
  });

  it('does not retry a failed size after slow pages', () => {
    const { failed } = sizesOf({ most: 1000 }, 100, { isTooMuch: (size) => size > 100, milliseconds: 6000 });
    assert.deepEqual(failed, [1000, 500, 250, 125]);
  });

  it('returns to the maximum when a failure was short', () => {
    const { asked } = sizesOf({ most: 1000 }, 24, { isTooMuch: (_, page) => page < 2 });
    assert.deepEqual(asked, [1000, 500, ...times(8, 250), ...times(8, 500), ...times(6, 1000)]);
  });

  it('is halved for pages of many bytes', () => {
    const bytes = (size: number): number => (size > 300 ? large : large / 8);
    assert.deepEqual(sizesOf({ most: 1000 }, 4, { bytes }).asked, [1000, 500, 250, 500]);
  });

  it('is reduced once for concurrent failures of several readers', () => {
    const sizes = pageSize({ most: 1000 });
    for (const size of [sizes.next(), sizes.next(), sizes.next()]) sizes.tookTooLong(size);
    assert.equal(sizes.next(), 500);
  });

  it('a larger size is tried by one of several readers', () => {
    const sizes = pageSize({ most: 1000 });
    sizes.tookTooLong(1000);
    for (let page = 0; page < 8; page += 1) sizes.arrived({ asked: 500, bytes: small, milliseconds: 10 });
    assert.deepEqual([sizes.next(), sizes.next(), sizes.next()], [1000, 500, 500]);
    // A failure of a smaller page meanwhile counts too.
    sizes.tookTooLong(500);
    sizes.tookTooLong(1000);
    assert.equal(sizes.next(), 250);
  });

  it('is at least one record', () => {
    assert.deepEqual(sizesOf({ most: 2 }, 4, { isTooMuch: () => true }).asked, [2, 1, 1, 1]);
  });
});
