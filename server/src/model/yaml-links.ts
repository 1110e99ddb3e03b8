import {
  type Alias,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
  isAlias,
  isCollection,
  isPair,
  visit,
} from 'yaml';

/** An anchor's node, or an alias. */
export type Link = Alias | Scalar | YAMLMap | YAMLSeq;

/** The anchors and aliases of a node in text order. */
export function linksIn(node: Node | null, text: string): readonly Link[] {
  // Quick check, because most texts have neither.
  if (node === null || !/[&*]/.test(text)) return [];
  const links: Link[] = [];
  visit(node, {
    Node(_key, each) {
      if (isAlias(each) || ('anchor' in each && each.anchor)) links.push(each as Link);
    },
  });
  return links;
}

/** Alias targets of a text; the library would scan the whole text for each. */
export interface YamlLinks {
  /** The node of an alias; undefined if unresolvable. */
  target(alias: Alias): Node | undefined;
  has(alias: Alias): boolean;
  /** All of the text in order. */
  readonly aliases: readonly Alias[];
  /** Nested aliases exceed the limit. */
  readonly isTooLarge: boolean;
}

/**
 * @param links the anchors and aliases of a text in order: an alias refers to the last preceding anchor of its name.
 */
export function createLinks(links: Iterable<Link>): YamlLinks {
  const last = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  for (const link of links) {
    if (isAlias(link)) targets.set(link, last.get(link.source));
    else if (link.anchor) last.set(link.anchor, link);
  }
  let isTooLarge: boolean | undefined;
  return {
    target: (alias) => targets.get(alias),
    has: (alias) => targets.has(alias),
    aliases: [...targets.keys()],
    get isTooLarge() {
      isTooLarge ??= writtenOut(targets) > maxNodes;
      return isTooLarge;
    },
  };
}

/** Maximum number of expanded nodes; a file of 50,000 lines has as many. */
const maxNodes = 400_000;

/** Total number of nodes after expanding all aliases. */
function writtenOut(targets: ReadonlyMap<Alias, Node | undefined>): number {
  const sizes = new Map<Node, number>();
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) return sizeOf(targets.get(node));
    if (!isCollection(node)) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    // Circular aliases are infinite.
    sizes.set(node, Infinity);
    const size = (node.items as unknown[]).reduce<number>((sum, item) => sum + sizeOf(item), 1);
    sizes.set(node, size);
    return size;
  };
  let sum = 0;
  for (const target of targets.values()) sum += sizeOf(target);
  return sum;
}
