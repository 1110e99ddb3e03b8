import { formatKeys } from '../format-keys.ts';

/** The keys before a new one in an object with these keys; all of them for an unknown key. */
export function keysBefore(key: string, present: readonly string[]): readonly string[] {
  const order = orderOf(key, present);
  return order ? order.slice(0, order.indexOf(key)) : present;
}

/** Sorts new keys in schema order; unknown ones are last. */
export function inKeyOrder(keys: readonly string[], present: readonly string[]): readonly string[] {
  const place = (key: string): number => orderOf(key, present)?.indexOf(key) ?? Number.MAX_SAFE_INTEGER;
  return keys.toSorted((one, other) => place(one) - place(other));
}

/**
 * The key order that fits most of the sibling keys, because some occur in several objects. Undefined among user-defined
 * names, such as those of data sources.
 */
function orderOf(key: string, present: readonly string[]): readonly string[] | undefined {
  const others = present.filter((each) => each !== key && !each.startsWith('x-'));
  const fits = (order: readonly string[]): number => others.filter((each) => order.includes(each)).length;
  return formatKeys
    .filter((candidate) => candidate.includes(key) && 2 * fits(candidate) >= others.length)
    .toSorted((one, other) => fits(other) - fits(one) || one.length - other.length)[0];
}
