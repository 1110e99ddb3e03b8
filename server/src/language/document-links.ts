import { type Node, Pair, YAMLMap, isMap, isNode, isScalar, isSeq, visit, type visitor } from 'yaml';
import type { SourceRange } from '../model/source-range.ts';
import type { Steps } from '../model/steps.ts';
import { type YamlText, rangeOf } from '../model/yaml-text.ts';

/** A link in a text. */
interface TextLink {
  readonly range: SourceRange;
  /** A web address, or a path relative to the file. */
  readonly target: { readonly kind: 'url' | 'path'; readonly value: string };
}

/** Links of entries by node, relative to their start: unchanged entries are not visited again. */
export type LinkCache = WeakMap<Node, readonly TextLink[]>;

/** Web addresses anywhere in a file, and file paths in a sources file (globs have no link), entry by entry. */
export function* findingLinks(
  { document: { contents } }: YamlText,
  cache: LinkCache = new WeakMap(),
): Steps<readonly TextLink[]> {
  const links: TextLink[] = [];
  if (!isMap(contents)) return links;
  for (const part of partsOf(contents)) {
    const start = part.range?.[0];
    // Other nodes are not cached, and have no position in the cache.
    const known = start === undefined ? undefined : cache.get(part);
    const found = known ?? moved(linksIn(part), -(start ?? 0));
    if (start !== undefined) cache.set(part, found);
    links.push(...moved(found, start ?? 0));
    if (!known) yield;
  }
  return links;
}

function linksIn(part: Node): readonly TextLink[] {
  const links: TextLink[] = [];
  visit(part, linkVisitor(links));
  return links;
}

function moved(links: readonly TextLink[], by: number): readonly TextLink[] {
  return links.map(({ range: { start, end }, target }) => ({ range: { start: start + by, end: end + by }, target }));
}

/** List entries of a file, and everything else. */
function partsOf(contents: YAMLMap): readonly Node[] {
  return (contents.items as Pair<Node, Node | null>[]).flatMap((pair) => {
    const rest = new YAMLMap();
    const { key, value } = pair;
    const isPathKey = isScalar(key) && pathKeys.has(String(key.value));
    const entries = isSeq(value) && !isPathKey ? value.items.filter(isNode) : [];
    rest.items.push(entries.length > 0 ? new Pair(key, null) : pair);
    return [rest, ...entries];
  });
}

function linkVisitor(links: TextLink[]): visitor {
  return {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !pathKeys.has(String(key.value))) return;
      const values: readonly unknown[] = isSeq(value) ? value.items : [value];
      for (const each of values) {
        if (isScalar(each) && typeof each.value === 'string' && isPath(each.value)) {
          links.push({ range: rangeOf(each), target: { kind: 'path', value: each.value } });
        }
      }
    },
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string') return;
      if (/^https?:\/\/\S+$/.test(scalar.value)) {
        links.push({ range: rangeOf(scalar as Node), target: { kind: 'url', value: scalar.value } });
      }
    },
  };
}

const pathKeys = new Set(['path', 'ca', 'cert', 'key']);

/** Keys of elements in an entity graph are not paths; columns contain neither slashes nor trailing dots. */
function isPath(text: string): boolean {
  return !/[*?[\]{}]|^\$|^\w+:\/\//.test(text) && /\.(csv|tsv|gz|parquet|json|pem|crt|key)$/i.test(text);
}
