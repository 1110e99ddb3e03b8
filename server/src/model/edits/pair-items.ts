/** The change of an item of a list. */
export type ItemChange =
  | { readonly kind: 'keep' | 'change'; readonly from: number; readonly to: number }
  | { readonly kind: 'remove'; readonly from: number }
  | { readonly kind: 'insert'; readonly before: number; readonly to: number };

/** Above this number, items between the common start and end are matched by index. */
const maxTable = 4_000_000;

/**
 * How to transform a list with few changes: equal items are kept, others changed in pairs, then removed or added.
 * `same` compares by index.
 */
export function pairItems(
  fromLength: number,
  toLength: number,
  same: (from: number, to: number) => boolean,
): readonly ItemChange[] {
  let start = 0;
  while (start < fromLength && start < toLength && same(start, start)) start += 1;
  let tail = 0;
  while (tail < fromLength - start && tail < toLength - start && same(fromLength - 1 - tail, toLength - 1 - tail)) {
    tail += 1;
  }
  const kept = [
    ...Array.from({ length: start }, (_, index) => ({ from: index, to: index })),
    ...commonItems(start, fromLength - tail, start, toLength - tail, same),
    ...Array.from({ length: tail }, (_, index) => ({ from: fromLength - tail + index, to: toLength - tail + index })),
  ];
  const changes: ItemChange[] = [];
  let [from, to] = [0, 0];
  for (const next of [...kept, { from: fromLength, to: toLength }]) {
    while (from < next.from && to < next.to) changes.push({ kind: 'change', from: from++, to: to++ });
    while (from < next.from) changes.push({ kind: 'remove', from: from++ });
    while (to < next.to) changes.push({ kind: 'insert', before: from, to: to++ });
    if (from < fromLength && to < toLength) changes.push({ kind: 'keep', from: from++, to: to++ });
  }
  return changes;
}

interface Match {
  readonly from: number;
  readonly to: number;
}

/** The longest common subsequence. */
function commonItems(
  fromStart: number,
  fromEnd: number,
  toStart: number,
  toEnd: number,
  same: (from: number, to: number) => boolean,
): readonly Match[] {
  const [rows, columns] = [fromEnd - fromStart, toEnd - toStart];
  if (rows === 0 || columns === 0 || rows * columns > maxTable) return [];
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = same(fromStart + row, toStart + column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const matches: Match[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (same(fromStart + row, toStart + column)) matches.push({ from: fromStart + row++, to: toStart + column++ });
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return matches;
}
