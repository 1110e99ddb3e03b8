import { type Node, type Scalar, isScalar } from 'yaml';
import type { EntitySource } from '../../model/entity-graph.ts';
import { pairOf } from '../../model/edits/editable-yaml.ts';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import { blockComment } from '../../model/edits/text-places.ts';
import { verifyEdits } from '../../model/edits/verified-edits.ts';
import { pathOf } from '../../model/node-path.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import type { GraphContext } from '../graph-context.ts';
import type { Refactoring } from './refactoring.ts';

/** Replaces equal filters of several elements, or entries of `entities`, by an anchor and aliases. */
export const shareWhere: Refactoring = {
  kind: 'refactor.extract',
  offers(context, offset) {
    const { elements, entities } = context.parsed.graph;
    const sources = [...elements, ...entities];
    const text = sources.find(({ range }) => range.start <= offset && offset <= range.end)?.where?.value;
    if (text === undefined || context.parsed.yaml.text.trimStart().startsWith('{')) return [];
    const nodes = sources
      .filter(({ where }) => where?.value.trim() === text.trim())
      .flatMap((each) => whereNode(context, each) ?? []);
    const [first, ...rest] = nodes;
    if (!first || rest.length === 0) return [];
    const anchor = freeAnchor(context.parsed.yaml.text);
    const { start } = rangeOf(first);
    return [
      {
        title: `Write this filter once for ${nodes.length} entries`,
        edits() {
          const { yaml } = context.parsed;
          const edits = [
            { range: { start, end: start }, newText: `&${anchor} ` },
            ...rest.map((node) => ({
              range: contentRange(node, yaml.text),
              newText: `*${anchor}${blockComment(yaml.text, node)}`,
            })),
          ];
          // They differ in surrounding blanks at most.
          const changes = rest.map((node): MeaningChange => ({
            kind: 'set',
            path: pathOf(yaml.document.contents, node) ?? [],
            value: first.value as string,
          }));
          return verifyEdits(yaml, edits, changes);
        },
      },
    ];
  },
};

/** The filter as written, if it has neither anchor nor alias. */
function whereNode({ parsed }: GraphContext, element: EntitySource): Scalar | undefined {
  const map = parsed.originOf(element);
  const value = map && pairOf(map, 'where')?.value;
  return isScalar(value) && value.anchor === undefined ? value : undefined;
}

function contentRange(node: Node, text: string) {
  const { start, end } = rangeOf(node);
  return { start, end: Math.max(start, text.slice(0, end).trimEnd().length) };
}

function freeAnchor(text: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'filter' : `filter${number}`;
    if (!new RegExp(`[&*]${name}\\b`).test(text)) return name;
  }
}
