/** Keys distinguish elements and relationships with the same id. */
export const keyOf = {
  element: (id: string) => `element:${id}`,
  relationship: (id: string) => `relationship:${id}`,
};

/** The id of a key; undefined for keys of the other kind. */
export function idIn(kind: keyof typeof keyOf, key: string | undefined): string | undefined {
  return key?.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : undefined;
}
