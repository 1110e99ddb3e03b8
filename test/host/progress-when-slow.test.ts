import assert from 'node:assert/strict';
import { CancellationTokenSource, type Progress, window } from 'vscode';
import { progressWhenSlow } from '../../client/src/progress-when-slow.ts';

describe('work that may be slow', () => {
  const real = window.withProgress;
  const titles: (string | undefined)[] = [];
  /** A person who presses Cancel as soon as it can be pressed. */
  const cancelling: typeof window.withProgress = async (options, task) => {
    titles.push(options.title);
    assert.equal(options.cancellable, true);
    const source = new CancellationTokenSource();
    const progress: Progress<unknown> = { report: () => undefined };
    const done = task(progress, source.token);
    source.cancel();
    return done;
  };
  beforeEach(() => {
    titles.length = 0;
    Object.assign(window, { withProgress: cancelling });
  });
  afterEach(() => void Object.assign(window, { withProgress: real }));

  it('that is quick shows no notification', async () => {
    const outcome = await progressWhenSlow('Quick', async () => ({ ok: true as const, value: 1 }));
    assert.deepEqual(outcome, { ok: true, value: 1 });
    assert.deepEqual(titles, []);
  });

  it('that is slow shows one, and ends when it is cancelled there', async () => {
    const outcome = await progressWhenSlow(
      'Slow',
      (token) =>
        new Promise<never>((_, reject) => token.onCancellationRequested(() => reject(new Error('Cancelled.')))),
    );
    assert.deepEqual(outcome, { ok: false, error: { code: 'cancelled', message: 'Cancelled.' } });
    assert.deepEqual(titles, ['Slow']);
  });

  it('that fails by itself is no cancelled work', async () => {
    await assert.rejects(
      progressWhenSlow('Failing', () => Promise.reject(new Error('gone'))),
      /gone/,
    );
  });
});
