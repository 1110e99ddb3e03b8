/** Maximum number of suggestions. */
const maxNames = 4;

/**
 * The names most likely meant: those with the fewest typing errors, within a limit by length; case differences count
 * less. Several if equally similar, none if nothing is similar.
 */
export function nearestNames(name: string, names: Iterable<string>): readonly string[] {
  const wanted = name.toLowerCase();
  const rows = [[], [], []];
  let best: { readonly names: Set<string>; readonly distance: number } | undefined;
  for (const candidate of names) {
    if (candidate === name) return [candidate];
    const limit = best ? best.distance : Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = editDistance(wanted, candidate.toLowerCase(), limit, rows);
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

/**
 * Edit distance with transpositions; more than the limit above it. A text has thousands of names, so only cells are
 * computed whose distance can be within the limit: those near the diagonal.
 * @param spare three rows of cells, used again for each pair of texts.
 */
export function editDistance(left: string, right: string, limit: number, spare: readonly number[][]): number {
  const start = commonStart(left, right);
  const end = commonEnd(left, right, start);
  const [rows, columns] = [left.length - start - end, right.length - start - end];
  const beyond = limit + 1;
  if (Math.abs(rows - columns) > limit) return beyond;
  if (rows === 0 || columns === 0) return rows + columns;
  let [before = [], previous = [], current = []] = spare;
  for (let column = 0; column <= columns; column += 1) previous[column] = column;
  let leastBefore = 0;
  for (let row = 1; row <= rows; row += 1) {
    const from = Math.max(1, row - limit);
    const until = Math.min(columns, row + limit);
    current[from - 1] = from === 1 ? row : beyond;
    if (until < columns) current[until + 1] = beyond;
    const letter = left.charCodeAt(start + row - 1);
    const letterBefore = row > 1 ? left.charCodeAt(start + row - 2) : Number.NaN;
    let least = current[from - 1] ?? beyond;
    for (let column = from; column <= until; column += 1) {
      const other = right.charCodeAt(start + column - 1);
      const replaced = at(previous, column - 1) + (letter === other ? 0 : 1);
      let cost = Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1);
      if (column > 1 && letterBefore === other && letter === right.charCodeAt(start + column - 2)) {
        cost = Math.min(cost, at(before, column - 2) + 1);
      }
      current[column] = cost;
      if (cost < least) least = cost;
    }
    // A transposition reaches over one row.
    if (least > limit && leastBefore > limit) return beyond;
    leastBefore = least;
    const oldest = before;
    before = previous;
    previous = current;
    current = oldest;
  }
  return at(previous, columns);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

function commonStart(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let length = 0;
  while (length < shorter && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  return length;
}

/** @param start characters at the start that are not compared. */
function commonEnd(left: string, right: string, start: number): number {
  const shorter = Math.min(left.length, right.length) - start;
  let length = 0;
  while (
    length < shorter &&
    left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length)
  ) {
    length += 1;
  }
  return length;
}
