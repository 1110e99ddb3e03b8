import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDebouncer } from '../../../protocol/debouncer.ts';

/** Shorter texts leave little garbage. */
const largeText = 100_000;

/** Delay after opening: until then columns are loaded and problems published. */
const settledMs = 3_000;

/** Pause in typing before a collection, which takes some ten milliseconds. */
const debounceMs = 300;

/** Total length of text versions that triggers a collection. */
const muchText = 50_000_000;
/** Upper limit of that length: collections take longer for larger heaps. */
const manyVersions = 150;

/**
 * Triggers a garbage collection after a large file was first parsed, and after many versions of it. V8 alone would let
 * the heap double.
 */
export interface MemoryRelease {
  /** A document was completely parsed. */
  opened(text: string): void;
  /** A text changed: the collection is postponed. */
  changed(text: string): void;
}

export function createMemoryRelease(): MemoryRelease {
  let isSettled = true;
  /** Length of text versions since the last collection. */
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
