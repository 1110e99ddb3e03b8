import { type Node, type YAMLMap, isMap, isScalar, isSeq } from 'yaml';
import type { Located, LocatedSql, SourceRange } from '../source-range.ts';
import { ownText } from '../own-text.ts';
import { type YamlText, rangeOf, resolveNode } from '../yaml-text.ts';
import { sourceOffsets } from './source-offsets.ts';

/** A mapping of the text together with the text, which its values need for their places. */
export interface YamlObject {
  readonly map: YAMLMap;
  readonly yaml: YamlText;
  /** As all ranges of the model, read from the node when asked for: entries of a text move as the text above them grows. */
  readonly range: SourceRange;
}

/** The mapping that a node is; undefined when it is something else. */
export function readObject(node: unknown, yaml: YamlText): YamlObject | undefined {
  const resolved = resolveNode(node, yaml);
  if (!isMap(resolved)) return undefined;
  // An alias has the place where it is used: that is where the user looks.
  return {
    map: resolved,
    yaml,
    get range() {
      return rangeOf(node as Node);
    },
  };
}

/** The value of a key; undefined when the key is missing. */
export function valueOf(object: YamlObject, key: string): Node | undefined {
  const value = object.map.get(key, true) as unknown;
  return value === undefined ? undefined : (value as Node);
}

/** The items of a list; none when the value is not one. */
export function itemsOf(node: unknown, yaml: YamlText): readonly Node[] {
  const resolved = resolveNode(node, yaml);
  return isSeq(resolved) ? (resolved.items as Node[]) : [];
}

/** A text that is not empty; numbers and the like are no texts, nothing is guessed. */
export function readText(node: unknown, yaml: YamlText): Located<string> | undefined {
  const resolved = resolveNode(node, yaml);
  if (!isScalar(resolved) || typeof resolved.value !== 'string' || resolved.value.trim() === '') return undefined;
  return {
    value: resolved.value,
    get range() {
      return rangeOf(node as Node);
    },
  };
}

/** The text of a key. */
export function textOf(object: YamlObject, key: string): Located<string> | undefined {
  return readText(valueOf(object, key), object.yaml);
}

/** The texts of a list of texts; other items are left out. */
export function textsOf(object: YamlObject, key: string): readonly Located<string>[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item) => readText(item, object.yaml) ?? []);
}

/** SQL written in the value of a key. */
export function sqlOf(object: YamlObject, key: string): LocatedSql | undefined {
  const node = valueOf(object, key);
  const text = readText(node, object.yaml);
  const resolved = resolveNode(node, object.yaml);
  if (!text || !isScalar(resolved)) return undefined;
  const [start, end] = resolved.range ?? [0, 0];
  const source = ownText(object.yaml.text.slice(start, end));
  return {
    value: text.value,
    get range() {
      return text.range;
    },
    // Asked for only where an error must be placed: most SQL never is.
    get sourceOffsets() {
      return sourceOffsets(resolved, source);
    },
  };
}

/** The mappings in a list of mappings; other items are left out. */
export function objectsOf(object: YamlObject, key: string): readonly YamlObject[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item) => readObject(item, object.yaml) ?? []);
}

/** The same object without the keys whose value is undefined. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
