import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDebouncer } from '../../../protocol/debouncer.ts';

/** Shorter texts leave little garbage. */
const largeText = 100_000;

/** Delay after opening: until then columns are loaded and problems published. */
const settledMs = 3_000;

/** Pause in typing before a collection, which takes some ten milliseconds; with compaction it takes several times as long. */
const debounceMs = 300;

/** Total length of text versions that triggers a collection. */
const muchText = 50_000_000;
/** Upper limit of that length: collections take longer for larger heaps. */
const manyVersions = 150;

/**
 * Growth of the heap after which V8 collects, once a large file is open. By default, V8 lets it double, which is
 * allowed while the file is read.
 */
const growingPercent = 30;

/**
 * Triggers a garbage collection after a large file was first parsed, and after many versions of it. V8 alone would let
 * the heap double.
 */
interface MemoryRelease {
  /** A document was completely parsed. */
  opened(text: string): void;
  /** A text changed: the collection is postponed. */
  changed(text: string): void;
}

export function createMemoryRelease(): MemoryRelease {
  let isSettled = true;
  /** A file was opened since the last collection. */
  let isOpened = false;
  /** Length of text versions since the last collection. */
  let left = 0;
  let isGrowingSlowly = false;

  const release = createDebouncer(debounceMs, () => {
    if (!isGrowingSlowly) growSlowly();
    isGrowingSlowly = true;
    collect(isOpened);
    isOpened = false;
    left = 0;
  });

  return {
    opened(text) {
      if (text.length < largeText) return;
      isSettled = false;
      isOpened = true;
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

/**
 * Without compaction, live objects stay spread over the pages used for parsing: a sixth of the memory of a large file.
 */
function collect(isCompacting: boolean): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc !== 'function') return;
  if (isCompacting) setFlagsFromString('--compact-on-every-full-gc');
  (gc as () => void)();
  if (isCompacting) setFlagsFromString('--no-compact-on-every-full-gc');
}

/** Resets the option before the process caches its code: V8 rejects code that was cached under other options. */
function growSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
  process.prependListener('exit', () => setFlagsFromString('--heap-growing-percent=0'));
}
