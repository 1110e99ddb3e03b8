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

/** The anchors and aliases of a node, in the order of the text. */
export function linksIn(node: Node | null, text: string): readonly Link[] {
  // Most texts have neither, and need not be gone through.
  if (node === null || !/[&*]/.test(text)) return [];
  const links: Link[] = [];
  visit(node, {
    Node(_key, each) {
      if (isAlias(each) || ('anchor' in each && each.anchor)) links.push(each as Link);
    },
  });
  return links;
}

/** What the aliases of a text stand for: the library looks through the whole text for each. */
export interface YamlLinks {
  /** The node behind an alias; undefined for one that leads nowhere. */
  target(alias: Alias): Node | undefined;
  has(alias: Alias): boolean;
  /** All of the text, in its order. */
  readonly aliases: readonly Alias[];
  /** Aliases of aliases multiply beyond what can be read. */
  readonly isTooLarge: boolean;
}

/** @param links the anchors and aliases of a text, in its order: an alias stands for the last anchor of its name before it. */
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
      isTooLarge ??= writtenOut(targets) > mostNodes;
      return isTooLarge;
    },
  };
}

/** More nodes than this would keep the editor waiting; a file of 50,000 lines has as many. */
const mostNodes = 400_000;

/** How many nodes all aliases would be, if what they stand for were written in their place. */
function writtenOut(targets: ReadonlyMap<Alias, Node | undefined>): number {
  const sizes = new Map<Node, number>();
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) return sizeOf(targets.get(node));
    if (!isCollection(node)) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    // What has itself inside has no end.
    sizes.set(node, Infinity);
    const size = (node.items as unknown[]).reduce<number>((sum, item) => sum + sizeOf(item), 1);
    sizes.set(node, size);
    return size;
  };
  let sum = 0;
  for (const target of targets.values()) sum += sizeOf(target);
  return sum;
}
