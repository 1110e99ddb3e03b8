import { Worker } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { LayOut } from '../event-graph/layout-map.ts';

type FromThread = { readonly placed: ElkNode } | { readonly failure: string };

/**
 * Lays out graphs in a thread, one after another. ELK cannot be interrupted: cancelling ends the thread, and the next
 * graph starts a new one.
 * @param threadPath the bundle of `elk-thread.ts`.
 */
export function createElkThread(threadPath: string): LayOut {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = new Worker(threadPath);
    started.unref();
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  function layOutNow(graph: ElkNode, signal: AbortSignal | undefined): Promise<ElkNode> {
    const used = (thread ??= start());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        used.removeAllListeners('message');
        used.removeListener('error', failed);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const failed = (error: Error): void => end(() => reject(error));
      const abort = (): void => {
        thread = undefined;
        void used.terminate();
        end(() => reject(signal?.reason));
      };
      used.once('error', failed);
      used.on('message', (answer: FromThread) =>
        end(() => ('placed' in answer ? resolve(answer.placed) : reject(new Error(answer.failure)))),
      );
      signal?.addEventListener('abort', abort, { once: true });
      used.postMessage(graph);
    });
  }

  const layOut: LayOut = (graph, signal) => {
    const turn = last.then(() => {
      signal?.throwIfAborted();
      return layOutNow(graph, signal);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return Object.assign(layOut, {
    async prepare() {
      if (!thread) (thread = start()).postMessage('prepare');
    },
  });
}
