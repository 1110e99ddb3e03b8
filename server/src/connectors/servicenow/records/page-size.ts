/**
 * How many records to ask for at once, learnt by all readers of a table together: what is too much for one range of keys is
 * too much for the others.
 */
export interface PageSize {
  /** Records to ask for next. */
  next(): number;
  /** A page of so many records took the instance too long. */
  tookTooLong(asked: number): void;
  /** A page arrived that was asked for with so many records. */
  arrived(page: { readonly asked: number; readonly bytes: number; readonly milliseconds: number }): void;
}

export interface PageSizeOptions {
  /** Records at most. */
  readonly most: number;
  /** Records of the first page, where fewer are wanted. */
  readonly first?: number | undefined;
}

/** A page of this many bytes is too large a piece: the next one is asked for with fewer records. */
const largeBytes = 16 * 1024 * 1024;

/** Milliseconds: an instance cancels after a minute or more, so twice the records are in no danger after that little. */
const fastMs = 5000;

/** Fast pages in a row after which one page is tried with more than what failed; twice as many after each failed try. */
const firstPatience = 8;

/**
 * Pages grow up to what has not failed yet, and beyond what did only after several fast ones in a row, and by one page at
 * first: each failure costs the instance the minutes after which it gives up.
 */
export function pageSize({ most, first = most }: PageSizeOptions): PageSize {
  let current = Math.min(most, first);
  let ceiling = most;
  let patience = firstPatience;
  let fast = 0;
  /** Size of the page that is tried with more than the ceiling. */
  let trial: number | undefined;
  return {
    next() {
      if (fast < patience || ceiling === most || trial !== undefined) return current;
      return (trial = Math.min(most, ceiling * 2));
    },
    tookTooLong(asked) {
      fast = 0;
      if (asked === trial) {
        patience *= 2;
        trial = undefined;
      }
      // Others fail with the same size at the same time: that is one lesson, not several.
      if (asked > ceiling) return;
      ceiling = Math.ceil(asked / 2);
      current = Math.min(current, ceiling);
    },
    arrived({ asked, bytes, milliseconds }) {
      if (asked === trial) {
        trial = undefined;
        fast = 0;
        ceiling = asked;
      }
      if (bytes > largeBytes) current = Math.min(current, Math.ceil(asked / 2));
      else if (asked >= current && current < ceiling && bytes < largeBytes / 4)
        current = Math.min(ceiling, current * 2);
      fast = milliseconds < fastMs ? fast + 1 : 0;
    },
  };
}
