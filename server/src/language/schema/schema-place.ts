import { type YAMLMap, isMap, isScalar, isSeq } from 'yaml';
import type { SourceRange } from '../../model/source-range.ts';
import { type YamlText, rangeOf, resolveNode } from '../../model/yaml-text.ts';

/** Range of the value at a path, or of its key if it has none. */
export function placeOf(path: readonly string[], yaml: YamlText): SourceRange {
  const node = nodeAt(path, yaml);
  if (isMap(node) || isSeq(node)) return placeOfObject(path, yaml);
  const range = node ? rangeOf(node) : undefined;
  if (range && range.end > range.start) return range;
  return keyRange(path.slice(0, -1), path.at(-1) ?? '', yaml);
}

/** An object or list is marked at its key, a list entry at its first line. */
export function placeOfObject(path: readonly string[], yaml: YamlText): SourceRange {
  const last = path.at(-1);
  if (last !== undefined && !/^\d+$/.test(last)) return keyRange(path.slice(0, -1), last, yaml);
  const node = nodeAt(path, yaml);
  const start = node ? rangeOf(node).start : 0;
  const lineEnd = yaml.text.indexOf('\n', start);
  const end = node ? rangeOf(node).end : 0;
  return { start, end: Math.max(start, Math.min(end, lineEnd < 0 ? yaml.text.length : lineEnd)) };
}

/** Range of a key in the object at a path, or of the object's first line if the key is missing. */
export function keyRange(path: readonly string[], name: string, yaml: YamlText): SourceRange {
  const object = resolveNode(nodeAt(path, yaml), yaml);
  const pair = isMap(object) ? findPair(object, name) : undefined;
  return pair && isScalar(pair.key)
    ? rangeOf(pair.key)
    : placeOfFirst(object ? rangeOf(object) : { start: 0, end: 0 }, yaml);
}

function placeOfFirst({ start, end }: SourceRange, { text }: YamlText): SourceRange {
  const lineEnd = text.indexOf('\n', start);
  return { start, end: lineEnd < 0 ? end : Math.min(end, lineEnd) };
}

function findPair(map: YAMLMap, name: string) {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function nodeAt(path: readonly string[], yaml: YamlText) {
  let node = resolveNode(yaml.document.contents, yaml);
  for (const part of path) {
    const next: unknown = isMap(node)
      ? findPair(node, part)?.value
      : isSeq(node)
        ? node.items[Number(part)]
        : undefined;
    node = resolveNode(next, yaml);
    if (!node) return undefined;
  }
  return node;
}
