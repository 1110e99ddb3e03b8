import { type Node, type Scalar, type YAMLMap, isMap, isScalar, isSeq } from 'yaml';
import type { Located, LocatedSql, SourceRange } from '../source-range.ts';
import { ownText } from '../own-text.ts';
import { type YamlText, rangeOf, resolveNode } from '../yaml-text.ts';
import { sourceOffsets } from './source-offsets.ts';

/** A mapping of the text together with the text, which its values need for their places. */
export interface YamlObject {
  readonly map: YAMLMap;
  readonly yaml: YamlText;
  /** What stands in the text: the mapping itself, or an alias of it. */
  readonly node: Node;
  /** As all ranges of the model, read from the node when asked for: entries of a text move as the text above them grows. */
  readonly range: SourceRange;
}

/** The mapping that a node is; undefined when it is something else. */
export function readObject(node: unknown, yaml: YamlText): YamlObject | undefined {
  const resolved = resolveNode(node, yaml);
  if (!isMap(resolved)) return undefined;
  // An alias has the place where it is used: that is where the user looks.
  return new ReadObject(resolved, yaml, node as Node);
}

class ReadObject implements YamlObject {
  constructor(
    readonly map: YAMLMap,
    readonly yaml: YamlText,
    readonly node: Node,
  ) {}

  get range(): SourceRange {
    return rangeOf(this.node);
  }
}

/** A value whose place is read from its node when it is asked for; a class, as a large file has tens of thousands. */
class ReadText implements Located<string> {
  constructor(
    readonly value: string,
    private readonly node: Node,
  ) {}

  get range(): SourceRange {
    return rangeOf(this.node);
  }
}

class ReadSql implements LocatedSql {
  constructor(
    readonly value: string,
    private readonly node: Node,
    private readonly scalar: Scalar,
    /** The scalar as it is written. */
    private readonly source: string,
  ) {}

  get range(): SourceRange {
    return rangeOf(this.node);
  }

  /** Asked for only where an error must be placed: most SQL never is. */
  get sourceOffsets(): readonly number[] {
    return sourceOffsets(this.scalar, this.source);
  }
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
  return new ReadText(resolved.value, node as Node);
}

/** The text of a key. */
export function textOf(object: YamlObject, key: string): Located<string> | undefined {
  return readText(valueOf(object, key), object.yaml);
}

/** The text of a key, blanks included; undefined for an empty one. */
export function rawTextOf(object: YamlObject, key: string): Located<string> | undefined {
  const node = valueOf(object, key);
  const resolved = resolveNode(node, object.yaml);
  if (!isScalar(resolved) || typeof resolved.value !== 'string' || resolved.value === '') return undefined;
  return new ReadText(resolved.value, node as Node);
}

/** The value of a key that is true or false. */
export function flagOf(object: YamlObject, key: string): Located<boolean> | undefined {
  const node = valueOf(object, key);
  const resolved = resolveNode(node, object.yaml);
  if (!isScalar(resolved) || typeof resolved.value !== 'boolean') return undefined;
  return placedAt(node as Node, { value: resolved.value });
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
  const source = ownText(object.yaml.text.slice(resolved.range?.[0] ?? 0, resolved.range?.[1] ?? 0));
  return new ReadSql(text.value, node as Node, resolved, source);
}

/** The mappings in a list of mappings; other items are left out. */
export function objectsOf(object: YamlObject, key: string): readonly YamlObject[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item) => readObject(item, object.yaml) ?? []);
}

/**
 * Gives an object the place of a node, read when it is asked for. It holds the node alone: whatever an entry holds outlives
 * the version of the text that it was read from.
 */
export function placedAt<T extends object>(node: Node, value: T): T & { readonly range: SourceRange } {
  return Object.defineProperty(value, 'range', {
    get: () => rangeOf(node),
    enumerable: true,
    configurable: true,
  }) as T & { readonly range: SourceRange };
}

/** The same object without the keys whose value is undefined. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
