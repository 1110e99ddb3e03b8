import type { RecordCount } from './check-complete.ts';

/** Counts before and after a read, without delaying it. */
interface CountsAroundRead {
  /** The count at the start. */
  readonly before: Promise<RecordCount>;
  /** The count at the start, as soon as available. Throws the reason if it failed. */
  beforeSoFar(): RecordCount | undefined;
  /** The count after the read, requested by the first call; undefined without a count before. */
  after(): Promise<RecordCount>;
}

/** @param before the first count, already running */
export function countAroundRead(before: Promise<RecordCount>, count: () => Promise<RecordCount>): CountsAroundRead {
  let known: RecordCount | undefined;
  let failure: { readonly error: unknown } | undefined;
  let after: Promise<RecordCount> | undefined;
  before.then(
    (counted) => (known = counted),
    (error: unknown) => (failure = { error }),
  );
  return {
    before,
    beforeSoFar() {
      if (failure) throw failure.error;
      return known;
    },
    after() {
      if (!after) {
        after = before.then((counted) => (counted.count === undefined ? counted : count()));
        // Prevents an unhandled rejection before the reader awaits it.
        after.catch(() => undefined);
      }
      return after;
    },
  };
}
