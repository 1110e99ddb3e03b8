import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';

/**
 * `uniqueItems` in time that grows with the list: ajv's own compares every item with every other one, which takes minutes for the
 * properties of a generated file.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  validate: isUnique,
  errors: 'full',
};

/** Tells, as ajv does, the last item that was there before (`i`) and the one before it (`j`). */
function isUnique(...[isAsked, items]: Parameters<SchemaValidateFunction>): boolean {
  const validator: SchemaValidateFunction = isUnique;
  const pair = isAsked === true ? lastRepeated(items as readonly unknown[]) : undefined;
  validator.errors = pair ? [{ keyword: 'uniqueItems', params: pair, message: 'must NOT have duplicate items' }] : [];
  return pair === undefined;
}

function lastRepeated(items: readonly unknown[]): { readonly i: number; readonly j: number } | undefined {
  const seen = new Map<unknown, number>();
  let last: { readonly i: number; readonly j: number } | undefined;
  for (const [i, item] of items.entries()) {
    // Lists and groups are of the wrong type where each item must be another one.
    if (typeof item === 'object' && item !== null) continue;
    const j = seen.get(item);
    if (j !== undefined) last = { i, j };
    seen.set(item, i);
  }
  return last;
}
