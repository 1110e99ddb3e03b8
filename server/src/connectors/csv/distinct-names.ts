import { foldedName } from './json-types.ts';

/** Names that SQL can tell apart: later ones of equal names are numbered. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // Names that need no number keep it from others.
  const all = new Set(names.map(foldedName));
  // Lower numbers of a name are taken: trying them again would take a while for thousands of equal names.
  const next = new Map<string, number>();
  return names.map((given) => {
    let name = given === '' ? 'column0' : given;
    const folded = foldedName(given);
    let number = next.get(folded) ?? 1;
    for (; taken.has(foldedName(name)) || (name !== given && all.has(foldedName(name))); number += 1) {
      name = `${given}_${number}`;
    }
    next.set(folded, number);
    taken.add(foldedName(name));
    return name;
  });
}
