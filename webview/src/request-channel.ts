import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import type { CanvasRequests } from '../../protocol/requests/canvas-requests.ts';
import { t } from './ui/translate.ts';

/** Methods of the extension, each with parameters and result. */
type RequestTable<Table> = Record<keyof Table, { readonly params: unknown; readonly result: unknown }>;

/** Requests to the extension, typed by the shared protocol. */
export interface AskOf<Table extends RequestTable<Table>> {
  /** Never rejects: failures are results. Aborting also cancels the request on the server. */
  <M extends keyof Table>(
    method: M,
    params: Table[M]['params'],
    signal?: AbortSignal,
    /** Called with each step of the request until it is answered, where it tells any. */
    onStep?: (step: string) => void,
  ): Promise<Table[M]['result']>;
}

/** The requests of the canvas. */
export type Ask = AskOf<CanvasRequests>;

interface RequestChannel<Table extends RequestTable<Table>> {
  readonly ask: AskOf<Table>;
  receive(id: number, result: unknown): void;
  reached(id: number, step: string): void;
}

export function createRequestChannel<Table extends RequestTable<Table>>(
  post: (message: FromWebview) => void,
): RequestChannel<Table> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  return {
    ask(method, params, signal, onStep) {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        // The extension's result type matches its method.
        waiting.set(id, { resolve: resolve as Waiting['resolve'], onStep });
        signal?.addEventListener('abort', () => {
          if (waiting.delete(id)) {
            post({ type: 'cancelRequest', id });
            // Every result is an outcome.
            resolve(cancelled as never);
          }
        });
        post({ type: 'request', id, method: String(method), params });
      });
    },
    receive(id, result) {
      const asked = waiting.get(id);
      waiting.delete(id);
      asked?.resolve(result);
    },
    reached: (id, step) => waiting.get(id)?.onStep?.(step),
  };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly onStep: ((step: string) => void) | undefined;
}

const cancelled: Outcome<never> = {
  ok: false,
  error: { code: 'cancelled', message: t('Cancelled.') } satisfies Failure,
};
