import { bisect } from '../../model/bisect.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { jsonPairs } from '../../model/json-pairs.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { hasAliases, yamlSections } from '../../model/yaml-chunks.ts';
import type { YamlSection } from '../../model/yaml-section.ts';

/** The part of a file that a completion parses: of long lists only the entries around the cursor. */
export interface Focus {
  readonly text: string;
  /** Offset of the cursor in `text`. */
  readonly offset: number;
  /** Difference between offsets of the cursor's line in `text` and in the whole text. */
  readonly distance: number;
  /** The entries in `text` by list; other lists are omitted. */
  readonly entries: Readonly<Partial<Record<ListName, SourceRange>>>;
  /** It contains everything outside of the lists. */
  readonly hasRest: boolean;
}

type ListName = 'elements' | 'relationships';

/**
 * The part of the text that may affect a completion: the entry at the cursor or, if more matters, as at the start of a
 * line that could start a new top-level field, its neighbours and all other fields. Undefined when the text cannot be
 * split, or has an alias there, whose anchor may be anywhere.
 */
export function focusAt(
  text: string,
  offset: number,
  sections: readonly YamlSection[] | undefined = legibleSections(text),
): Focus | undefined {
  if (!sections || sections.length === 0) return undefined;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const section = sections.findLast(({ start }) => start <= lineStart);
  const focus =
    (section && entryAt(text, offset, lineStart, section)) ?? neighboursAt(text, offset, lineStart, sections);
  return hasAliases(focus.text) ? undefined : focus;
}

/** The sections of a text, or of the text after leading lines that prevent splitting. */
function legibleSections(text: string): readonly YamlSection[] | undefined {
  const whole = yamlSections(text);
  if (whole) return whole;
  const first = text.search(/^[a-z][\w-]*:\s/im);
  if (first <= 0) return undefined;
  const move = ({ start, end }: SourceRange): SourceRange => ({ start: start + first, end: end + first });
  return yamlSections(text.slice(first))?.map((section) => ({
    ...section,
    ...move(section),
    ...(section.items ? { items: section.items.map(move) } : {}),
  }));
}

/** The entry at the cursor, with the key of its list. */
function entryAt(text: string, offset: number, lineStart: number, section: YamlSection): Focus | undefined {
  const list = listName(text, section);
  const items = section.items ?? [];
  const item = items[entryIndex(items, lineStart)];
  const [first] = items;
  if (!list || !item || !first || lineStart >= item.end) return undefined;
  const key = text.slice(section.start, first.start);
  const dash = blanksAt(text, item.start);
  const typed = text.slice(lineStart, offset);
  const belongs = lineStart === item.start ? offset > item.start + dash : blanksAt(typed, 0) > dash;
  if (!belongs) return undefined;
  const distance = item.start - key.length;
  return {
    text: key + text.slice(item.start, item.end),
    offset: offset - distance,
    distance,
    entries: { [list]: { start: item.start, end: item.end } },
    hasRest: false,
  };
}

/** Everything except list entries, with those next to the cursor. */
function neighboursAt(text: string, offset: number, lineStart: number, sections: readonly YamlSection[]): Focus {
  const entries: Partial<Record<ListName, SourceRange>> = {};
  const pieces = [text.slice(0, sections[0]?.start ?? 0)];
  let distance = 0;
  for (const section of sections) {
    const list = listName(text, section);
    const items = section.items ?? [];
    const [first] = items;
    if (!list || !first) {
      pieces.push(text.slice(section.start, section.end));
      continue;
    }
    const isHere = section.start <= lineStart && (lineStart < section.end || section === sections.at(-1));
    const index = entryIndex(items, lineStart);
    const kept = isHere ? items.slice(Math.max(0, index - 1), index + 2) : [];
    const from = kept[0]?.start ?? section.end;
    const until = kept.at(-1)?.end ?? section.end;
    pieces.push(text.slice(section.start, first.start), text.slice(from, until));
    if (kept.length > 0) entries[list] = { start: from, end: until };
    // Length of the text omitted before the cursor's line.
    if (lineStart >= from) distance += from - first.start;
    if (lineStart >= section.end && section !== sections.at(-1)) distance += section.end - until;
  }
  return { text: pieces.join(''), offset: offset - distance, distance, entries, hasRest: true };
}

function listName(text: string, { start, items }: YamlSection): ListName | undefined {
  const [first] = items ?? [];
  const name = first && /^(elements|relationships):/m.exec(text.slice(start, first.start))?.[1];
  return name === 'elements' || name === 'relationships' ? name : undefined;
}

/** The last entry that starts at or before an offset; -1 without one. */
function entryIndex(items: readonly SourceRange[], offset: number): number {
  return bisect(items.length, (index) => (items[index]?.start ?? 0) <= offset) - 1;
}

function blanksAt(text: string, start: number): number {
  return /^ */.exec(text.slice(start, start + 200))?.[0].length ?? 0;
}

/** The whole graph with the entries of `focused` inserted, and their indexes. */
export function withFocused(
  whole: EntityGraph,
  focused: EntityGraph,
  { entries, hasRest }: Focus,
): { readonly graph: EntityGraph; readonly first: Readonly<Record<ListName, number>> } {
  const elements = replaced(whole.elements, focused.elements, entries.elements);
  const relationships = replaced(whole.relationships, focused.relationships, entries.relationships);
  const graph = { elements: elements.entries, relationships: relationships.entries };
  return {
    graph: { ...(hasRest ? focused : whole), ...graph },
    first: { elements: elements.first, relationships: relationships.first },
  };
}

function replaced<Entry extends { readonly range: SourceRange }>(
  entries: readonly Entry[],
  own: readonly Entry[],
  place: SourceRange | undefined,
): { readonly entries: readonly Entry[]; readonly first: number } {
  if (!place) return { entries, first: 0 };
  const startsBefore = (offset: number): number =>
    bisect(entries.length, (index) => (entries[index]?.range.start ?? 0) < offset);
  const first = startsBefore(place.start);
  return { entries: [...entries.slice(0, first), ...own, ...entries.slice(startsBefore(place.end))], first };
}

/** Like `focusAt`, for JSON: the entry at the cursor. Undefined outside of entries, and for incomplete texts. */
export function jsonFocusAt(text: string, offset: number): Focus | undefined {
  for (const { start, list } of jsonPairs(text) ?? []) {
    const item = list?.items.find((each) => each.start < offset && offset < each.end);
    if (!list || !item) continue;
    const own = text.slice(item.start, item.end);
    if (!own.startsWith('{') || hasAliases(own)) return undefined;
    const name = text.startsWith('"elements"', start) ? 'elements' : 'relationships';
    const head = `{"${name}": [${blanksBefore(text, item)}`;
    const distance = item.start - head.length;
    return {
      text: `${head}${own}]}`,
      offset: offset - distance,
      distance,
      hasRest: false,
      entries: { [name]: item },
    };
  }
  return undefined;
}

/** The line break and indentation before the entry, for multi-line insertions. */
function blanksBefore(text: string, { start }: SourceRange): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  return before.trim() === '' ? `\n${before}` : '';
}
