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
      if (abort.signal.aborted) return new ResponseError<never>(LSPErrorCodes.RequestCancelled, 'Cancelled.');
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
