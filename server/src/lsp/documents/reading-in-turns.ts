import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Steps, toEnd } from '../../model/steps.ts';
import { longText } from '../../project/parse-in-turns.ts';
import { createSlices } from '../../project/slices.ts';

/** How long a large text is read before it is gone on with in turns: most changes of it are read by then. */
const atOnceMs = 50;

/** Reads documents, large ones in turns with whatever else is to be done. */
export interface ReadingInTurns {
  /**
   * Reads a document whose reading is not running.
   * @param onRead is called with what was read: before this returns, or later in a turn of its own.
   */
  read<Result>(uri: string, steps: Steps<Result>, length: number, onRead: (result: Result) => void): void;
  isRunning(uri: string): boolean;
  /** Resolves when a reading that runs is done, or nobody wants it any more; rejects when it failed. */
  ended(uri: string): Promise<void>;
  /** Nobody wants what is being read of a document. */
  forget(uri: string): void;
}

interface Reading {
  /** In the background; absent for as long as it may be done at once. */
  done?: Promise<void>;
}

/** @param onEnded is called after a document was read later than at once. */
export function createReadingInTurns(onEnded: (uri: string) => void, log: (message: string) => void): ReadingInTurns {
  const readings = new Map<string, Reading>();

  /** What is begun is read to its end, also when a newer version has come: that has most of it in common. */
  async function goOn<Result>(uri: string, own: Reading, steps: Steps<Result>, onRead: (result: Result) => void) {
    await nextTurn();
    const slices = createSlices();
    for (;;) {
      if (slices.isTimeUp()) await slices.pause();
      if (readings.get(uri) !== own) return;
      const { done, value } = steps.next();
      if (!done) continue;
      readings.delete(uri);
      onRead(value);
      return onEnded(uri);
    }
  }

  return {
    read(uri, steps, length, onRead) {
      if (length < longText) return onRead(toEnd(steps));
      // A change of a few entries is read at once in a large document, too.
      const until = performance.now() + atOnceMs;
      do {
        const { done, value } = steps.next();
        if (done) return onRead(value);
      } while (performance.now() < until);
      const own: Reading = {};
      readings.set(uri, own);
      own.done = goOn(uri, own, steps, onRead);
      // Who waits for it is told as well.
      own.done.catch((error: unknown) => {
        if (readings.get(uri) === own) readings.delete(uri);
        log(String(error));
      });
    },
    isRunning: (uri) => readings.has(uri),
    ended: async (uri) => readings.get(uri)?.done,
    forget: (uri) => void readings.delete(uri),
  };
}
