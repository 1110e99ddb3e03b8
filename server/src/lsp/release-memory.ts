import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDebouncer } from '../../../protocol/debouncer.ts';

/** Texts that are shorter leave too little behind to care about. */
const largeText = 100_000;

/** By then its tables are known and its problems are told. */
const settledMs = 3_000;

/** How long nothing must have been typed: a collection takes some ten milliseconds. */
const debounceMs = 300;

/** Each version of a text is a new one: so many characters of them are too much to keep until V8 thinks of them. */
const muchText = 50_000_000;
/** However long the text is: a collection takes the longer, the more there is that is still needed. */
const manyVersions = 150;

/**
 * Gives back what reading a large file for the first time, and the many versions of it since, have left behind. V8 itself
 * would keep it until the heap has doubled: the server would stay twice as large as what it knows.
 */
export interface MemoryRelease {
  /** A document was read as a whole. */
  opened(text: string): void;
  /** Another version of a text has come: what is to be given back can wait. */
  changed(text: string): void;
}

export function createMemoryRelease(): MemoryRelease {
  let isSettled = true;
  /** Characters of versions that have come since the last collection. */
  let left = 0;

  const release = createDebouncer(debounceMs, () => {
    left = 0;
    collect();
  });

  return {
    opened(text) {
      if (text.length < largeText) return;
      isSettled = false;
      release.schedule(settledMs);
      setTimeout(() => (isSettled = true), settledMs - debounceMs).unref();
    },
    changed(text) {
      left += text.length;
      const isDue = text.length >= largeText && left >= Math.max(muchText, text.length * manyVersions);
      if (isSettled && (release.isScheduled || isDue)) release.schedule();
    },
  };
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') (gc as () => void)();
}
