import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createDebouncer } from '../../../protocol/debouncer.ts';

describe('createDebouncer', () => {
  let calls: number;
  const work = (): void => void (calls += 1);

  beforeEach(() => {
    calls = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('runs once, a delay after the last call', () => {
    const debouncer = createDebouncer(100, work);
    debouncer.schedule();
    mock.timers.tick(99);
    debouncer.schedule();
    mock.timers.tick(99);
    assert.deepEqual([calls, debouncer.isScheduled], [0, true]);
    mock.timers.tick(1);
    assert.deepEqual([calls, debouncer.isScheduled], [1, false]);
    mock.timers.tick(1_000);
    assert.equal(calls, 1);
  });

  it('accepts a delay per call', () => {
    const debouncer = createDebouncer(100, work);
    debouncer.schedule(500);
    mock.timers.tick(499);
    assert.equal(calls, 0);
    debouncer.schedule(10);
    mock.timers.tick(10);
    assert.equal(calls, 1);
  });

  it('does nothing after cancellation until the next call', () => {
    const debouncer = createDebouncer(100, work);
    debouncer.schedule();
    debouncer.cancel();
    mock.timers.tick(1_000);
    assert.deepEqual([calls, debouncer.isScheduled], [0, false]);
    debouncer.schedule();
    mock.timers.tick(100);
    assert.equal(calls, 1);
  });
});
