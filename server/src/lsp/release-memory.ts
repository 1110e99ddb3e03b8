import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Texts that are shorter leave too little behind to care about. */
const largeText = 100_000;

/** By then its tables are known and its problems are told. */
const settledMs = 3_000;

/** How long nothing must have been typed: a collection takes some ten milliseconds. */
const restMs = 300;

/**
 * Gives back what reading a large file for the first time has left behind. V8 itself would keep it until the heap has
 * doubled, which an editor's small changes never make it do: the server would stay twice as large as what it knows.
 */
export interface MemoryRelease {
  /** A document was read as a whole. */
  opened(text: string): void;
  /** Something is going on: it can wait. */
  busy(): void;
}

export function createMemoryRelease(): MemoryRelease {
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false;

  function wait(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      collect();
    }, delayMs).unref();
  }

  return {
    opened(text) {
      if (text.length < largeText) return;
      isSettled = false;
      wait(settledMs);
      setTimeout(() => (isSettled = true), settledMs - restMs).unref();
    },
    busy() {
      if (timer && isSettled) wait(restMs);
    },
  };
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') (gc as () => void)();
}
