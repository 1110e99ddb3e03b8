import { type Node, type Pair, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { SourceRange } from '../model/source-range.ts';
import { type YamlText, rangeOf } from '../model/yaml-text.ts';

/** The key or scalar at an offset of a text that parses, with its path; undefined elsewhere. */
export function nodePlace(
  yaml: YamlText,
  offset: number,
):
  | {
      readonly path: readonly string[];
      readonly indexes: readonly number[];
      readonly in: 'key' | 'value';
      readonly range: SourceRange;
      readonly text: string;
    }
  | undefined {
  const path: string[] = [];
  const indexes: number[] = [];
  let node: unknown = yaml.document.contents;
  for (;;) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((each) => isPair(each) && covers(each, offset));
      if (!pair || !isScalar(pair.key)) return undefined;
      path.push(String(pair.key.value));
      if (contains(pair.key, offset))
        return { path, indexes, in: 'key', range: rangeOf(pair.key), text: String(pair.key.value) };
      node = pair.value;
    } else if (isSeq(node)) {
      const index = node.items.findIndex((item) => contains(item as Node, offset));
      if (index < 0) return undefined;
      path.push('[]');
      indexes.push(index);
      node = node.items[index];
    } else if (isScalar(node) && contains(node, offset)) {
      return { path, indexes, in: 'value', range: rangeOf(node), text: String(node.value) };
    } else return undefined;
  }
}

function covers(pair: Pair, offset: number): boolean {
  return contains(pair.key as Node, offset) || (pair.value !== null && contains(pair.value as Node, offset));
}

function contains(node: Node, offset: number): boolean {
  const range = rangeOf(node);
  return offset >= range.start && offset <= range.end;
}
