/**
 * A signal that is aborted some time after another one, with its reason. `release` ends the waiting and must be called.
 */
export function abortLater(
  signal: AbortSignal,
  graceMs: number,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => later.abort(signal.reason), graceMs);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: later.signal,
    release() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
