import assert from 'node:assert/strict';
import { commonEnds, shortPath } from '../../../webview/src/event-graph/variant-words.ts';

describe('variants of a list', () => {
  const cases: readonly (readonly [variants: readonly string[], shown: readonly string[]])[] = [
    [
      ['ABXCD', 'ABYYCD'],
      ['… → X → …', '… → Y × 2 → …'],
    ],
    [
      ['ABD', 'ACD', 'AD'],
      ['… → B → D', '… → C → D', '… → D'],
    ],
    [
      ['AB', 'AB'],
      ['… → B', '… → B'],
    ],
    [
      ['AAB', 'AB'],
      ['… → A → B', '… → B'],
    ],
    [['AB'], ['A → B']],
    [
      ['XA', 'YB'],
      ['X → A', 'Y → B'],
    ],
  ];
  for (const [variants, shown] of cases) {
    it(`show what tells them apart: ${variants.join(', ')}`, () => {
      const all = variants.map((text) => ({ activities: [...text], events: text.length }));
      const common = commonEnds(all);
      assert.deepEqual(
        all.map(({ activities }) => shortPath(activities, [], common)),
        shown,
      );
    });
  }

  it('keep their ends where these are not known', () => {
    const all = [
      { activities: ['A', 'B', 'D'], events: 200 },
      { activities: ['A', 'C', 'D'], events: 3 },
    ];
    assert.deepEqual(commonEnds(all), { start: 1, end: 0 });
  });
});
