import { Document, type Node, YAMLSeq, isAlias, visit } from 'yaml';
import { createLinks, linksIn } from './yaml-links.ts';
import { type YamlText, rangeOf, yamlOptions } from './yaml-text.ts';

/** All of a document as plain data; undefined when an alias in it leads nowhere, or its aliases grow without bound. */
export function plainDocument(document: Document.Parsed, text: string): unknown {
  if (createLinks(linksIn(document.contents, text)).isTooLarge) return undefined;
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch {
    return undefined;
  }
}

/** A node as plain data; undefined when an alias in it leads nowhere, or its aliases grow without bound. */
export function plainValue(node: Node | null, yaml: YamlText): unknown {
  const targets = node && yaml.links.aliases.length > 0 ? targetsIn(node, yaml) : [];
  if (targets.length > 0 && yaml.links.isTooLarge) return undefined;
  const document = new Document(null, yamlOptions);
  // A text that says its version has the rules of that.
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

/** What the aliases of a node stand for, and those in there again, in the order of the text. */
export function targetsIn(node: Node, yaml: YamlText): readonly Node[] {
  const found = new Set<Node>();
  // A chain of aliases may be as long as the file: what is found is gone through in turn, not at once.
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
