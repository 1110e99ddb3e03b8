/** What the views of a graph are named after, each in the order of the file. */
export interface NamedAfter {
  readonly entityTypes: readonly string[];
  /** The activity names of the elements. */
  readonly elements: readonly string[];
}

/** The views that are named after what a graph has (docs/semantics.md#132-views). */
export interface NamedViews {
  readonly ofTypes: readonly { readonly name: string; readonly entityType: string }[];
  /** `number` is that of the element, from 1. */
  readonly ofElements: readonly { readonly name: string; readonly number: number }[];
}

/** The view of the events of each entity. */
export const entityEventView = 'entity_event';

/** PostgreSQL cuts longer names. */
const longestName = 63;

/** @param isTaken whether a graph may have another table or view of a name */
export function namedViewsOf({ entityTypes, elements }: NamedAfter, isTaken: (name: string) => boolean): NamedViews {
  const given = new Set<string>();
  const named = (text: string, suffix: string): string => {
    const base = folded(text) ?? suffix.slice(1);
    for (let number = 0; ; number += 1) {
      const end = number === 0 ? '' : number === 1 ? suffix : `${suffix}_${number}`;
      const name = `${base.slice(0, longestName - end.length)}${end}`;
      if (given.has(name) || isTaken(name)) continue;
      given.add(name);
      return name;
    }
  };
  return {
    ofTypes: entityTypes.map((entityType) => ({ name: named(entityType, '_entities'), entityType })),
    ofElements: elements.map((activity, index) => ({ name: named(activity, '_events'), number: index + 1 })),
  };
}

/**
 * Lower-case letters without accents and digits, with `_` for what is between; undefined without any. Catalogs of Trino
 * take no other names.
 */
function folded(text: string): string | undefined {
  const letters = text.toUpperCase().toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return /[a-z0-9]/u.test(letters) ? letters.replaceAll(/[^a-z0-9]+/gu, '_') : undefined;
}
