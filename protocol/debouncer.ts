/** Runs `work` after a delay without further calls of `schedule`. Never keeps a process alive. */
export interface Debouncer {
  /** Restarts the delay. @param delayMs delay of this call, if not the default. */
  schedule(delayMs?: number): void;
  readonly isScheduled: boolean;
  cancel(): void;
}

// Node and browsers have both, with different types.
declare function setTimeout(work: () => void, delayMs: number): { unref?(): void } | number;
declare function clearTimeout(timer: unknown): void;

export function createDebouncer(usualDelayMs: number, work: () => void): Debouncer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    schedule(delayMs = usualDelayMs) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        work();
      }, delayMs);
      if (typeof timer === 'object') timer.unref?.();
    },
    get isScheduled() {
      return timer !== undefined;
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
