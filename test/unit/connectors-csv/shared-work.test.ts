import assert from 'node:assert/strict';
import { shareWork } from '../../../server/src/connectors/csv/workbook/shared-work.ts';

/** Work that ends when it is told, or is aborted. */
function startWork() {
  let end: (result: string) => void = () => undefined;
  let isAborted = false;
  const work = shareWork(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        end = resolve;
        signal.addEventListener('abort', () => {
          isAborted = true;
          reject(signal.reason as Error);
        });
      }),
  );
  return { work, end: (result: string) => end(result), isAborted: () => isAborted };
}

describe('work that several callers wait for', () => {
  it('goes on when one of them is cancelled', async () => {
    const { work, end, isAborted } = startWork();
    const [one, other] = [new AbortController(), new AbortController()];
    const results = [work.result(one.signal), work.result(other.signal), work.result(undefined)] as const;
    one.abort(new Error('first'));
    await assert.rejects(results[0], /first/);
    end('done');
    assert.deepEqual(await Promise.all(results.slice(1)), ['done', 'done']);
    assert.equal(isAborted(), false);
  });

  it('is aborted when all of them are cancelled, and is then not shared any more', async () => {
    const { work, isAborted } = startWork();
    const [one, other] = [new AbortController(), new AbortController()];
    const results = [work.result(one.signal), work.result(other.signal)] as const;
    one.abort(new Error('first'));
    await assert.rejects(results[0], /first/);
    assert.deepEqual([work.isAbandoned, isAborted()], [false, false]);
    other.abort(new Error('second'));
    await assert.rejects(results[1], /second/);
    assert.deepEqual([work.isAbandoned, isAborted()], [true, true]);
  });

  it('rejects at once for a caller that has been cancelled before', async () => {
    const { work, end } = startWork();
    await assert.rejects(work.result(AbortSignal.abort(new Error('before'))), /before/);
    end('done');
    assert.equal(await work.result(undefined), 'done');
  });
});
