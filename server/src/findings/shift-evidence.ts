/** Hours by which clocks of two sources differ at most. */
const mostHours = 14;
/** Reversed pairs that are compared at least. */
const leastReversed = 10;
/** Share of them that a shift must put in order. */
const leastMended = 0.95;
/** Distance of the distributions of waits (Kolmogorov-Smirnov), for many values. */
const mostDistance = 0.15;

/**
 * By how many hours the reversed pairs of two activities are shifted: those whose waits, moved by whole hours, are in
 * order and spread as the others are. Undefined without such a shift. Pure.
 * @param waits seconds from the first to the second activity, negative for reversed pairs
 */
export function shiftOf(waits: readonly number[]): { readonly hours: number } | undefined {
  const reversed = waits.filter((wait) => wait < 0);
  const others = waits.filter((wait) => wait >= 0).sort((one, other) => one - other);
  if (reversed.length < leastReversed || others.length < leastReversed) return undefined;
  let best: { readonly hours: number; readonly distance: number } | undefined;
  for (let hours = 1; hours <= mostHours; hours += 1) {
    const shift = hours * 3_600;
    const mended = reversed.map((wait) => wait + shift).filter((wait) => wait >= 0);
    if (mended.length < reversed.length * leastMended) continue;
    // Pairs that a shift leaves in order are not among the reversed ones.
    const alike = others.filter((wait) => wait < shift);
    if (alike.length < leastReversed) continue;
    const distance = distributionDistance(
      mended.sort((one, other) => one - other),
      alike,
    );
    const limit = mostDistance + 1.36 * Math.sqrt(1 / mended.length + 1 / alike.length);
    if (distance <= limit && (!best || distance < best.distance)) best = { hours, distance };
  }
  return best && { hours: best.hours };
}

/** Reversed pairs of a source of which all events are off, at least. */
const leastOfAll = 20;

/**
 * By how many hours all events of an activity are shifted: as many as the reversed pairs use up, if no wait on the other
 * side is shorter, and the shortest is hardly longer. Undefined without such a shift. Pure.
 * @param waits seconds from the first to the second activity, negative for reversed pairs
 * @param others seconds of the waits on the other side of the shifted activity
 */
export function wholeShiftOf(
  waits: readonly number[],
  others: readonly number[],
): { readonly hours: number } | undefined {
  const reversed = waits.filter((wait) => wait < 0);
  if (reversed.length < leastOfAll || others.length < leastOfAll) return undefined;
  const longest = -reversed.reduce((least, wait) => Math.min(least, wait), 0);
  const hours = Math.ceil(longest / 3_600);
  const shift = hours * 3_600;
  const shortest = others.reduce((least, wait) => Math.min(least, wait), Infinity);
  const isUsedUp = longest > shift - 1_800;
  return hours <= mostHours && isUsedUp && shortest >= shift && shortest < shift + 1_800 ? { hours } : undefined;
}

/** The greatest difference of two cumulated distributions. Both are sorted. */
function distributionDistance(one: readonly number[], other: readonly number[]): number {
  let [place, otherPlace, most] = [0, 0, 0];
  while (place < one.length && otherPlace < other.length) {
    const value = Math.min(one[place] ?? 0, other[otherPlace] ?? 0);
    while (one[place] === value) place += 1;
    while (other[otherPlace] === value) otherPlace += 1;
    most = Math.max(most, Math.abs(place / one.length - otherPlace / other.length));
  }
  return most;
}
