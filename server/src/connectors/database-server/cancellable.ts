/** Time in milliseconds that a server gets to end a cancelled statement. */
const graceMs = 5_000;

interface CancelOptions {
  /** Asks the server to cancel the running statement. */
  readonly cancel: () => unknown;
  /** Closes the socket as a last resort. */
  readonly cut: () => void;
  /** Describes a failure. */
  readonly explain: (error: unknown) => unknown;
}

/** Runs `work`; an abort cancels it on the server. Rejects with the signal's reason, or with what `explain` returns. */
export async function cancellable<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  { cancel, cut, explain }: CancelOptions,
): Promise<T> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    void cancel();
    timer = setTimeout(cut, graceMs);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw explain(error);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}
