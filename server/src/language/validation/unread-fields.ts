import { bisect } from '../../model/bisect.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { rules } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { mergeKey } from '../schema/merge-keys.ts';
import { fieldPath } from './field-path.ts';

export type Entry =
  EntityGraph['elements'][number] | EntityGraph['entities'][number] | EntityGraph['relationships'][number];

/**
 * Fields of an entry that may be there in an unreadable form: misspelt, malformed or in an unreadable part. `any` if
 * each of them may. Keys that resemble no field are contained as they are.
 */
export type UnreadFields = ReadonlySet<string> | 'any';

/** Finds the unread fields of entries; results are cached, because many rules ask. */
export function unreadFieldsOf(
  problems: readonly Problem[],
  { yaml, originOf }: ParsedEntityGraph,
  broken: readonly SourceRange[],
): (entry: Entry) => UnreadFields {
  const unread = problems
    .filter(({ code }) => rules[code].form)
    .toSorted((one, other) => one.range.start - other.range.start);
  const known = new Map<Entry, UnreadFields>();

  function find(entry: Entry): UnreadFields {
    const { range } = entry;
    if (broken.some((part) => goesOnIn(range, part, yaml.text))) return 'any';
    const node = originOf(entry);
    const fields = new Set<string>();
    const first = bisect(unread.length, (index) => (unread[index]?.range.start ?? 0) < range.start);
    for (let index = first; index < unread.length; index += 1) {
      const problem = unread[index];
      if (!problem || problem.range.start >= range.end) break;
      if (problem.range.end > range.end) continue;
      const [field, ...deeper] = node ? fieldPath(node, problem.range) : [];
      if (field === undefined || rules[problem.code].form === 'syntax') return 'any';
      // What it was meant to merge may be any field.
      if (field === mergeKey) return 'any';
      const isName = problem.code === 'schema-unknown-property' && deeper.length === 0;
      // A suggestion for a key without colon contains its value.
      const meant = isName ? problem.suggestions?.map((each) => each.split(':')[0] ?? '') : undefined;
      const names = meant ?? [String(field)];
      for (const name of names) fields.add(name);
    }
    return fields;
  }

  return (entry) => {
    const fields = known.get(entry) ?? find(entry);
    known.set(entry, fields);
    return fields;
  };
}

/** Whether an unreadable part is inside an entry, or at its apparent end. */
function goesOnIn(entry: SourceRange, part: SourceRange, text: string): boolean {
  if (part.start <= entry.end) return part.end >= entry.start;
  return part.start - entry.end < maxBlank && text.slice(entry.end, part.start).trim() === '';
}

/** Maximum number of blank lines within an entry. */
const maxBlank = 1_000;
