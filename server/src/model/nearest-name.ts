/** Maximum number of suggestions. */
const maxNames = 4;

/**
 * The names most likely meant: those with the fewest typing errors, within a limit by length; case differences count
 * less. Several if equally similar, none if nothing is similar.
 */
export function nearestNames(name: string, names: Iterable<string>): readonly string[] {
  const wanted = name.toLowerCase();
  let best: { readonly names: Set<string>; readonly distance: number } | undefined;
  for (const candidate of names) {
    if (candidate === name) return [candidate];
    const limit = best ? best.distance : Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    if (best?.distance === distance) best.names.add(candidate);
    else best = { names: new Set([candidate]), distance };
  }
  return [...(best?.names ?? [])].slice(0, maxNames);
}

/** The first of the most similar names; undefined without one. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  return nearestNames(name, names)[0];
}

/** The names as a question; undefined without names. */
export function didYouMean(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.at(-1) ?? '';
  return `Did you mean ${quoted.length === 1 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`}?`;
}

/** Edit distance with transpositions; `limit + 1` above the limit. */
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
