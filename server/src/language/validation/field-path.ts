import { type Node, type Pair, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { SourceRange } from '../../model/source-range.ts';

/** The keys and indexes that lead from an entry to a range in it. */
export function fieldPath(node: Node, range: SourceRange): readonly (string | number)[] {
  const holds = (each: unknown): each is Node =>
    isNode(each) && !!each.range && each.range[0] <= range.start && range.end <= each.range[1];
  if (isMap(node)) {
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      if (!isScalar(pair.key)) continue;
      const name = String(pair.key.value);
      if (holds(pair.value)) return [name, ...fieldPath(pair.value, range)];
      if (holds(pair.key)) return [name];
    }
  }
  if (isSeq(node)) {
    const index = node.items.findIndex(holds);
    if (index >= 0) return [index, ...fieldPath(node.items[index] as Node, range)];
  }
  return [];
}
