/** Adaptive page size, shared by all readers of a table. */
export interface PageSize {
  /** Page size of the next request. */
  next(): number;
  /** A page of this size took too long. */
  tookTooLong(asked: number): void;
  /** A page with this requested size arrived. */
  arrived(page: { readonly asked: number; readonly bytes: number; readonly milliseconds: number }): void;
}

interface PageSizeOptions {
  /** Maximum page size. */
  readonly most: number;
  /** Size of the first page, if fewer records are needed. */
  readonly first?: number | undefined;
}

/** Byte limit of a page: above it the next page is smaller. */
const largeBytes = 16 * 1024 * 1024;

/** Milliseconds: instances cancel after a minute or more, so after this little time a doubled size is safe. */
const fastMs = 5000;

/**
 * Number of consecutive fast pages before a size above the last failure is tried; doubled after each failed attempt.
 */
const firstPatience = 8;

/**
 * Pages grow up to the smallest failed size, and beyond it only after several fast pages, by one page at first, because
 * each failure takes minutes.
 */
export function pageSize({ most, first = most }: PageSizeOptions): PageSize {
  let current = Math.min(most, first);
  let ceiling = most;
  let patience = firstPatience;
  let fast = 0;
  /** The tried size above the ceiling. */
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
      // Concurrent failures with the same size count once.
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
