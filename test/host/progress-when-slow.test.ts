import assert from 'node:assert/strict';
import { CancellationTokenSource, type Progress, window } from 'vscode';
import { progressWhenSlow } from '../../client/src/progress-when-slow.ts';
import { waitFor } from './wait-for.ts';

describe('progress notification', () => {
  /** No questions are asked. */
  const quiet = { answered: async () => undefined };
  const real = window.withProgress;
  const titles: (string | undefined)[] = [];
  const neverCancelled = new CancellationTokenSource().token;
  /** A person who presses Cancel as soon as possible. */
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

  it('is not shown for quick work', async () => {
    const outcome = await progressWhenSlow(quiet, 'Quick', async () => ({ ok: true as const, value: 1 }));
    assert.deepEqual(outcome, { ok: true, value: 1 });
    assert.deepEqual(titles, []);
  });

  it('is shown for slow work, and cancels it', async () => {
    const outcome = await progressWhenSlow(
      quiet,
      'Slow',
      (token) =>
        new Promise<never>((_, reject) => token.onCancellationRequested(() => reject(new Error('Cancelled.')))),
    );
    assert.deepEqual(outcome, { ok: false, error: { code: 'cancelled', message: 'Cancelled.' } });
    assert.deepEqual(titles, ['Slow']);
  });

  it('shows the latest step of the work, with its time so far', async () => {
    const told: string[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const looking: typeof window.withProgress = async (_options, task) =>
      task({ report: (value) => told.push((value as { readonly message: string }).message) }, neverCancelled);
    Object.assign(window, { withProgress: looking });
    const running = progressWhenSlow(quiet, 'Slow', async (_token, report) => {
      report('Connecting to db.example:5432');
      await ended;
      return { ok: true as const, value: 1 };
    });
    await waitFor('the time is told', () => told.length > 1);
    assert.deepEqual(told.slice(0, 2), ['Connecting to db.example:5432', 'Connecting to db.example:5432 · 5 s']);
    end();
    assert.deepEqual(await running, { ok: true, value: 1 });
  });

  it('is shown only after questions of the work are answered', async () => {
    let answer = (): void => undefined;
    const question = new Promise<void>((resolve) => (answer = resolve));
    const language = {
      answered() {
        titles.push('waits');
        return question;
      },
    };
    const running = progressWhenSlow(
      language,
      'Asking',
      (token) =>
        new Promise<never>((_, reject) => token.onCancellationRequested(() => reject(new Error('Cancelled.')))),
    );
    await waitFor('it would show one', () => titles.length > 0);
    assert.deepEqual(titles, ['waits']);
    answer();
    assert.equal((await running).ok, false);
    assert.deepEqual(titles, ['waits', 'Asking']);
  });

  it('a failure of the work is not treated as a cancellation', async () => {
    await assert.rejects(
      progressWhenSlow(quiet, 'Failing', () => Promise.reject(new Error('gone'))),
      /gone/,
    );
  });
});
