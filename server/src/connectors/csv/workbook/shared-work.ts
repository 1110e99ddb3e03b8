/** Work whose result several callers wait for. */
export interface SharedWork<T> {
  /** Rejects with the reason of the caller's own signal once that is aborted. */
  result(signal: AbortSignal | undefined): Promise<T>;
  /** Nobody waited for it any more: it has been aborted, and must be started again. */
  readonly isAbandoned: boolean;
}

/** Starts work that is aborted only when each of its callers has aborted. */
export function shareWork<T>(start: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  const controller = new AbortController();
  const work = start(controller.signal);
  // Each caller gets the failure from `result`.
  work.catch(() => undefined);
  let waiting = 0;
  return {
    get isAbandoned() {
      return controller.signal.aborted;
    },
    async result(signal) {
      signal?.throwIfAborted();
      waiting += 1;
      const settled = new AbortController();
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: settled.signal });
      });
      try {
        return await Promise.race([work, aborted]);
      } finally {
        settled.abort();
        waiting -= 1;
        if (waiting === 0 && signal?.aborted) controller.abort(signal.reason);
      }
    },
  };
}
