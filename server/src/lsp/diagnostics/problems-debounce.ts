import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDebouncer } from '../../../../protocol/debouncer.ts';

/** Before problems are published. */
const pushDebounceMs = 50;
/** Before validation starts, so that results are ready in time. */
const validateAfterMs = 25;
/** A client that pulls asks for one version at a time, and cancels its request when it has a newer one. */
const pullDebounceMs = 1;
/**
 * Turns of the event loop after the pause of a client that pulls, so that a completion requested at the same time is
 * answered first: one turn to begin it, one to encode its response, one to write it.
 */
const turnsForCompletion = 3;

/** Debounces validation while the user types, for pull and push diagnostics. */
interface ProblemsDebounce<T> {
  /**
   * A document changed, at a time of `performance.now()`.
   * @param publish called at the end of the pause; absent for pull diagnostics.
   */
  changed(uri: string, at: number, publish: ((found: Promise<T>) => void) | undefined): void;
  /** The result at the end of the pause; at once without typing. */
  result(uri: string): Promise<T>;
  /** Discards an outdated result without extending the pause. @returns whether a pause is running. */
  outdate(uri: string): boolean;
  end(uri: string): void;
}

interface Pause<T> {
  /** Absent before validation, and when it must be computed again. */
  found?: Promise<T> | undefined;
  /** Resolves at the end of the pause, even after another change. */
  readonly over: Promise<void>;
  stop(): void;
}

export function createProblemsDebounce<T>(find: (uri: string) => Promise<T>): ProblemsDebounce<T> {
  const pauses = new Map<string, Pause<T>>();

  /** The result may fail before anyone waits for it; who does gets the failure. */
  function findLater(uri: string): Promise<T> {
    const found = find(uri);
    found.catch(() => undefined);
    return found;
  }

  function start(uri: string, passedMs: number, publish: ((found: Promise<T>) => void) | undefined): Pause<T> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const own: Pause<T> = {
      over: publish ? ended : ended.then(completionAnswered),
      stop() {
        validating.cancel();
        publishing.cancel();
        pauses.delete(uri);
        end();
      },
    };
    const validating = createDebouncer(validateAfterMs, () => void (own.found = findLater(uri)));
    const publishing = createDebouncer(pushDebounceMs, () => {
      own.stop();
      publish?.(own.found ?? findLater(uri));
    });
    if (publish) validating.schedule(validateAfterMs - passedMs);
    publishing.schedule((publish ? pushDebounceMs : pullDebounceMs) - passedMs);
    return own;
  }

  return {
    changed(uri, at, publish) {
      pauses.get(uri)?.stop();
      pauses.set(uri, start(uri, performance.now() - at, publish));
    },
    async result(uri) {
      for (;;) {
        const own = pauses.get(uri);
        if (!own) return find(uri);
        await own.over;
        // Another change starts its own pause.
        if (!pauses.has(uri)) return (own.found ??= findLater(uri));
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

async function completionAnswered(): Promise<void> {
  for (let turn = 0; turn < turnsForCompletion; turn += 1) await nextTurn();
}
