import type { SourceRange } from '../model/source-range.ts';
import type { ExpectedList } from './graph-tests.ts';
import type { Alignment } from './align-items.ts';

/** A replacement in a file of tests. */
export interface ListEdit extends SourceRange {
  readonly text: string;
}

interface ListChange {
  readonly list: ExpectedList<{ readonly range: SourceRange }>;
  readonly pairing: Alignment;
  /** The items that the list should have; paired items stay unchanged. */
  readonly lines: readonly string[];
  /** Whether `pairing` refers to places in `lines`; otherwise paired items come first in `lines`. */
  readonly isInOrder: boolean;
}

/** The edits that give a list these items. Unchanged items, and comments between them, are not edited. */
export function listEdits({ list, pairing, lines, isInOrder }: ListChange, text: string): readonly ListEdit[] {
  const { items, range, key } = list;
  const isBlock = text[range.start] === '-';
  if (!isBlock) return [{ ...range, text: lines.length === 0 ? '[]' : `[${lines.join(', ')}]` }];
  if (lines.length === 0) return [{ start: key.end, end: lastEnd(items, range), text: ': []' }];
  const indent = indentOf(range.start, text);
  const edits: ListEdit[] = [];
  let at = range.start;
  let next = 0;
  const put = (missing: readonly SourceRange[], added: readonly string[]): void => {
    missing.forEach((item, index) => {
      const line = added[index];
      if (line !== undefined) edits.push({ start: item.start, end: item.end, text: line });
      else edits.push(removal(item, range, text));
      at = item.end;
    });
    const more = added.slice(missing.length);
    if (more.length === 0) return;
    const isFirst = at === range.start;
    const block = isFirst
      ? more.map((line) => `- ${line}\n${indent}`).join('')
      : more.map((line) => `\n${indent}- ${line}`).join('');
    edits.push({ start: at, end: at, text: block });
  };
  let missing: SourceRange[] = [];
  const kept = pairing.filter((right) => right !== undefined).length;
  for (const [index, item] of items.entries()) {
    const right = pairing[index];
    const itemRange = trimmed(item.range, text);
    if (right === undefined) {
      missing.push(itemRange);
      continue;
    }
    const until = isInOrder ? right : next;
    put(missing, lines.slice(next, until));
    missing = [];
    next = until + 1;
    at = itemRange.end;
  }
  put(missing, lines.slice(isInOrder ? next : kept));
  return edits;
}

/** An item with its line. The first item of a list takes the indentation of the next one with it. */
function removal(item: SourceRange, list: SourceRange, text: string): ListEdit {
  const dash = text.lastIndexOf('-', item.start - 1);
  if (dash > list.start) return { start: text.lastIndexOf('\n', dash), end: item.end, text: '' };
  const following = text.indexOf('-', item.end);
  return { start: dash, end: following < 0 ? item.end : following, text: '' };
}

function trimmed({ start, end }: SourceRange, text: string): SourceRange {
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

function lastEnd(items: readonly { readonly range: SourceRange }[], { end }: SourceRange): number {
  return items.at(-1)?.range.end ?? end;
}

function indentOf(offset: number, text: string): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}
