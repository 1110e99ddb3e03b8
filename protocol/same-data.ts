/** Whether two JSON values are equal; the order of keys does not matter. Faster than comparing their texts. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((each, index) => isSameData(each, other[index]));
  }
  const [first, second] = [one as Readonly<Record<string, unknown>>, other as Readonly<Record<string, unknown>>];
  // A key without a value counts as absent, as in JSON.
  for (const key in first) if (!isSameData(first[key], second[key])) return false;
  for (const key in second) if (second[key] !== undefined && first[key] === undefined) return false;
  return true;
}
