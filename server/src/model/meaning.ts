import { Document, type Node, type YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import { type JsonObject, type JsonValue, isJsonObject } from './edits/json-value.ts';
import { plainValue } from './plain-value.ts';
import { type Steps, toEnd } from './steps.ts';
import { type YamlText, yamlOptions } from './yaml-text.ts';

/** Cached data of entries while their nodes exist: in a large file, all but the edited one. */
const known = new WeakMap<Node, JsonValue>();

/**
 * The data of a text parsed in parts, without parsing it again; undefined if it is not an object, or for unresolvable
 * aliases. Values are shared between versions.
 */
export function meaningOf(yaml: YamlText): JsonObject | undefined {
  return toEnd(readingMeaning(yaml));
}

/** Computes the meaning entry by entry. */
export function* readingMeaning(yaml: YamlText): Steps<JsonObject | undefined> {
  const { contents } = yaml.document;
  if (!isMap(contents)) return undefined;
  if (yaml.links.aliases.length > 0) {
    const all = plainValue(contents, yaml);
    return isJsonObject(all) ? all : undefined;
  }
  const document = new Document(null, yamlOptions);
  document.schema = yaml.document.schema;
  const read = (node: Node): JsonValue => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const value = node.toJS(document) as JsonValue;
    known.set(node, value);
    return value;
  };
  const pairs: (readonly [string, JsonValue])[] = [];
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value ?? '') : '';
    if (isSeq(value)) {
      const entries: JsonValue[] = [];
      for (const entry of (value as YAMLSeq<Node>).items) {
        entries.push(read(entry));
        yield;
      }
      pairs.push([name, entries]);
    } else pairs.push([name, value === null ? null : ((value as Node).toJS(document) as JsonValue)]);
  }
  return Object.fromEntries(pairs);
}
