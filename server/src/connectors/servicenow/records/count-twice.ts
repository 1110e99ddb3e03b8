import type { RecordCount } from './check-complete.ts';

/** Counts around a reading that waits for neither of them. */
export interface CountTwice {
  /** What was counted when it began. */
  readonly before: Promise<RecordCount>;
  /** The same as soon as that is known. Throws why it could not be counted. */
  beforeSoFar(): RecordCount | undefined;
  /** What is counted behind the reading, the first time that this is called; not where there was no count before. */
  after(): Promise<RecordCount>;
}

/** @param before the first count, which is under way */
export function countTwice(before: Promise<RecordCount>, count: () => Promise<RecordCount>): CountTwice {
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
        // Who reads may not have come to waiting for it yet.
        after.catch(() => undefined);
      }
      return after;
    },
  };
}
