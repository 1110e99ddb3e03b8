import { type Node, isMap, isScalar } from 'yaml';
import type { Located } from '../model/source-range.ts';
import { type YamlText, rangeOf, resolveNode } from '../model/yaml-text.ts';

export interface Entry {
  readonly key: Located<string>;
  readonly value: Node | undefined;
}

/** The entries of a mapping; empty for other values. */
export function entriesOf(node: unknown, yaml: YamlText): readonly Entry[] {
  const map = resolveNode(node, yaml);
  if (!isMap(map)) return [];
  return map.items.flatMap(({ key, value }) =>
    isScalar(key)
      ? [{ key: { value: String(key.value), range: rangeOf(key) }, value: (value ?? undefined) as Node | undefined }]
      : [],
  );
}
