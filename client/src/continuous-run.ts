import { createDebouncer } from '../../protocol/debouncer.ts';

/** Tests that run again whenever something changes that they depend on. */
interface ContinuousRun {
  /** @param file the URI of a test file, whose tests run again; undefined for a file that all tests may depend on */
  changed(file: string | undefined): void;
  stop(): void;
}

/**
 * Runs all tests, and again after changes, one run at a time: a change cancels the run that it makes out of date.
 * @param run the tests of some files, or all; rejections go to `onError`
 */
export function startContinuousRun(
  run: (files: ReadonlySet<string> | undefined, signal: AbortSignal) => Promise<void>,
  { delayMs, onError }: { readonly delayMs: number; readonly onError: (error: unknown) => void },
): ContinuousRun {
  /** The files that have changed since the last completed run; undefined for everything. */
  let files: Set<string> | undefined;
  let current = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  const next = createDebouncer(delayMs, () => start());

  function start(): void {
    current.abort();
    if (isStopped) return;
    const own = new AbortController();
    current = own;
    last = last
      .then(async () => {
        if (own.signal.aborted) return;
        const due = files;
        files = new Set();
        try {
          await run(due, own.signal);
        } finally {
          // The unfinished part of a cancelled run is due again.
          if (own.signal.aborted) files = due && files && new Set([...due, ...files]);
        }
      })
      .catch(onError);
  }

  start();
  return {
    changed(file) {
      if (file === undefined) files = undefined;
      else files?.add(file);
      next.schedule();
    },
    stop() {
      isStopped = true;
      next.cancel();
      current.abort();
    },
  };
}
