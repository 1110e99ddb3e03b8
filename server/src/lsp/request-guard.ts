import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';

/** A request handler. The signal is aborted when the client cancels. */
export type RequestWork<P, R> = (params: P, signal: AbortSignal) => Promise<R> | R;

/** Wraps a handler: cancellation becomes an AbortSignal, and errors become a logged error response. */
export function guardRequest<P, R>(
  work: RequestWork<P, R>,
  log: (message: string) => void,
): (params: P, token: CancellationToken) => Promise<R | ResponseError<never>> {
  return async (params, token) => {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort(new Error('Cancelled.')));
    if (token.isCancellationRequested) abort.abort(new Error('Cancelled.'));
    try {
      return await work(params, abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return cancelled();
      log(errorText(error));
      return new ResponseError<never>(ErrorCodes.InternalError, `Unexpected error: ${messageOf(error)}`);
    } finally {
      subscription.dispose();
    }
  };
}

/**
 * Wraps a reading handler: a request cancelled while queued is not started, and one cancelled while running gets no
 * result. (Imports still return a summary.)
 */
export function guardRead<P, R>(
  work: RequestWork<P, R>,
  log: (message: string) => void,
): (params: P, token: CancellationToken) => Promise<R | ResponseError<never>> {
  return guardRequest(async (params: P, signal) => {
    // Yields once, because the cancellation may already be queued.
    await nextTurn();
    signal.throwIfAborted();
    const result = await work(params, signal);
    signal.throwIfAborted();
    return result;
  }, log);
}

function cancelled(): ResponseError<never> {
  return new ResponseError<never>(LSPErrorCodes.RequestCancelled, 'Cancelled.');
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves like `work`, but rejects when the signal is aborted, while the work continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Runs background work; a failure is logged. */
export function runInBackground(work: () => Promise<void>, log: (message: string) => void): void {
  void work().catch((error: unknown) => log(errorText(error)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
