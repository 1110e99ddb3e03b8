import type { LineChange } from '../../protocol/line-changes.ts';

/** Equal lines around each change. */
const context = 2;

/** Edits beyond which the changed part is shown as replaced, because comparing it would take too long. */
const maxEdits = 1_000;

/** The changes from `before` to `after`, line by line, with a few equal lines around each change. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  return withGaps(comparedLines(before, after));
}

/** All lines of both texts, each equal, lost or restored. */
export function comparedLines(before: string, after: string): readonly LineChange[] {
  const [one, other] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const same = (lines: readonly string[]): readonly LineChange[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(one.slice(0, start)),
    ...compared(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...same(end === 0 ? [] : one.slice(-end)),
  ];
}

/** Line ends do not count, nor does the one at the end. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Myers' algorithm: the fewest lines lost and restored. */
function compared(one: readonly string[], other: readonly string[]): readonly LineChange[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const history: ReadonlyMap<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(maxEdits, one.length + other.length); edits += 1) {
    history.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [left, right] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
      let x = diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= one.length && x - diagonal >= other.length) return pathThrough(history, one, other);
    }
  }
  return [
    ...one.map((text): LineChange => ({ kind: 'lost', text })),
    ...other.map((text): LineChange => ({ kind: 'restored', text })),
  ];
}

function pathThrough(
  history: readonly ReadonlyMap<number, number>[],
  one: readonly string[],
  other: readonly string[],
): readonly LineChange[] {
  const found: LineChange[] = [];
  let [x, y] = [one.length, other.length];
  for (let edits = history.length - 1; edits >= 0; edits -= 1) {
    const furthest = history[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const [left, right] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
    const isRestored = diagonal === -edits || (diagonal !== edits && left < right);
    const fromX = isRestored ? right : left;
    const fromY = fromX - (isRestored ? diagonal + 1 : diagonal - 1);
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0) && one[x - 1] === other[y - 1]) {
      [x, y] = [x - 1, y - 1];
      found.push({ kind: 'same', text: one[x] ?? '' });
    }
    if (edits === 0) break;
    if (isRestored) found.push({ kind: 'restored', text: other[fromY] ?? '' });
    else found.push({ kind: 'lost', text: one[fromX] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return found.reverse();
}

/** Leaves out equal lines that are far from a change. */
function withGaps(changes: readonly LineChange[]): readonly LineChange[] {
  const isNear = changes.map(() => false);
  changes.forEach(({ kind }, index) => {
    if (kind === 'same') return;
    isNear.fill(true, Math.max(0, index - context), index + context + 1);
  });
  return changes.flatMap((change, index): readonly LineChange[] => {
    if (isNear[index]) return [change];
    return index > 0 && !isNear[index - 1] ? [] : [{ kind: 'gap', text: '' }];
  });
}
