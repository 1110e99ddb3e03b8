import assert from 'node:assert/strict';
import { headerOf, readAnswerPath } from '../../../../server/src/connectors/endpoints/answer-path.ts';
import { valueAt } from '../../../../server/src/connectors/fetched/json-records.ts';

const answer = {
  result: [{ items: [1, 2] }, { items: [] }],
  meta: { '0': 'zero' },
  'a b': { c: 3 },
  '@odata.nextLink': 'x',
};

const paths: readonly (readonly [path: string, steps: readonly string[] | undefined, value: unknown])[] = [
  ['', [], answer],
  ['$', [], answer],
  ['result', ['result'], answer.result],
  ['$.result', ['result'], answer.result],
  ['$.result[0].items', ['result', '0', 'items'], [1, 2]],
  ['result[0].items[1]', ['result', '0', 'items', '1'], 2],
  ['result.0.items', ['result', '0', 'items'], [1, 2]],
  ['result[2].items', ['result', '2', 'items'], undefined],
  ['result.length', ['result', 'length'], undefined],
  ['meta[0]', ['meta', '0'], 'zero'],
  ['a b.c', ['a b', 'c'], 3],
  ['$meta', ['$meta'], undefined],
  ['[1]', ['1'], undefined],
  ['header:X-Total-Count', ['header:x-total-count'], undefined],
  ['result[*]', undefined, undefined],
  ['result[0].items[-1]', ['result', '0', 'items', '-1'], 2],
  ['@odata.nextLink', ['@odata', 'nextLink'], 'x'],
  ['result[1-]', undefined, undefined],
  ['result[0', undefined, undefined],
  ['result[0]items', undefined, undefined],
  ['header:', undefined, undefined],
  ['header:a b', undefined, undefined],
];

describe('answer paths', () => {
  for (const [path, steps, value] of paths)
    it(`read ${path || 'the empty path'}`, () => {
      assert.deepEqual(readAnswerPath(path), steps);
      if (steps) assert.deepEqual(valueAt(answer, steps), value);
    });

  it('name headers in lower case', () => {
    assert.equal(headerOf(['header:x-next']), 'x-next');
    assert.equal(headerOf(['header']), undefined);
    assert.equal(headerOf([]), undefined);
  });
});
