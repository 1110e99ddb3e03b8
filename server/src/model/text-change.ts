/**
 * The difference of two text versions: `[from, until)` of the old one was replaced, and the text grew by `distance`.
 */
export interface TextChange {
  readonly from: number;
  readonly until: number;
  readonly distance: number;
}

/** The difference of two versions as a single change. */
export function changeBetween(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  const from = longest(shorter, (length) => before.slice(0, length) === after.slice(0, length));
  const same = longest(
    shorter - from,
    (length) => before.slice(before.length - length) === after.slice(after.length - length),
  );
  return { from, until: before.length - same, distance: after.length - before.length };
}

/** Binary search, because engines compare long strings much faster than characters. */
function longest(limit: number, fits: (length: number) => boolean): number {
  let low = 0;
  for (let high = limit; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
