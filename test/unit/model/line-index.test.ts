import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { changeBetween } from '../../../server/src/model/text-change.ts';

const piece = fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', '\n\n', '😀', '');

describe('createLineIndex', () => {
  it('converts between offsets and LSP positions', () => {
    const index = createLineIndex('ab\nc\r\nd\re\n');
    const places = [0, 2, 3, 4, 6, 8, 10].map((offset) => index.position(offset));
    assert.deepEqual(
      places.map(({ line, character }) => [line, character]),
      [
        [0, 0],
        [0, 2],
        [1, 0],
        [1, 1],
        [2, 0],
        [3, 0],
        [4, 0],
      ],
    );
    assert.equal(index.offset({ line: 1, character: 9 }), 4);
    assert.equal(index.offset({ line: 9, character: 0 }), 10);
  });

  it('is equal when updated incrementally', () => {
    const texts = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, texts, fc.nat(30), fc.nat(10), (text, inserted, at, removed) => {
        const from = Math.min(at, text.length);
        const until = Math.min(from + removed, text.length);
        const next = text.slice(0, from) + inserted + text.slice(until);
        const index = createLineIndex(text);
        const anew = [...createLineIndex(next).starts];
        const change = { from, until, distance: next.length - text.length };
        assert.deepEqual([...createLineIndex(next, { index, change }).starts], anew, JSON.stringify([text, next]));
        const found = changeBetween(text, next);
        assert.deepEqual([...createLineIndex(next, { index, change: found }).starts], anew);
      }),
      { numRuns: 2000 },
    );
  });
});
