import assert from 'node:assert/strict';
import { SourceError } from '../../../../server/src/connectors/source-error.ts';
import { abortLater } from '../../../../server/src/connectors/trino/abort-later.ts';
import { graphPlace } from '../../../../server/src/connectors/trino/graph-place.ts';
import { publishGraph } from '../../../../server/src/connectors/trino/publish-graph.ts';
import type { Session } from '../../../../server/src/connectors/trino/session.ts';

describe('publishing a graph inside Trino', () => {
  const signal = new AbortController().signal;
  const place = graphPlace({ catalog: 'lake' }, 'shop');
  const publication = {
    ...{ run: 'mine', owner: { entity: 'one', runs: [] }, relations: ['run'] },
    turn: { turn: 3, run: 'before', previous: undefined, hasSchema: true },
  };

  /** Publishes where the change of the pointer fails. @param pointer its row afterwards */
  async function failing(error: SourceError, pointer: readonly unknown[]): Promise<void> {
    const session = {
      run: async (statement: { readonly text: string }) => {
        if (statement.text.startsWith('UPDATE')) throw error;
        return undefined;
      },
      rows: async (sql: string) => (sql.startsWith('SELECT turn') ? [pointer] : []),
    } as unknown as Session;
    await publishGraph(session, place, publication, { preparing: signal, finishing: signal }, () => undefined);
  }

  const commitFailed = new SourceError('source-failed', 'Failed to commit: the storage is read-only', {});

  it('reports another import only if the turn has changed', async () => {
    await assert.rejects(failing(commitFailed, [3, 'before', null, 'one']), commitFailed);
    await assert.rejects(failing(commitFailed, [4, 'other', 'before', 'one']), /Another import published its graph/u);
  });

  it('continues after a lost response if the pointer names its run', async () => {
    await failing(commitFailed, [4, 'mine', 'before', 'one']);
  });

  it('stops before the change of the pointer if cancelled', async () => {
    const preparing = AbortSignal.abort(new Error('Cancelled.'));
    const session = { run: async () => assert.fail(), rows: async () => [] } as unknown as Session;
    const publishing = publishGraph(session, place, publication, { preparing, finishing: signal }, assert.fail);
    await assert.rejects(publishing, /Cancelled/u);
  });
});

describe('abortLater', () => {
  it('aborts with the reason of the given signal, also if that is already aborted', async () => {
    const first = new AbortController();
    const laters = [abortLater(first.signal, 1)];
    const reason = new Error('Cancelled.');
    first.abort(reason);
    laters.push(abortLater(first.signal, 1));
    for (const { signal, release } of laters) {
      assert.ok(!signal.aborted);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      assert.equal(signal.reason, reason);
      release();
    }
  });
});
