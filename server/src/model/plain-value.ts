import { Document, type Node, YAMLSeq, isAlias, visit } from 'yaml';
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
