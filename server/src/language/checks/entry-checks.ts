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
  const scoped = { entry: ofScope(checks, 'entry'), linked: ofScope(checks, 'linked') };
  const documentOf = documentsOfEntries(context.parsed);
  const find = (entry: Entry, index: EntryIndex): EntryFindings =>
    entryFindings(scoped, { ...context, graph, index }, entry, documentOf);
  const ofEntries = memo.update(context, find, time);
  if (!ofEntries) return undefined;
  const others = { elements: [], entities: graph.entities, relationships: [] };
  const rest = withGraph({ ...context, graph, index: memo.index }, others, documentOfOthers(context.parsed));
  return [...scoped.entry.flatMap(({ check }) => check(rest)), ...ofEntries];
}

type ScopedChecks = Readonly<Record<'entry' | 'linked', readonly GraphCheck[]>>;

function ofScope(checks: readonly GraphCheck[], wanted: keyof ScopedChecks): readonly GraphCheck[] {
  return checks.filter(({ scope }) => scope === wanted);
}

type Part = Pick<EntityGraph, 'elements' | 'entities' | 'relationships'>;

function entryFindings(
  checks: ScopedChecks,
  context: CheckContext,
  entry: Entry,
  documentOf: (entry: Entry) => TextDocument,
): EntryFindings {
  const pending: PendingAnswer[] = [];
  const onPending = (answer: PendingAnswer): void => void pending.push(answer);
  const alone = withGraph({ ...context, onPending }, partOf(entry), documentOf(entry));
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
  const own = checks.entry.flatMap(({ check }) => check(alone));
  const problems = [...own.filter(isOwn), ...checks.linked.flatMap(({ check }) => check(alone))];
  return {
    problems,
    // Problems about ends, and ranges in them, are located elsewhere and would not move with the entry.
    isVolatile: problems.some((problem) => !isWithin(problem)),
    pending,
  };
}

function partOf(entry: Entry): Part {
  const none = { elements: [], entities: [], relationships: [] };
  return 'mappings' in entry ? { ...none, relationships: [entry] } : { ...none, elements: [entry] };
}

type TextDocument = YamlText['document'];

/** The context as if the file had only these entries. */
function withGraph(context: CheckContext, part: Part, document: TextDocument): CheckContext {
  const { parsed } = context;
  const graph = { ...parsed.graph, ...part };
  return { ...context, graph, parsed: { ...parsed, graph, yaml: { ...parsed.yaml, document } } };
}

type ListName = 'elements' | 'relationships';

function listNameOf({ key, value }: Pair): ListName | undefined {
  const name = isScalar(key) ? key.value : undefined;
  return (name === 'elements' || name === 'relationships') && isSeq(value) ? name : undefined;
}

/**
 * The document as if the file had only one entry, for each entry. Other fields with more than a word do not affect an
 * entry; walking long ones for each entry would be slow. What the documents have in common is made once.
 */
function documentsOfEntries(parsed: ParsedEntityGraph): (entry: Entry) => TextDocument {
  const { contents } = parsed.yaml.document;
  if (!isMap(contents)) return () => parsed.yaml.document;
  const pairs = (contents as YAMLMap).items.filter(
    (pair) => listNameOf(pair) !== undefined || (isScalar(pair.key) && (pair.value === null || isScalar(pair.value))),
  );
  const names = pairs.map(listNameOf);
  const without = pairs.map((pair) => (listNameOf(pair) ? withoutEntries(pair, parsed) : pair));
  return (entry) => {
    const own: ListName = 'mappings' in entry ? 'relationships' : 'elements';
    const node = parsed.originOf(entry);
    const items = without.map((pair, index) =>
      node && names[index] === own ? new Pair(pair.key, listWith([node], pairs[index]?.value as YAMLSeq)) : pair,
    );
    return withItems(parsed, items);
  };
}

/** The document as if the file had no elements and relationships. */
function documentOfOthers(parsed: ParsedEntityGraph): TextDocument {
  const { contents } = parsed.yaml.document;
  if (!isMap(contents)) return parsed.yaml.document;
  const { items } = contents as YAMLMap;
  return withItems(
    parsed,
    items.map((pair) => (listNameOf(pair) ? withoutEntries(pair, parsed) : pair)),
  );
}

function withItems({ yaml: { document } }: ParsedEntityGraph, items: Pair[]): TextDocument {
  const root = new YAMLMap();
  root.range = document.contents?.range ?? null;
  root.items = items;
  // The library's own constructor would build a schema for each entry.
  return Object.create(document, { contents: { value: root } }) as TextDocument;
}

/** A list without its entries, but with its other content. */
function withoutEntries(pair: Pair, parsed: ParsedEntityGraph): Pair {
  const list = pair.value as YAMLSeq<Node>;
  const hasOthers = list.items.length > parsed.graph[listNameOf(pair) ?? 'elements'].length;
  const others = hasOthers ? list.items.filter((item) => !isMap(resolveNode(item, parsed.yaml))) : [];
  return new Pair(pair.key, listWith(others, list));
}

function listWith(items: Node[], { range }: YAMLSeq): YAMLSeq {
  const list = new YAMLSeq();
  list.range = range ?? null;
  list.items = items;
  return list;
}
