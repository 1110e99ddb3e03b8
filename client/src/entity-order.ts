import type { EntityRow } from '../../protocol/entities-table.ts';

/** Orders by name with natural number order (2 before 10), then by path; marks equal names. */
export function inNameOrder(rows: readonly EntityRow[]): readonly EntityRow[] {
  const named = new Map<string, number>();
  for (const { name } of rows) named.set(name, (named.get(name) ?? 0) + 1);
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return rows
    .map((row) => ((named.get(row.name) ?? 0) > 1 ? { ...row, isNamesake: true } : row))
    .sort((one, other) => compare(one.name, other.name) || compare(one.path, other.path));
}
