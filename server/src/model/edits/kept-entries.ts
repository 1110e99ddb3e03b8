import { type Node, isMap, isScalar, isSeq } from 'yaml';
import { plainValue } from '../plain-value.ts';
import { type YamlText, rangeOf } from '../yaml-text.ts';

/**
 * Whether everything readable in a broken text is also in another text: each entry, possibly in another list, and each
 * top-level field. True for a text that was not parsed in parts, because then nothing is certain.
 */
export function keepsEntries(before: YamlText, after: YamlText): boolean {
  if (!before.broken) return true;
  const left = new Map<string, number>();
  for (const said of saidBy(after)) left.set(said, (left.get(said) ?? 0) + 1);
  return saidBy(before).every((said) => {
    const count = left.get(said) ?? 0;
    left.set(said, count - 1);
    return count > 0;
  });
}

function saidBy(yaml: YamlText): readonly string[] {
  const { contents } = yaml.document;
  const { broken = [] } = yaml;
  const isRead = (node: Node): boolean => {
    const { start, end } = rangeOf(node);
    return !broken.some((range) => start < range.end && range.start < end);
  };
  const say = (node: Node): string | undefined => JSON.stringify(plainValue(node, yaml));
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key, value }): readonly string[] => {
    if (isSeq(value)) return (value.items as Node[]).filter(isRead).flatMap((item) => say(item) ?? []);
    const node = value as Node | null;
    if (!isScalar(key) || !node || !isRead(key) || !isRead(node)) return [];
    return [`${String(key.value)}: ${say(node)}`];
  });
}
