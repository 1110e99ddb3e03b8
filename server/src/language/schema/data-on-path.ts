import { type Node, isMap, isScalar, isSeq } from 'yaml';
import { type YamlText, resolveNode } from '../../model/yaml-text.ts';
import type { StepPath } from '../cursor/scalar-place.ts';

/**
 * Plain data along a path: scalar members of the objects on it, for conditions of a schema, and of lists only the entry
 * on it.
 */
export function dataOnPath(yaml: YamlText, { path, indexes }: StepPath): unknown {
  return along(resolveNode(yaml.document.contents, yaml), path, [...indexes], yaml);
}

function along(node: Node | undefined, path: readonly string[], indexes: number[], yaml: YamlText): unknown {
  if (isScalar(node)) return node.value;
  const [step, ...rest] = path;
  if (isSeq(node)) {
    if (step !== '[]') return [];
    const index = indexes.shift() ?? 0;
    const list: unknown[] = [];
    list[index] = along(resolveNode(node.items[index], yaml), rest, indexes, yaml);
    return list;
  }
  if (!isMap(node)) return undefined;
  const data: Record<string, unknown> = {};
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name === undefined) continue;
    const child = resolveNode(value, yaml);
    if (name === step) data[name] = along(child, rest, indexes, yaml);
    else if (isScalar(child)) data[name] = child.value;
  }
  return data;
}
