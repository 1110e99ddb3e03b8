/** For each expected item the index of the item that it is paired with; undefined for none. */
export type Pairing = readonly (number | undefined)[];

/** Finds the most pairs in the same order. */
export function pairInOrder(
  expected: number,
  actual: number,
  matches: (left: number, right: number) => boolean,
): Pairing {
  const longest = Array.from({ length: expected + 1 }, () => new Array<number>(actual + 1).fill(0));
  const at = (left: number, right: number): number => longest[left]?.[right] ?? 0;
  for (let left = expected - 1; left >= 0; left -= 1) {
    const row = longest[left] ?? [];
    for (let right = actual - 1; right >= 0; right -= 1) {
      row[right] = Math.max(
        at(left + 1, right),
        at(left, right + 1),
        matches(left, right) ? at(left + 1, right + 1) + 1 : 0,
      );
    }
  }
  const pairs = new Array<number | undefined>(expected).fill(undefined);
  for (let left = 0, right = 0; left < expected && right < actual;) {
    if (matches(left, right) && at(left, right) === at(left + 1, right + 1) + 1) pairs[left++] = right++;
    else if (at(left + 1, right) >= at(left, right + 1)) left += 1;
    else right += 1;
  }
  return pairs;
}

/** Finds the most pairs in any order. An expected item may match several, so earlier pairs may be replaced. */
export function pairInAnyOrder(
  expected: number,
  actual: number,
  matches: (left: number, right: number) => boolean,
): Pairing {
  const takenBy = new Array<number | undefined>(actual).fill(undefined);
  const take = (left: number, tried: Set<number>): boolean => {
    for (let right = 0; right < actual; right += 1) {
      if (tried.has(right) || !matches(left, right)) continue;
      tried.add(right);
      const other = takenBy[right];
      if (other !== undefined && !take(other, tried)) continue;
      takenBy[right] = left;
      return true;
    }
    return false;
  };
  for (let left = 0; left < expected; left += 1) take(left, new Set());
  const pairs = new Array<number | undefined>(expected).fill(undefined);
  for (const [right, left] of takenBy.entries()) if (left !== undefined) pairs[left] = right;
  return pairs;
}
