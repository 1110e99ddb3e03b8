import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';

/** A thousand activities, `Step 000` to `Step 999`, and a relationship whose source is being typed. */
function offered(source: string, max?: number): { readonly labels: readonly string[]; readonly isLeftOut: boolean } {
  const elements = Array.from(
    { length: 1000 },
    (_, index) => `  - { activityName: Step ${String(index).padStart(3, '0')}, dataObject: orders }\n`,
  );
  const { text, offset } = withCursor(
    `elements:\n${elements.join('')}relationships:\n  - source: ${source}\n    target: Step 000\n`,
  );
  let isLeftOut = false;
  const limit = max === undefined ? undefined : { max, onExceeded: () => void (isLeftOut = true) };
  const labels = completeEntityGraph({ parsed: parseEntityGraph(text) }, offset, limit).map(({ label }) => label);
  return { labels, isLeftOut };
}

describe('completion with very many names', () => {
  it('returns the first items, marked as incomplete', () => {
    const { labels, isLeftOut } = offered('<|>', 3);
    assert.deepEqual(labels, ['Step 000', 'Step 001', 'Step 002']);
    assert.ok(isLeftOut);
  });

  it('returns the first items that match the text before the cursor, quoted or not', () => {
    for (const source of ['Step 98<|>', 'Step 98<|>7', '"Step 98<|>"', "'step 98<|>", 'step98<|>']) {
      const { labels, isLeftOut } = offered(source, 12);
      const tens = Array.from({ length: 10 }, (_, index) => `Step 98${index}`);
      // Editors match characters that are further apart, too.
      assert.deepEqual(labels, [...tens, 'Step 098', 'Step 198'], source);
      assert.ok(isLeftOut);
    }
    assert.deepEqual(offered('99<|>', 4).labels, ['Step 099', 'Step 199', 'Step 299', 'Step 399']);
    assert.deepEqual(offered('Other<|>', 20).labels, []);
  });

  it('returns all items below the limit, regardless of the typed text', () => {
    for (const max of [1000, undefined]) {
      const { labels, isLeftOut } = offered('Other<|>', max);
      assert.equal(labels.length, 1000);
      assert.ok(!isLeftOut);
    }
  });
});
