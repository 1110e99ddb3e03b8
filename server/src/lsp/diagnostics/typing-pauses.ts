import { createDebouncer } from '../../../../protocol/debouncer.ts';

/** How long nothing must have been typed before problems are published. */
const debounceMs = 50;
/** How long before they are looked for, so that nothing is left to wait for then. */
const validateAfterMs = 25;

/** Finds what is to be published of documents, once typing pauses: the same for editors that ask and for those that are told. */
export interface TypingPauses<T> {
  /**
   * A document changed, at a time of `performance.now()`.
   * @param publish called at the end of the pause; without it, only somebody who asks for them needs problems.
   */
  changed(uri: string, at: number, publish: ((found: Promise<T>) => void) | undefined): void;
  /** What is found at the end of the pause; at once when nobody types. */
  found(uri: string): Promise<T>;
  /** What was found is out of date, but nobody has to wait longer for that. @returns whether there is a pause to wait for. */
  outdate(uri: string): boolean;
  end(uri: string): void;
}

interface Pause<T> {
  isWanted: boolean;
  /** Absent when it has to be looked for again. */
  found?: Promise<T> | undefined;
  /** Resolves at the end, also when a change comes in between. */
  readonly over: Promise<void>;
  stop(): void;
}

export function createTypingPauses<T>(find: (uri: string) => Promise<T>): TypingPauses<T> {
  const pauses = new Map<string, Pause<T>>();

  function start(uri: string, passedMs: number, publish: ((found: Promise<T>) => void) | undefined): Pause<T> {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const own: Pause<T> = {
      isWanted: publish !== undefined,
      over,
      stop() {
        validating.cancel();
        publishing.cancel();
        pauses.delete(uri);
        end();
      },
    };
    const validating = createDebouncer(validateAfterMs, () => {
      if (!own.isWanted) return;
      own.found = find(uri);
      own.found.catch(() => undefined);
    });
    const publishing = createDebouncer(debounceMs, () => {
      own.stop();
      publish?.(own.found ?? find(uri));
    });
    validating.schedule(validateAfterMs - passedMs);
    publishing.schedule(debounceMs - passedMs);
    return own;
  }

  return {
    changed(uri, at, publish) {
      pauses.get(uri)?.stop();
      pauses.set(uri, start(uri, performance.now() - at, publish));
    },
    async found(uri) {
      for (;;) {
        const own = pauses.get(uri);
        if (!own) return find(uri);
        own.isWanted = true;
        await own.over;
        // A change in between has a pause of its own.
        if (!pauses.has(uri)) return own.found ?? find(uri);
      }
    },
    outdate(uri) {
      const own = pauses.get(uri);
      if (own) own.found = undefined;
      return own !== undefined;
    },
    end: (uri) => pauses.get(uri)?.stop(),
  };
}
