import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';

/** `uniqueItems` in linear time: ajv compares all pairs, which takes minutes for the properties of a generated file. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  validate: isUnique,
  errors: 'full',
};

/** Reports, like ajv, the last duplicate item (`i`) and its predecessor (`j`). */
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
    // Lists and objects violate the item type anyway.
    if (typeof item === 'object' && item !== null) continue;
    const j = seen.get(item);
    if (j !== undefined) last = { i, j };
    seen.set(item, i);
  }
  return last;
}
