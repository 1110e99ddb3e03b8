import type { Failure, Outcome } from '../../protocol/query-results.ts';
import type { CanvasMethod, CanvasRequests, EventGraphMethod, FromWebview } from '../../protocol/webview-messages.ts';
import { t } from './ui/translate.ts';

/** Methods of the extension: each with params and result. */
type RequestTable<Table> = Record<keyof Table, { readonly params: unknown; readonly result: unknown }>;

/** Asks the extension, typed by the shared protocol. */
export interface AskOf<Table extends RequestTable<Table>> {
  /** Never rejects: a failure of any kind is an outcome. Aborting cancels the work on the server too. */
  <M extends keyof Table>(method: M, params: Table[M]['params'], signal?: AbortSignal): Promise<Table[M]['result']>;
}

/** What the canvas may ask. */
export type Ask = AskOf<CanvasRequests>;

export interface RequestChannel<Table extends RequestTable<Table>> {
  readonly ask: AskOf<Table>;
  receive(id: number, result: unknown): void;
}

export function createRequestChannel<Table extends RequestTable<Table>>(
  post: (message: FromWebview) => void,
): RequestChannel<Table> {
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
        // Only methods of the protocol are in a table.
        post({ type: 'request', id, method: method as CanvasMethod | EventGraphMethod, params });
      });
    },
    receive(id, result) {
      const resolve = waiting.get(id);
      waiting.delete(id);
      resolve?.(result);
    },
  };
}

const cancelled: Outcome<never> = {
  ok: false,
  error: { code: 'cancelled', message: t('Cancelled.') } satisfies Failure,
};
