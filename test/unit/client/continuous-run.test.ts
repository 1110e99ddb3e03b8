import assert from 'node:assert/strict';
import { startContinuousRun } from '../../../client/src/continuous-run.ts';

describe('a continuous run of tests', () => {
  interface Run {
    readonly files: readonly string[] | 'all';
    isCancelled: boolean;
    readonly end: () => void;
  }
  let runs: Run[];
  let told: () => void;
  const errors: unknown[] = [];
  const start = () => {
    runs = [];
    return startContinuousRun(
      (files, signal) =>
        new Promise<void>((end) => {
          let isOver = false;
          const run: Run = {
            files: files ? [...files].sort() : 'all',
            isCancelled: false,
            end: () => ((isOver = true), end()),
          };
          runs.push(run);
          signal.addEventListener('abort', () => {
            run.isCancelled ||= !isOver;
            run.end();
          });
          told();
        }),
      { delayMs: 1, onError: (error) => errors.push(error) },
    );
  };
  const begun = () => new Promise<void>((resolve) => (told = resolve));

  it('runs everything, then changed files, once after several changes', async () => {
    const first = begun();
    const continuous = start();
    await first;
    runs[0]?.end();
    const second = begun();
    continuous.changed('b');
    continuous.changed('a');
    continuous.changed('b');
    await second;
    runs[1]?.end();
    const third = begun();
    continuous.changed(undefined);
    await third;
    continuous.stop();
    assert.deepEqual(
      runs.map(({ files, isCancelled }) => [files, isCancelled]),
      [
        ['all', false],
        [['a', 'b'], false],
        ['all', true],
      ],
    );
    assert.deepEqual(errors, []);
  });

  it('cancels a run that a change makes outdated, and then runs the remaining tests', async () => {
    const first = begun();
    const continuous = start();
    await first;
    const second = begun();
    continuous.changed('a');
    await second;
    runs[1]?.end();
    const third = begun();
    continuous.changed('b');
    await third;
    const fourth = begun();
    continuous.changed('c');
    await fourth;
    continuous.stop();
    assert.deepEqual(
      runs.map(({ files, isCancelled }) => [files, isCancelled]),
      [
        ['all', true],
        ['all', false],
        [['b'], true],
        [['b', 'c'], true],
      ],
    );
  });
});
