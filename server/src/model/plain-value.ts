import { Document, type Node, type Pair, YAMLMap, YAMLSeq, isAlias, isScalar, visit } from 'yaml';
import { createLinks, linksIn } from './yaml-links.ts';
import { type YamlText, rangeOf, yamlOptions } from './yaml-text.ts';

/** A document as plain data; undefined for unresolvable or exponentially growing aliases. */
export function plainDocument(document: Document.Parsed, text: string): unknown {
  if (createLinks(linksIn(document.contents, text)).isTooLarge) return undefined;
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch {
    return undefined;
  }
}

/** A node as plain data; undefined for unresolvable or exponentially growing aliases. */
export function plainValue(node: Node | null, yaml: YamlText): unknown {
  const targets = node && yaml.links.aliases.length > 0 ? targetsIn(node, yaml) : [];
  if (targets.length > 0 && yaml.links.isTooLarge) return undefined;
  const ordinary = targets.length === 0 ? ordinaryData(node) : unusual;
  if (ordinary !== unusual) return ordinary;
  const document = new Document(null, yamlOptions);
  // A YAML version directive selects its rules.
  document.schema = yaml.document.schema;
  if (targets.length === 0) document.contents = node as typeof document.contents;
  else {
    // The library finds anchors only before their aliases, in the same document.
    const list = new YAMLSeq();
    list.items = [...targets, node];
    document.contents = list as unknown as typeof document.contents;
  }
  try {
    const data = document.toJS({ maxAliasCount: -1 }) as unknown;
    return targets.length === 0 ? data : (data as unknown[]).at(-1);
  } catch {
    return undefined;
  }
}

const unusual = Symbol('unusual');

/**
 * A node as plain data without the library, which prepares a document for each call; `unusual` where only the library
 * knows the result. Almost all nodes are ordinary: lists, texts, numbers, and mappings with texts as keys.
 */
function ordinaryData(node: Node | null): unknown {
  if (node === null) return null;
  if (isScalar(node)) return typeof node.value === 'object' && node.value !== null ? unusual : node.value;
  // Not sets and other mappings and lists with a tag.
  if (node.constructor === YAMLSeq) return ordinaryList(node as YAMLSeq<Node | null>);
  return node.constructor === YAMLMap ? ordinaryMap(node as YAMLMap<Node, Node | null>) : unusual;
}

function ordinaryList({ items }: YAMLSeq<Node | null>): unknown {
  const list: unknown[] = [];
  for (const item of items) {
    const value = ordinaryData(item);
    if (value === unusual) return unusual;
    list.push(value);
  }
  return list;
}

function ordinaryMap({ items }: YAMLMap<Node, Node | null>): unknown {
  const data: Record<string, unknown> = {};
  for (const { key, value: node } of items as readonly Pair<Node, Node | null>[]) {
    const name = isScalar(key) ? key.value : undefined;
    // Merge keys, duplicates and names of `Object.prototype` are left to the YAML library.
    if (typeof name !== 'string' || name === '<<' || name in data) return unusual;
    const value = ordinaryData(node);
    if (value === unusual) return unusual;
    data[name] = value;
  }
  return data;
}

/** Targets of the aliases of a node, transitively, in text order. */
export function targetsIn(node: Node, yaml: YamlText): readonly Node[] {
  const found = new Set<Node>();
  // Iterative, because a chain of aliases may be as long as the file.
  const left = [node];
  for (let from = left.pop(); from; from = left.pop()) {
    visit(from, {
      Node(_key, each) {
        const target = isAlias(each) ? yaml.links.target(each) : undefined;
        if (!target || found.has(target)) return;
        found.add(target);
        left.push(target);
      },
    });
  }
  return [...found].sort((left, right) => rangeOf(left).start - rangeOf(right).start);
}
