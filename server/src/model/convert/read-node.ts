import { type Node, type Scalar, type YAMLMap, isMap, isScalar, isSeq } from 'yaml';
import type { RuleSeverity } from '../process-rule.ts';
import type { Located, LocatedSql, SourceRange } from '../source-range.ts';
import { detachedText } from '../detached-text.ts';
import { type YamlText, rangeOf, resolveNode } from '../yaml-text.ts';
import { sourceOffsets } from './source-offsets.ts';

/** A YAML mapping with its text, from which ranges are computed. */
export interface YamlObject {
  readonly map: YAMLMap;
  readonly yaml: YamlText;
  /** The node in the text: the mapping, or an alias of it. */
  readonly node: Node;
  /** Computed on demand like all ranges of the model, because entries move with the text above them. */
  readonly range: SourceRange;
}

/** A node as mapping; undefined for other nodes. */
export function readObject(node: unknown, yaml: YamlText): YamlObject | undefined {
  const resolved = resolveNode(node, yaml);
  if (!isMap(resolved)) return undefined;
  // An alias has the range of its use, where the user looks.
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

/** A value with a range computed on demand; a class, because large files have tens of thousands. */
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
    /** The scalar as written. */
    private readonly source: string,
  ) {}

  get range(): SourceRange {
    return rangeOf(this.node);
  }

  /** Computed on demand, to map an error position. */
  get sourceOffsets(): readonly number[] {
    return sourceOffsets(this.scalar, this.source);
  }
}

/** The value of a key; undefined if missing. */
export function valueOf(object: YamlObject, key: string): Node | undefined {
  const value = object.map.get(key, true) as unknown;
  return value === undefined ? undefined : (value as Node);
}

/** The items of a list; empty for other values. */
export function itemsOf(node: unknown, yaml: YamlText): readonly Node[] {
  const resolved = resolveNode(node, yaml);
  return isSeq(resolved) ? (resolved.items as Node[]) : [];
}

/** A non-empty text; other types are not converted. */
export function readText(node: unknown, yaml: YamlText): Located<string> | undefined {
  const resolved = resolveNode(node, yaml);
  if (!isScalar(resolved) || typeof resolved.value !== 'string' || resolved.value.trim() === '') return undefined;
  return new ReadText(resolved.value, node as Node);
}

/** The text value of a key. */
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

/** The text of a key of a mapping as it is written, blanks included: a number or a flag, too. */
export function keyTextOf(key: unknown, yaml: YamlText): Located<string> | undefined {
  const resolved = resolveNode(key, yaml);
  if (!isScalar(resolved) || resolved.value === null) return undefined;
  const { value, source } = resolved as Scalar;
  const text = typeof value === 'string' ? value : (source ?? String(value));
  return text === '' ? undefined : new ReadText(text, key as Node);
}

/** The value of a key that is true or false. */
export function flagOf(object: YamlObject, key: string): Located<boolean> | undefined {
  const node = valueOf(object, key);
  const resolved = resolveNode(node, object.yaml);
  if (!isScalar(resolved) || typeof resolved.value !== 'boolean') return undefined;
  return placedAt(node as Node, { value: resolved.value });
}

/** The texts in a list; other items are skipped. */
export function textsOf(object: YamlObject, key: string): readonly Located<string>[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item) => readText(item, object.yaml) ?? []);
}

/** SQL in the value of a key. */
export function sqlOf(object: YamlObject, key: string): LocatedSql | undefined {
  const node = valueOf(object, key);
  const text = readText(node, object.yaml);
  const resolved = resolveNode(node, object.yaml);
  if (!text || !isScalar(resolved)) return undefined;
  const source = detachedText(object.yaml.text.slice(resolved.range?.[0] ?? 0, resolved.range?.[1] ?? 0));
  return new ReadSql(text.value, node as Node, resolved, source);
}

/** The value of a key if it is one of a few words, else another one. */
export function oneOf<T extends string>(object: YamlObject, key: string, values: readonly T[], otherwise: T): T {
  const text = textOf(object, key)?.value;
  return values.find((value) => value === text) ?? otherwise;
}

/** The severity of a broken rule or expectation. */
export function readSeverity(object: YamlObject): RuleSeverity {
  return oneOf(object, 'severity', ['error', 'warning', 'info'], 'warning');
}

/** The mappings in a list; other items are skipped. */
export function objectsOf(object: YamlObject, key: string): readonly YamlObject[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item) => readObject(item, object.yaml) ?? []);
}

/**
 * Adds a range computed on demand from a node. It refers to the node only, because entries outlive the version of the
 * text they were parsed from. All objects share one getter: with a closure for each, V8 would keep every object as a
 * hash table, in three times the memory.
 */
export function placedAt<T extends object>(node: Node, value: T): T & { readonly range: SourceRange } {
  Object.defineProperty(value, origin, { value: node });
  return Object.defineProperty(value, 'range', rangeOfOrigin) as T & { readonly range: SourceRange };
}

/** The node of a placed object; not enumerable, so that copies have the range of their time instead. */
const origin = Symbol('origin');

const rangeOfOrigin: PropertyDescriptor & ThisType<{ readonly [origin]: Node }> = {
  get() {
    return rangeOf(this[origin]);
  },
  enumerable: true,
  configurable: true,
};

/** A copy without undefined values. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const copy: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key of Object.keys(values) as (keyof T)[]) {
    const value = values[key];
    if (value !== undefined) copy[key] = value as Exclude<T[typeof key], undefined>;
  }
  return copy;
}
