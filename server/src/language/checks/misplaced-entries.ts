import { type YAMLMap, isMap, isScalar } from 'yaml';
import type { EntityElement, Relationship } from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import type { GraphCheck } from './check.ts';

/** Relationships in the list of the elements, or elements in that of the relationships: mostly the key between is missing. */
export const misplacedEntry: GraphCheck = {
  codes: ['misplaced-entry'],
  check: ({ parsed }) => misplacedEntries(parsed).map(problemOf),
};

/** Entries of one list, one behind the other, that have only keys of entries of the other list. */
export interface MisplacedEntries extends SourceRange {
  readonly count: number;
  /** The list that they are in, and the one that they belong to. */
  readonly list: List;
  readonly of: List;
  /** The list that they belong to begins with them, and ends with the one that they are in: only its key is missing. */
  readonly isKeyMissing: boolean;
  /** The first key of the first of them. */
  readonly first: SourceRange;
}

type List = 'elements' | 'relationships';
type Entry = EntityElement | Relationship;

/** What stands in the wrong list. In a text that is broken, what list an entry is in is not certain. */
export function misplacedEntries(parsed: ParsedEntityGraph): readonly MisplacedEntries[] {
  if (parsed.problems.length > 0) return [];
  return [...misplacedIn(parsed, 'elements', 'relationships'), ...misplacedIn(parsed, 'relationships', 'elements')];
}

function misplacedIn(parsed: ParsedEntityGraph, list: List, of: List): readonly MisplacedEntries[] {
  const entries: readonly Entry[] = parsed.graph[list];
  const found: MisplacedEntries[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    const begin = index;
    for (let each = entries[index]; each && isOf(of, each, parsed); each = entries[index]) index += 1;
    const [first, last] = [entries[begin], entries[index - 1]];
    const node = first && parsed.originOf(first);
    if (index === begin || !first || !last || !node) continue;
    const key = node.items[0]?.key;
    found.push({
      ...{ list, of, count: index - begin, start: first.range.start, end: last.range.end },
      isKeyMissing: index === entries.length && !hasKey(parsed, of),
      first: isScalar(key) ? rangeOf(key) : first.range,
    });
  }
  return found;
}

/** What tells an entry of a list, by its own keys and none of the other list's. */
const ownKeys: Readonly<Record<List, readonly string[]>> = {
  elements: ['activityName', 'dataObject', 'key', 'entityType', 'startTimestamp', 'changeTimestamp', 'properties'],
  relationships: ['source', 'target', 'mappings', 'crossTable', 'correlate'],
};

/** Whether an entry is one of a list that it is not in. One key may be a mistake of its own. */
function isOf(list: List, entry: Entry, parsed: ParsedEntityGraph): boolean {
  // What an entry was read as tells most of them at once.
  if ('activityName' in entry || 'dataObject' in entry || 'source' in entry || 'target' in entry) return false;
  const keys = keysOf(parsed.originOf(entry));
  const other = list === 'elements' ? 'relationships' : 'elements';
  return (
    keys.filter((key) => ownKeys[list].includes(key)).length > 1 && !keys.some((key) => ownKeys[other].includes(key))
  );
}

function keysOf(map: YAMLMap | undefined): readonly string[] {
  return (map?.items ?? []).flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
}

function hasKey({ yaml }: ParsedEntityGraph, key: string): boolean {
  const { contents } = yaml.document;
  return isMap(contents) && keysOf(contents).includes(key);
}

function problemOf({ list, of, count, isKeyMissing, first }: MisplacedEntries): Problem {
  const kind = of === 'elements' ? 'an element' : 'a relationship';
  const others = count === 1 ? '' : `, as ${count === 2 ? 'does the entry' : `do the ${count - 1} entries`} below`;
  const found = `This looks like ${kind}${others}, but stands in the list "${list}".`;
  const them = count === 1 ? 'it' : 'them';
  const remedy = isKeyMissing ? `The line "${of}:" is missing above ${them}. Insert it.` : `Move ${them} to "${of}".`;
  return { code: 'misplaced-entry', severity: 'error', message: `${found} ${remedy}`, range: first };
}
