import { type YAMLMap, isMap, isScalar, isSeq } from 'yaml';
import type { EntityElement, Relationship } from '../../model/entity-graph.ts';
import { elementKeys, relationshipKeys } from '../../model/format-keys.ts';
import { nearestName } from '../../model/nearest-name.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { rangeOf, resolveNode } from '../../model/yaml-text.ts';
import { type EntryIndex, hasNoListField } from '../entry-index.ts';
import type { GraphCheck } from './check.ts';

/** Entries in the wrong list, such as relationships among elements: usually the list key between them is missing. */
export const misplacedEntry: GraphCheck = {
  codes: ['misplaced-entry'],
  check: ({ parsed, index }) => misplacedEntries(parsed, index).map(problemOf),
};

/** Consecutive entries of one list with fields of another list only. */
export interface MisplacedEntries extends SourceRange {
  readonly count: number;
  /** Their current list, and their proper one. */
  readonly list: List | 'dataObjects';
  readonly of: List;
  /** The proper list starts with them: only its key is missing. */
  readonly isKeyMissing: boolean;
  /** The first key of the first one. */
  readonly first: SourceRange;
}

type List = 'elements' | 'relationships';

interface Entry extends SourceRange {
  /** The parsed type of the entry determines its list. */
  readonly isOfList: boolean;
  readonly node: YAMLMap | undefined;
}

/**
 * Finds entries in the wrong list. After a syntax error the list of an entry is uncertain.
 * @param index of the file, if any: entries in the right list are then skipped.
 */
export function misplacedEntries(parsed: ParsedEntityGraph, index?: EntryIndex): readonly MisplacedEntries[] {
  const entriesOf = (list: List): readonly Entry[] =>
    index?.hasEntryWithoutListField(list) === false ? [] : entriesIn(parsed, list);
  const elements = entriesOf('elements');
  const objects = selectedEntries(parsed);
  return [
    ...misplacedIn(parsed, 'elements', elements, 'relationships'),
    ...misplacedIn(parsed, 'relationships', entriesOf('relationships'), 'elements'),
    ...misplacedIn(parsed, 'dataObjects', objects, 'elements'),
    ...misplacedIn(parsed, 'dataObjects', objects, 'relationships'),
  ];
}

function entriesIn({ graph, originOf }: ParsedEntityGraph, list: List): readonly Entry[] {
  const entries: readonly (EntityElement | Relationship)[] = graph[list];
  return entries.map((entry) => ({ ...entry.range, isOfList: !hasNoListField(entry), node: originOf(entry) }));
}

/** Selected data objects are names; other entries in this list are misplaced. */
function selectedEntries({ yaml }: ParsedEntityGraph): readonly Entry[] {
  const { contents } = yaml.document;
  const list = isMap(contents) ? resolveNode(contents.get('dataObjects', true), yaml) : undefined;
  if (!isSeq(list)) return [];
  return list.items.flatMap((item) => {
    const node = resolveNode(item, yaml);
    if (!node) return [];
    return [{ ...rangeOf(node), isOfList: !isMap(node), node: isMap(node) ? node : undefined }];
  });
}

function misplacedIn(
  parsed: ParsedEntityGraph,
  list: MisplacedEntries['list'],
  entries: readonly Entry[],
  of: List,
): readonly MisplacedEntries[] {
  const found: MisplacedEntries[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    const begin = index;
    for (let each = entries[index]; each && isOf(of, each); each = entries[index]) index += 1;
    const [first, last] = [entries[begin], entries[index - 1]];
    if (
      index === begin ||
      !first?.node ||
      !last ||
      isUncertain(parsed, of, entries[begin - 1]?.start ?? 0, first.start)
    )
      continue;
    const key = first.node.items[0]?.key;
    found.push({
      list,
      of,
      count: index - begin,
      start: first.start,
      end: last.end,
      isKeyMissing: index === entries.length && !hasKey(parsed, of),
      first: isScalar(key) ? rangeOf(key) : first,
    });
  }
  return found;
}

/** Whether a list key may be inside the unreadable text between two positions. */
function isUncertain({ yaml, problems }: ParsedEntityGraph, of: List, from: number, until: number): boolean {
  if (problems.length === 0) return false;
  const between = yaml.broken?.filter(({ start, end }) => start < until && from < end);
  return !between || between.some(({ start, end }) => mayHaveKey(yaml.text.slice(start, end), of));
}

/** An unindented line may be any key; a wrongly indented one is matched by its spelling. */
function mayHaveKey(part: string, key: List): boolean {
  const words = [...part.matchAll(/^\s*["']?([\w-]+)/gm)].map(([, word = '']) => word);
  return /^[^\s#-]/m.test(part) || words.some((word) => nearestName(word, [key]) === key);
}

/** Fields that belong to one list only. */
const ownKeys: Readonly<Record<List, readonly string[]>> = {
  elements: elementKeys,
  // A name may be in either list.
  relationships: relationshipKeys.filter((key) => key !== 'name'),
};

/** Whether an entry belongs to another list. A single foreign field may be a mistake. */
function isOf(list: List, { isOfList, node }: Entry): boolean {
  if (isOfList) return false;
  const keys = keysOf(node);
  const other = list === 'elements' ? 'relationships' : 'elements';
  return (
    keys.filter((key) => ownKeys[list].includes(key)).length > 1 && !keys.some((key) => ownKeys[other].includes(key))
  );
}

function keysOf(map: YAMLMap | undefined): readonly string[] {
  return (map?.items ?? []).flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
}

/** Whether a file has a key, or may have it in unreadable text. */
function hasKey({ yaml }: ParsedEntityGraph, key: string): boolean {
  const { contents } = yaml.document;
  const isWritten = ({ start, end }: SourceRange): boolean => yaml.text.slice(start, end).includes(key);
  return (isMap(contents) && keysOf(contents).includes(key)) || (yaml.broken ?? []).some(isWritten);
}

function problemOf({ list, of, count, isKeyMissing, first }: MisplacedEntries): Problem {
  const kind = of === 'elements' ? 'an element' : 'a relationship';
  const others = count === 1 ? '' : `, as ${count === 2 ? 'does the entry' : `do the ${count - 1} entries`} below`;
  const found = `This looks like ${kind}${others}, but stands in the list "${list}".`;
  const them = count === 1 ? 'it' : 'them';
  const remedy = isKeyMissing ? `The line "${of}:" is missing above ${them}. Insert it.` : `Move ${them} to "${of}".`;
  return { code: 'misplaced-entry', severity: 'error', message: `${found} ${remedy}`, range: first };
}
