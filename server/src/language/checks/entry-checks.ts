import type { Scalar } from 'yaml';
import { type Node, Pair, YAMLMap, YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { targetsIn } from '../../model/plain-value.ts';
import { type YamlText, rangeOf, resolveNode } from '../../model/yaml-text.ts';
import type { EntryIndex } from '../entry-index.ts';
import type { GraphContext } from '../graph-context.ts';
import type { CheckContext, GraphCheck } from './check.ts';
import type { PendingAnswer } from '../sql/sql-validator.ts';
import type { Entry, EntryFindings, EntryCache, ValidationBudget } from './entry-cache.ts';

/**
 * Runs the rules for single entries, entry by entry, and on the rest of the file: in a large file only changes are
 * validated again. Undefined when the time was up.
 */
export function runEntryChecks(
  checks: readonly GraphCheck[],
  context: GraphContext,
  memo: EntryCache,
  time: ValidationBudget,
): readonly Problem[] | undefined {
  const { graph } = context.parsed;
  const find = (entry: Entry, index: EntryIndex): EntryFindings =>
    entryFindings(checks, { ...context, graph, index }, entry);
  const ofEntries = memo.update(context, find, time);
  if (!ofEntries) return undefined;
  const rest = withGraph(
    { ...context, graph, index: memo.index },
    {
      elements: [],
      entities: graph.entities,
      relationships: [],
    },
  );
  return [...checks.filter(({ scope }) => scope === 'entry').flatMap(({ check }) => check(rest)), ...ofEntries];
}

type Part = Pick<EntityGraph, 'elements' | 'entities' | 'relationships'>;

function entryFindings(checks: readonly GraphCheck[], context: CheckContext, entry: Entry): EntryFindings {
  const pending: PendingAnswer[] = [];
  const alone = withGraph({ ...context, onPending: (answer) => void pending.push(answer) }, partOf(entry));
  const { start, end } = entry.range;
  const node = context.parsed.originOf(entry);
  const shared =
    node && context.parsed.yaml.links.aliases.length > 0 ? targetsIn(node, context.parsed.yaml).map(rangeOf) : [];
  const isPlaceWithin = ({ range }: Pick<Problem, 'range'>): boolean => range.start >= start && range.end <= end;
  // Problems inside an alias are reported at its anchor.
  const isOwn = ({ range }: Problem): boolean =>
    [entry.range, ...shared].some((place) => range.start >= place.start && range.end <= place.end);
  const isWithin = (problem: Problem): boolean =>
    isPlaceWithin(problem) && (problem.related ?? []).every(isPlaceWithin);
  const own = checks.filter(({ scope }) => scope === 'entry').flatMap(({ check }) => check(alone));
  const linked = checks.filter(({ scope }) => scope === 'linked').flatMap(({ check }) => check(alone));
  return {
    problems: [...own.filter(isOwn), ...linked],
    // Problems about ends, and ranges in them, are located elsewhere and would not move with the entry.
    isVolatile: [...own.filter(isOwn), ...linked].some((problem) => !isWithin(problem)),
    pending,
  };
}

function partOf(entry: Entry): Part {
  const none = { elements: [], entities: [], relationships: [] };
  return 'mappings' in entry ? { ...none, relationships: [entry] } : { ...none, elements: [entry] };
}

/** The context as if the file had only these entries. */
function withGraph(context: CheckContext, part: Part): CheckContext {
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
  const isOfEntry = part.elements.length + part.relationships.length > 0;
  for (const pair of (contents as YAMLMap).items) {
    const key = isScalar(pair.key) ? pair.key.value : undefined;
    const isList = (key === 'elements' || key === 'relationships') && isSeq(pair.value);
    // Other fields do not affect an entry; walking long ones for each entry would be slow.
    if (isOfEntry && !isList && !(isScalar(pair.key) && (pair.value === null || isScalar(pair.value)))) continue;
    root.items.push(isList ? new Pair(pair.key as Scalar, listOf(pair.value as YAMLSeq, part, parsed, key)) : pair);
  }
  // The library's own constructor builds a schema, for each entry anew.
  return Object.create(parsed.yaml.document, { contents: { value: root } }) as YamlText['document'];
}

/** The list with these entries; without any, the other content of the list. */
function listOf(list: YAMLSeq, part: Part, parsed: ParsedEntityGraph, key: 'elements' | 'relationships'): YAMLSeq {
  const shown = new YAMLSeq();
  shown.range = list.range ?? null;
  const nodes = part[key].map((entry) => parsed.originOf(entry)).filter((node) => node !== undefined);
  const hasOthers = list.items.length > parsed.graph[key].length;
  shown.items =
    nodes.length > 0 || !hasOthers
      ? nodes
      : (list.items as Node[]).filter((item) => !isMap(resolveNode(item, parsed.yaml)));
  return shown;
}
