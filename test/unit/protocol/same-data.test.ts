import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSameData } from '../../../protocol/same-data.ts';

describe('isSameData', () => {
  it('is true for copies of any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isSameData(value, JSON.parse(JSON.stringify(value)) as unknown)));
  });

  it('is true for two values exactly when their texts with sorted keys are equal', () => {
    const small = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        fc.constantFrom(null, true, 0, 1, '', 'a'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'length'), tie('value'), { maxKeys: 2 }),
      ),
    })).value;
    fc.assert(
      fc.property(small, small, (one, other) => isSameData(one, other) === (sortedText(one) === sortedText(other))),
      { numRuns: 2000 },
    );
  });

  it('treats a key without a value as absent, as JSON does', () => {
    assert.equal(isSameData({ a: 1, b: undefined }, { a: 1 }), true);
    assert.equal(isSameData({ a: 1 }, { a: 1, b: undefined }), true);
    assert.equal(isSameData({ a: 1 }, { a: 1, b: null }), false);
  });
});

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
