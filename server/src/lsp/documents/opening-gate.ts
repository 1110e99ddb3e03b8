import { setImmediate as nextTurn } from 'node:timers/promises';
import { longText } from '../../project/parse-in-slices.ts';

/** Longest time in milliseconds for which other work waits: a client may never ask for problems. */
const mostMs = 3_000;

/** Turns of the event loop in which a response is encoded and written. */
const turnsOfResponse = 3;

/**
 * Lets the first problems of a large document go before work that takes processor time from them: reading its data
 * source and validating its SQL, which start other processes.
 */
export interface OpeningGate {
  /** A document was opened whose problems will be requested or published. */
  opened(uri: string, text: string): void;
  /** Its first complete problems are being sent, or it was closed. */
  passed(uri: string): void;
  /** Resolves when the first problems of all opened documents are sent, or after a moment; undefined when none is waited for. */
  readonly allPassed: Promise<void> | undefined;
}

export function createOpeningGate(): OpeningGate {
  const waiting = new Map<string, NodeJS.Timeout>();
  let open = (): void => undefined;
  let allPassed: Promise<void> | undefined;

  function pass(uri: string): void {
    clearTimeout(waiting.get(uri));
    if (!waiting.delete(uri) || waiting.size > 0) return;
    allPassed = undefined;
    open();
  }

  async function passLater(uri: string): Promise<void> {
    for (let turn = 0; turn < turnsOfResponse; turn += 1) await nextTurn();
    pass(uri);
  }

  return {
    opened(uri, text) {
      if (text.length < longText || waiting.has(uri)) return;
      waiting.set(uri, setTimeout(() => pass(uri), mostMs).unref());
      allPassed ??= new Promise((resolve) => (open = resolve));
    },
    passed(uri) {
      if (waiting.has(uri)) void passLater(uri);
    },
    get allPassed() {
      return allPassed;
    },
  };
}
