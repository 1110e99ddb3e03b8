import type { FoundFinding } from './finding-kind.ts';

/** Numbers of a row of the store, by their names; 0 for those without a value. */
export function numbersOf<const N extends string>(
  row: Readonly<Record<string, unknown>> | undefined,
  ...names: readonly N[]
): Readonly<Record<N, number>> {
  return Object.fromEntries(names.map((name) => [name, Number(row?.[name] ?? 0)])) as Record<N, number>;
}

/** How many of how many are odd, and how severe that is: a warning from a share on. */
export function counted<C extends FoundFinding['counts']>(
  counts: C,
  count: number,
  of: number,
  leastShare: number,
): Pick<FoundFinding, 'severity' | 'count' | 'of'> & { readonly counts: C } {
  return { severity: count >= of * leastShare ? 'warning' : 'info', count, of, counts };
}
