import assert from 'node:assert/strict';
import { warmUp } from '../../../server/src/lsp/warm-up.ts';

describe('warmUp', () => {
  it('reads and validates a graph without problems', async () => {
    assert.deepEqual(await warmUp(() => true), []);
  });

  it('ends early when it is no longer wanted', async () => {
    let asked = 0;
    assert.equal(await warmUp(() => (asked += 1) < 3), undefined);
    assert.equal(asked, 3);
  });
});
