/** The last duplicate item (`i`) and its predecessor (`j`), as ajv reports them. */
export function lastRepeated(items: readonly unknown[]): { readonly i: number; readonly j: number } | undefined {
  const seen = new Map<unknown, number>();
  let last: { readonly i: number; readonly j: number } | undefined;
  for (const [i, item] of items.entries()) {
    // Lists and objects violate the item type anyway.
    if (typeof item === 'object' && item !== null) continue;
    const j = seen.get(item);
    if (j !== undefined) last = { i, j };
    seen.set(item, i);
  }
  return last;
}
