import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { CanvasMethod, CanvasParams, CanvasResult, FromWebview } from '../../protocol/webview-messages.ts';

/** Asks the extension, typed by the shared protocol. */
export interface Ask {
  /** Never rejects: a failure of any kind is an outcome. Aborting cancels the work on the server too. */
  <M extends CanvasMethod>(method: M, params: CanvasParams<M>, signal?: AbortSignal): Promise<CanvasResult<M>>;
}

export interface RequestChannel {
  readonly ask: Ask;
  receive(id: number, result: unknown): void;
}

export function createRequestChannel(post: (message: FromWebview) => void): RequestChannel {
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  return {
    ask(method, params, signal) {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        // The extension answers each method with its own result.
        waiting.set(id, resolve as (result: unknown) => void);
        signal?.addEventListener('abort', () => {
          if (waiting.delete(id)) {
            post({ type: 'cancelRequest', id });
            // Every result is an outcome.
            resolve(cancelled as never);
          }
        });
        post({ type: 'request', id, method, params });
      });
    },
    receive(id, result) {
      const resolve = waiting.get(id);
      waiting.delete(id);
      resolve?.(result);
    },
  };
}

const cancelled: Outcome<never> = { ok: false, error: { code: 'cancelled', message: 'Cancelled.' } satisfies Failure };
