import assert from 'node:assert/strict';
import { isLimitReached, limitWaitMs } from '../../../../server/src/connectors/http/transient-failure.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const inAMinute = now / 1000 + 60;

describe('the wait that a rate limit asks for', () => {
  for (const [what, headers, seconds] of [
    ['whole seconds', { 'retry-after': '60' }, 60],
    ['seconds with decimals', { 'retry-after': '60.0' }, 60],
    ['two values, of which the longer one counts', { 'retry-after': '5, 60' }, 60],
    ['a date', { 'retry-after': 'Sun, 29 Nov 2026 12:01:00 GMT' }, 60],
    ['a reset in seconds', { 'x-ratelimit-reset': '60' }, 60],
    ['a reset in seconds since 1970', { 'x-ratelimit-reset': String(inAMinute) }, 60],
    ['a reset in milliseconds since 1970', { 'x-ratelimit-reset': String(inAMinute * 1000) }, 60],
    ['RateLimit, the policy that is used up', { ratelimit: '"burst";r=0;t=60, "day";r=70;t=9000' }, 60],
    ['RateLimit as in earlier drafts', { ratelimit: 'limit=100, remaining=0, reset=60' }, 60],
    ['RateLimit with something left', { ratelimit: '"day";r=70;t=9000' }, undefined],
    ['nothing that can be read', { 'retry-after': 'soon' }, undefined],
  ] as const)
    it(what, () => {
      const wait = limitWaitMs(new Headers(headers), now);
      assert.equal(wait, seconds === undefined ? undefined : seconds * 1000);
    });

  it('is known to be the reason of a refusal only if nothing is left', () => {
    const isReached = (headers: Readonly<Record<string, string>>): boolean => isLimitReached(new Headers(headers));
    assert.ok(isReached({ 'x-ratelimit-remaining': '0' }));
    assert.ok(isReached({ 'ratelimit-remaining': '0' }));
    assert.ok(isReached({ ratelimit: '"q; r=5";r=0;t=1' }));
    assert.ok(!isReached({ ratelimit: '"q; r=0";r=5;t=1' }));
    assert.ok(!isReached({ 'x-ratelimit-remaining': '5' }));
    assert.ok(!isReached({}));
  });
});
