import type { TextEdit } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

/** Sorts edits; insertions at one position are combined in creation order. @throws Unwritable for overlapping edits. */
export function sortEdits(edits: readonly TextEdit[], text: string): readonly TextEdit[] {
  const removals = edits.filter(({ newText, range }) => newText === '' && range.end > range.start);
  const sorted = edits
    .filter(({ range, newText }) => range.end > range.start || newText !== '')
    .map((edit) => outOfRemovals(edit, removals, text))
    .toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  const result: TextEdit[] = [];
  for (const edit of sorted) {
    const last = result.at(-1);
    if (last && edit.range.start < last.range.end) throw new Unwritable('changes that overlap');
    if (last && last.range.end === edit.range.start) {
      result.splice(-1, 1, {
        range: { start: last.range.start, end: edit.range.end },
        newText: last.newText + edit.newText,
      });
    } else result.push(edit);
  }
  return result;
}

/** Insertions after a deleted line follow the previous line. */
function outOfRemovals(edit: TextEdit, removals: readonly TextEdit[], text: string): TextEdit {
  const { range, newText } = edit;
  if (range.end > range.start || !/^\r?\n/.test(newText)) return edit;
  const hit = removals.find((removal) => removal.range.start < range.start && range.start < removal.range.end);
  const lineBreak = hit && /\r?\n$/.exec(text.slice(0, hit.range.start))?.[0];
  if (!hit || lineBreak === undefined) return edit;
  const at = hit.range.start - lineBreak.length;
  return outOfRemovals({ range: { start: at, end: at }, newText }, removals, text);
}
