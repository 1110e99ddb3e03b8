import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';

/** A request's work. The signal is aborted when the client cancels it. */
export type RequestWork<P, R> = (params: P, signal: AbortSignal) => Promise<R> | R;

/**
 * Puts a border around a request: the client's cancellation becomes an AbortSignal, and whatever the work throws becomes
 * one message in the client's log, never a dead server.
 */
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
      return new ResponseError<never>(
        ErrorCodes.InternalError,
        `Something went wrong that should not: ${messageOf(error)}`,
      );
    } finally {
      subscription.dispose();
    }
  };
}

/**
 * The border around a request that only reads: nobody wants its answer once it is cancelled, so it is not begun when that
 * came before its turn, and not answered when it came in between. (An import that is cancelled still tells what it did.)
 */
export function guardRead<P, R>(
  work: RequestWork<P, R>,
  log: (message: string) => void,
): (params: P, token: CancellationToken) => Promise<R | ResponseError<never>> {
  return guardRequest(async (params: P, signal) => {
    // One turn of the event loop: who types on may have cancelled this already, with nobody listening yet.
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

/** Resolves like `work`, but rejects as soon as the signal is aborted: whoever waited is told, the work goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Runs work that nobody waits for; a failure goes to the log. */
export function runInBackground(work: () => Promise<void>, log: (message: string) => void): void {
  void work().catch((error: unknown) => log(errorText(error)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
