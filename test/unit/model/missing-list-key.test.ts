import assert from 'node:assert/strict';
import { missingListKey } from '../../../server/src/model/missing-list-key.ts';

describe('missingListKey', () => {
  const entry = '  - activityName: A\n    dataObject: orders\n';

  it('finds the missing line above entries', () => {
    const text = `dataSource: shop\n${entry}`;
    const found = missingListKey(text, text.indexOf('- '));
    assert.deepEqual([found?.key, text.slice(found?.first.start, found?.first.end)], ['elements', 'activityName']);
  });

  it('terminates for any text with blank lines at its ends', () => {
    for (const text of ['\n', '\n\n', `\nx y\n${entry}`, `\n\n${entry}\n\n`, '\n# note', '\r\n', '']) {
      for (let offset = 0; offset <= text.length; offset += 1) missingListKey(text, offset);
    }
  });
});
