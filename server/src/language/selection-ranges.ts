import { type Node, isMap, isPair, isSeq } from 'yaml';
import type { SourceRange } from '../model/source-range.ts';
import { type YamlText, rangeOf } from '../model/yaml-text.ts';

/** The ranges that contain an offset, from the whole file to the word. */
export function selectionRanges({ text, document }: YamlText, offset: number): readonly SourceRange[] {
  const ranges: SourceRange[] = [{ start: 0, end: text.length }];
  const add = (range: SourceRange): void => {
    const outer = ranges.at(-1);
    const trimmed = { start: range.start, end: range.start + text.slice(range.start, range.end).trimEnd().length };
    if (!outer || trimmed.start < outer.start || trimmed.end > outer.end) return;
    if (trimmed.start !== outer.start || trimmed.end !== outer.end) ranges.push(trimmed);
  };
  let node: unknown = document.contents;
  while (node !== undefined && node !== null) {
    add(rangeOf(node as Node));
    const items: readonly unknown[] = isMap(node) || isSeq(node) ? node.items : [];
    const inside = items.find((item) => covers(item, offset));
    if (isPair(inside)) {
      const [key, value] = [inside.key as Node, inside.value as Node | null];
      add({ start: rangeOf(key).start, end: value ? rangeOf(value).end : rangeOf(key).end });
      node = contains(key, offset) ? key : value && contains(value, offset) ? value : undefined;
    } else node = inside;
  }
  const word = wordAt(text, offset);
  if (word) add(word);
  return ranges;
}

function covers(item: unknown, offset: number): boolean {
  if (!isPair(item)) return contains(item as Node, offset);
  return contains(item.key as Node, offset) || (item.value !== null && contains(item.value as Node, offset));
}

function contains(node: Node, offset: number): boolean {
  const { start, end } = rangeOf(node);
  return start <= offset && offset <= end;
}

function wordAt(text: string, offset: number): SourceRange | undefined {
  const before = /[\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0;
  const after = /^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 200))?.[0].length ?? 0;
  return before + after > 0 ? { start: offset - before, end: offset + after } : undefined;
}
