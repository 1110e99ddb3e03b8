import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Steps, toEnd } from '../../model/steps.ts';
import { longText } from '../../project/parse-in-slices.ts';
import { createTimeSlices } from '../../project/time-slices.ts';

/** Time limit of synchronous parsing, sufficient for most edits; then parsing continues in time slices. */
const atOnceMs = 50;

/** Parses documents, large ones in time slices. */
interface SlicedParsing {
  /**
   * Parses a document that is not being parsed.
   * @param onRead called with the result: synchronously, or later.
   */
  read<Result>(uri: string, steps: Steps<Result>, length: number, onRead: (result: Result) => void): void;
  isRunning(uri: string): boolean;
  /** Resolves when a running parse has ended or was cancelled; rejects when it failed. */
  ended(uri: string): Promise<void>;
  /** Cancels a running parse. */
  forget(uri: string): void;
}

interface Reading {
  /** In the background; absent while synchronous. */
  done?: Promise<void>;
}

/** @param onEnded called after an asynchronous parse. */
export function createSlicedParsing(onEnded: (uri: string) => void, log: (message: string) => void): SlicedParsing {
  const readings = new Map<string, Reading>();

  /** A started parse is completed even for an outdated version, because the newer one reuses most of it. */
  async function goOn<Result>(uri: string, own: Reading, steps: Steps<Result>, onRead: (result: Result) => void) {
    await nextTurn();
    const slices = createTimeSlices();
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
      // An edit of a few entries is parsed synchronously in a large document too.
      const until = performance.now() + atOnceMs;
      do {
        const { done, value } = steps.next();
        if (done) return onRead(value);
      } while (performance.now() < until);
      const own: Reading = {};
      readings.set(uri, own);
      own.done = goOn(uri, own, steps, onRead);
      // Waiters are notified too.
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
