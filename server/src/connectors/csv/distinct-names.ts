import { foldedName } from './json-types.ts';

/** Names that SQL can tell apart: later ones of equal names are numbered. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // Names that need no number keep it from others.
  const all = new Set(names.map(foldedName));
  return names.map((given) => {
    let name = given === '' ? 'column0' : given;
    for (let number = 1; taken.has(foldedName(name)) || (name !== given && all.has(foldedName(name))); number += 1) {
      name = `${given}_${number}`;
    }
    taken.add(foldedName(name));
    return name;
  });
}
