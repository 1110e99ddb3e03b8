import type { EntityGraph } from '../../model/entity-graph.ts';
import { bisect } from '../../model/bisect.ts';
import { type YamlSection, yamlSections } from '../../model/yaml-chunks.ts';

/** The entry of a list that the cursor is in, with the key of the list above it: all that a completion there reads. */
export interface Focus {
  readonly text: string;
  /** The cursor's offset in `text`. */
  readonly offset: number;
  /** What must be added to an offset of `text` to find it in the whole text. */
  readonly distance: number;
  readonly list: 'elements' | 'relationships';
  /** Where the entry begins and ends in the whole text. */
  readonly start: number;
  readonly end: number;
}

/**
 * The surroundings of a cursor that is inside an entry; undefined where more than an entry decides on what may be
 * written, such as at the start of a line that could as well begin a new key of the file.
 */
export function focusAt(
  text: string,
  offset: number,
  sections: readonly YamlSection[] | undefined = yamlSections(text),
): Focus | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const section = sections?.find(({ start, end }) => start <= lineStart && lineStart < end);
  const items = section?.items ?? [];
  const item = items[bisect(items.length, (index) => (items[index]?.start ?? 0) <= lineStart) - 1];
  const [first] = items;
  if (!section || !item || !first) return undefined;
  const key = text.slice(section.start, first.start);
  const list = /^(elements|relationships):/.exec(key)?.[1];
  const dash = /^ */.exec(text.slice(item.start))?.[0].length ?? 0;
  const typed = text.slice(lineStart, offset);
  const belongs = lineStart === item.start ? offset > item.start + dash : (/^ */.exec(typed)?.[0].length ?? 0) > dash;
  if (!belongs || (list !== 'elements' && list !== 'relationships')) return undefined;
  const distance = item.start - key.length;
  return {
    text: key + text.slice(item.start, item.end),
    offset: offset - distance,
    distance,
    list,
    start: item.start,
    end: item.end,
  };
}

/** The whole graph with the entry that the cursor is in as `focused` reads it, and the place of the entry in its list. */
export function withFocused(
  whole: EntityGraph,
  focused: EntityGraph,
  { list, start, end }: Focus,
): { readonly graph: EntityGraph; readonly index: number } {
  const replace = <Entry extends { readonly range: { readonly start: number } }>(
    entries: readonly Entry[],
    own: readonly Entry[],
  ): { readonly entries: readonly Entry[]; readonly index: number } => {
    const startsBefore = (offset: number): number =>
      bisect(entries.length, (index) => (entries[index]?.range.start ?? 0) < offset);
    const index = startsBefore(start);
    return { entries: [...entries.slice(0, index), ...own, ...entries.slice(startsBefore(end))], index };
  };
  if (list === 'elements') {
    const { entries, index } = replace(whole.elements, focused.elements);
    return { graph: { ...whole, elements: entries }, index };
  }
  const { entries, index } = replace(whole.relationships, focused.relationships);
  return { graph: { ...whole, relationships: entries }, index };
}
