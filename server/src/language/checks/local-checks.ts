import type { Scalar } from 'yaml';
import { Document, type Node, Pair, YAMLMap, YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import type { EntityElement, Relationship } from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { GraphCheck, GraphContext } from './check.ts';
import { recalled } from './entry-memo.ts';

/**
 * What the rules that look at one entry alone find, entry by entry, and in what is left of the file without its entries:
 * of a large file only the entry that is being typed in is looked at again.
 */
export function runLocalChecks(checks: readonly GraphCheck[], context: GraphContext): readonly Problem[] {
  const { graph, memo } = context;
  if (!memo) return checks.flatMap(({ check }) => check(context));
  const rest = withGraph(context, { elements: [], relationships: [] });
  return [
    ...checks.flatMap(({ check }) => check(rest)),
    ...graph.elements.flatMap((entry) =>
      entryProblems(checks, context, entry, () => ({ elements: [entry], relationships: [] })),
    ),
    ...graph.relationships.flatMap((entry) =>
      entryProblems(checks, context, entry, () => ({ elements: [], relationships: [entry] })),
    ),
  ];
}

interface Part {
  readonly elements: readonly EntityElement[];
  readonly relationships: readonly Relationship[];
}

function entryProblems(
  checks: readonly GraphCheck[],
  context: GraphContext,
  entry: EntityElement | Relationship,
  part: () => Part,
): readonly Problem[] {
  const { memo, catalog, parsed } = context;
  const origin = parsed.originOf(entry);
  const known = origin && recalled(memo?.local.get(origin), { catalog, others: [] }, entry);
  if (known) return known;
  const { start, end } = entry.range;
  const alone = withGraph(context, part());
  const found = checks.flatMap(({ check }) => check(alone));
  const problems = found.filter(({ range }) => range.start >= start && range.end <= end);
  if (origin) memo?.local.set(origin, { catalog, others: [], start, problems });
  return problems;
}

/** The context as if the file had only these entries. */
function withGraph(context: GraphContext, part: Part): GraphContext {
  const { parsed } = context;
  const graph = { ...parsed.graph, ...part };
  const yaml: YamlText = { ...parsed.yaml, document: documentWith(parsed, part) };
  return { ...context, graph, parsed: { ...parsed, graph, yaml } };
}

function documentWith(parsed: ParsedEntityGraph, part: Part): YamlText['document'] {
  const { contents } = parsed.yaml.document;
  if (!isMap(contents)) return parsed.yaml.document;
  const root = new YAMLMap();
  root.range = contents.range;
  for (const pair of (contents as YAMLMap).items) {
    const key = isScalar(pair.key) ? pair.key.value : undefined;
    const own = key === 'elements' || key === 'relationships' ? part[key] : undefined;
    root.items.push(own && isSeq(pair.value) ? new Pair(pair.key as Scalar, listOf(pair.value, own, parsed)) : pair);
  }
  const document = new Document(null, { version: '1.2' });
  document.contents = root as unknown as typeof document.contents;
  return document as unknown as YamlText['document'];
}

/** The list with these entries; with none of them, what else stands in it. */
function listOf(list: YAMLSeq, own: Part['elements' | 'relationships'], parsed: ParsedEntityGraph): YAMLSeq {
  const shown = new YAMLSeq();
  shown.range = list.range ?? null;
  const nodes = own.map((entry) => parsed.originOf(entry)).filter((node) => node !== undefined);
  shown.items = nodes.length > 0 ? nodes : (list.items as Node[]).filter((item) => !isMap(item));
  return shown;
}
