import type { Located } from '../source-range.ts';
import { type YamlObject, textOf, textsOf } from './read-node.ts';

/** One column, or a list of them; an empty list counts as not given. */
export function readKey(object: YamlObject, key: string): readonly Located<string>[] | undefined {
  const single = textOf(object, key);
  if (single) return [single];
  const several = textsOf(object, key);
  return several.length > 0 ? several : undefined;
}
