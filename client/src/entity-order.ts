import type { EntityRow } from '../../protocol/entities-table.ts';

/** Orders by name with natural number order (2 before 10), then by path; tells equal names apart by their paths. */
export function inNameOrder(rows: readonly EntityRow[]): readonly EntityRow[] {
  const named = new Map<string, EntityRow[]>();
  for (const row of rows) named.set(row.name, [...(named.get(row.name) ?? []), row]);
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return [...named.values()]
    .flatMap(withDifferingPaths)
    .sort((one, other) => compare(one.name, other.name) || compare(one.path, other.path));
}

function withDifferingPaths(namesakes: readonly EntityRow[]): readonly EntityRow[] {
  if (namesakes.length < 2) return namesakes;
  const parts = differingParts(namesakes.map(({ path }) => path));
  return namesakes.map((row, index) => ({ ...row, differingPath: parts[index] ?? row.path }));
}

/** Paths without the folders and names that all share at the beginning and the end; `./` if nothing remains. */
export function differingParts(paths: readonly string[]): readonly string[] {
  const split = paths.map((path) => path.split('/'));
  const shortest = Math.min(...split.map(({ length }) => length));
  const isShared = (place: (segments: readonly string[]) => string | undefined): boolean =>
    new Set(split.map(place)).size === 1;
  let start = 0;
  while (start < shortest && isShared((segments) => segments[start])) start += 1;
  let end = 0;
  while (end < shortest - start && isShared((segments) => segments.at(-1 - end))) end += 1;
  return split.map((segments) => segments.slice(start, segments.length - end).join('/') || './');
}
