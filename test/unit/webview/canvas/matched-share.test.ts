import assert from 'node:assert/strict';
import { matchedTexts, pairsText } from '../../../../webview/src/canvas/matched-share.ts';

describe('the share of entities that a relationship matched', () => {
  const end = (related: number, entities: number) => ({ name: 'Place Order', entities, related });
  const cases: readonly (readonly [pairs: number, source: number, target: number, expected: string])[] = [
    [1204, 960, 1000, '1,204 pairs · 96 % / 100 % matched'],
    [1000, 1000, 1000, '1,000 pairs · all matched'],
    [1, 1, 999, '1 pair · < 1 % / 100 % matched'],
    [999, 999, 1, '999 pairs · > 99 % / < 1 % matched'],
    [0, 0, 0, '0 pairs · 0 % / 0 % matched'],
  ];
  for (const [pairs, source, target, expected] of cases) {
    it(expected, () => {
      const targets = target === 999 ? 999 : 1000;
      assert.equal(pairsText({ pairs, source: end(source, 1000), target: end(target, targets) }), expected);
    });
  }
  it('is omitted if unknown', () => assert.equal(pairsText({ pairs: 7, target: end(3, 4) }), '7 pairs'));
  it('is written in full for the tooltip', () => {
    assert.deepEqual(matchedTexts({ pairs: 960, source: end(960, 1000) }), [
      'Place Order: 960 of 1,000 entities matched (96 %)',
    ]);
  });
});
