/** Keys tell elements and relationships of one id apart. */
export const keyOf = {
  element: (id: string) => `element:${id}`,
  relationship: (id: string) => `relationship:${id}`,
};

/** The id in a key; undefined when it is a key of the other kind. */
export function idIn(kind: keyof typeof keyOf, key: string | undefined): string | undefined {
  return key?.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : undefined;
}
