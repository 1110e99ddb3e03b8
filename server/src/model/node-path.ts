import { type Node, isMap, isNode, isScalar, isSeq } from 'yaml';
import { bisect } from './bisect.ts';
import type { MeaningPath } from './edits/meaning-change.ts';
import type { SourceRange } from './source-range.ts';

/** A node of a text with its path. */
interface NodePlace {
  /** For a key: the path of its value. */
  readonly path: MeaningPath;
  readonly role: 'key' | 'value';
  readonly node: Node;
}

/** The key, scalar, alias, or collection at a position, without trailing line breaks and comments. */
export function nodeAt(root: unknown, { start, end }: SourceRange, text = ''): NodePlace | undefined {
  const isThere = ({ range }: Node): boolean =>
    range?.[0] === start &&
    (range[1] === end || (range[1] > end && /^\s*(?:#.*\s*)*$/.test(text.slice(end, range[1]))));
  const isCollection = (node: Node): boolean => isMap(node) || isSeq(node);
  return (
    find(root, [], start, (node) => !isCollection(node) && isThere(node)) ??
    find(root, [], start, (node) => isCollection(node) && isThere(node))
  );
}

/** The scalar at a position. */
export function scalarAround(root: unknown, { start, end }: SourceRange): NodePlace | undefined {
  const isAround = ({ range }: Node): boolean => !!range && range[0] <= start && end <= range[1];
  return find(root, [], start, (node) => isScalar(node) && isAround(node));
}

/** The path of a node; undefined if it is not in the text. */
export function pathOf(root: unknown, wanted: Node): MeaningPath | undefined {
  const start = wanted.range?.[0];
  return start === undefined ? undefined : find(root, [], start, (node) => node === wanted)?.path;
}

function find(
  root: unknown,
  path: MeaningPath,
  offset: number,
  isWanted: (node: Node) => boolean,
): NodePlace | undefined {
  if (!isNode(root)) return undefined;
  if (isWanted(root)) return { path, role: 'value', node: root };
  if (isSeq(root)) {
    const items = root.items as Node[];
    const first = bisect(items.length, (index) => (items[index]?.range?.[1] ?? Infinity) < offset);
    for (let index = first; index < items.length && (items[index]?.range?.[0] ?? 0) <= offset; index += 1) {
      const found = find(items[index], [...path, index], offset, isWanted);
      if (found) return found;
    }
  }
  if (!isMap(root)) return undefined;
  for (const { key, value } of root.items) {
    if (!isScalar(key)) continue;
    const below = [...path, String(key.value ?? '')];
    if (isWanted(key)) return { path: below, role: 'key', node: key };
    const range = isNode(value) ? value.range : undefined;
    if (!range || range[0] > offset || range[1] < offset) continue;
    const found = find(value, below, offset, isWanted);
    if (found) return found;
  }
  return undefined;
}

/** The node at a path, without following aliases. */
export function nodeAtPath(root: unknown, path: MeaningPath): unknown {
  return path.reduce<unknown>((node, step) => {
    if (isSeq(node)) return node.items[Number(step)];
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === step)
      : undefined;
    return isNode(pair?.value) ? pair.value : undefined;
  }, root);
}
