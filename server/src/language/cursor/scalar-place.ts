import { type Node, type Range, type Scalar, type YAMLMap, isMap, isNode, isScalar, isSeq } from 'yaml';
import { bisect } from '../../model/bisect.ts';

/** Keys and 0-based list indexes from the root of a file. */
type YamlPath = readonly (string | number)[];

/** A path for schemas and rules: names and `[]` for list entries, and the indexes separately. */
export interface StepPath {
  readonly path: readonly string[];
  readonly indexes: readonly number[];
}

export function toStepPath(path: YamlPath): StepPath {
  return {
    path: path.map((step) => (typeof step === 'number' ? '[]' : step)),
    indexes: path.filter((step) => typeof step === 'number'),
  };
}

/** A key or a value of a text, with its position. */
export interface ScalarPlace {
  /** For a key: the path of its value. */
  readonly path: YamlPath;
  readonly role: 'key' | 'value';
  readonly scalar: Scalar;
  /** The mapping of the key. */
  readonly map?: YAMLMap;
  /** In flow style, where commas separate items. */
  readonly inFlow: boolean;
}

/** The first key or value for which `test` is true, in text order. Aliases are not followed. */
export function findScalar(root: unknown, test: (scalar: Scalar) => boolean): ScalarPlace | undefined {
  return search(root, [], false, { test });
}

/** The key or value at an offset, end inclusive; multi-line scalars as a whole. */
export function scalarAt(root: unknown, offset: number): ScalarPlace | undefined {
  const covers = ({ range }: { readonly range?: Range | null | undefined }): boolean =>
    !!range && range[0] <= offset && offset <= range[1];
  const at = (scalar: Scalar): boolean => covers(scalar) && (scalar.range?.[0] ?? 0) < (scalar.range?.[1] ?? 0);
  return search(root, [], false, { test: at, enter: covers, offset });
}

interface Search {
  test(scalar: Scalar): boolean;
  /** Whether it may be inside a node; default: any. */
  enter?(node: Node): boolean;
  /** Its path, if known, to avoid walking long lists. */
  readonly offset?: number;
}

function search(node: unknown, path: YamlPath, inFlow: boolean, wanted: Search): ScalarPlace | undefined {
  if (isScalar(node)) return wanted.test(node) ? { path, role: 'value', scalar: node, inFlow } : undefined;
  if (isMap(node)) return searchMap(node, path, inFlow || node.flow === true, wanted);
  if (!isSeq(node)) return undefined;
  const flow = inFlow || node.flow === true;
  const { items } = node;
  const { offset = Infinity } = wanted;
  const ends = (index: number): number => (items[index] as Node | undefined)?.range?.[1] ?? Infinity;
  const first = offset === Infinity ? 0 : bisect(items.length, (index) => ends(index) < offset);
  for (let index = first; index < items.length; index += 1) {
    const item = items[index];
    if (!isNode(item)) continue;
    if ((item.range?.[0] ?? 0) > offset) return undefined;
    const found = wanted.enter?.(item) === false ? undefined : search(item, [...path, index], flow, wanted);
    if (found) return found;
  }
  return undefined;
}

function searchMap(map: YAMLMap, path: YamlPath, inFlow: boolean, wanted: Search): ScalarPlace | undefined {
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (isScalar(key) && wanted.test(key)) return { path: [...path, name], role: 'key', scalar: key, map, inFlow };
    if (!isNode(value) || wanted.enter?.(value) === false) continue;
    const found = search(value, [...path, name], inFlow, wanted);
    if (found) return found;
  }
  return undefined;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

export function styleOf({ type }: Scalar): ScalarStyle {
  switch (type) {
    case 'QUOTE_SINGLE':
      return 'single';
    case 'QUOTE_DOUBLE':
      return 'double';
    case 'BLOCK_FOLDED':
    case 'BLOCK_LITERAL':
      return 'block';
    default:
      return 'plain';
  }
}
