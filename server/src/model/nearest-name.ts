/**
 * The name that a user most likely meant: the one with the fewest typing errors, when there are few enough for its
 * length; letter case counts less than letters. Undefined when nothing is near.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    if (candidate === name) return candidate;
    const limit = best ? best.distance : Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit && (!best || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts; `limit + 1` when there are more. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, at(before, column - 2) + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
