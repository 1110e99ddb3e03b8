/**
 * Divides edits into groups that are valid alone: an edit that is not is joined with the smallest set of others with which
 * it is, and groups that share an edit are one.
 * @param count of edits, which are valid all together
 * @param isValid of some of them, by their 0-based numbers in order
 */
export async function editGroups(
  count: number,
  isValid: (edits: readonly number[]) => Promise<boolean>,
): Promise<readonly (readonly number[])[]> {
  let groups: readonly (readonly number[])[] = Array.from({ length: count }, (_, edit) => [edit]);
  for (;;) {
    const invalid = await firstInvalid(groups, isValid);
    if (invalid === undefined) return groups;
    const others = groups.filter((group) => group !== invalid);
    const joined = await smallestWith(invalid, others, isValid);
    groups = [...others.filter((group) => !joined.includes(group)), [...invalid, ...joined.flat()]]
      .map((group) => group.toSorted((one, other) => one - other))
      .toSorted(([one = 0], [other = 0]) => one - other);
  }
}

async function firstInvalid(
  groups: readonly (readonly number[])[],
  isValid: (edits: readonly number[]) => Promise<boolean>,
): Promise<readonly number[] | undefined> {
  // All edits together are known to be valid.
  if (groups.length === 1) return undefined;
  for (const group of groups) if (!(await isValid(group))) return group;
  return undefined;
}

/** The fewest other groups with which a group is valid; all of them at worst. */
async function smallestWith(
  group: readonly number[],
  others: readonly (readonly number[])[],
  isValid: (edits: readonly number[]) => Promise<boolean>,
): Promise<readonly (readonly number[])[]> {
  for (let size = 1; size < others.length; size += 1) {
    for (const chosen of combinations(others, size)) {
      const edits = [...group, ...chosen.flat()].toSorted((one, other) => one - other);
      if (await isValid(edits)) return chosen;
    }
  }
  return others;
}

function* combinations<T>(all: readonly T[], size: number, from = 0): Generator<readonly T[]> {
  if (size === 0) yield [];
  else
    for (let at = from; at <= all.length - size; at += 1)
      for (const rest of combinations(all, size - 1, at + 1)) yield [all[at] as T, ...rest];
}
