import { pairItems } from './pair-items.ts';
import type { TextEdit } from './text-edit.ts';

/** The edits of whole lines that make one text of another, in its order. */
export function lineEdits(before: string, after: string): readonly TextEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const starts = [0];
  for (const each of old) starts.push((starts.at(-1) ?? 0) + each.length);
  const edits: { start: number; end: number; newText: string }[] = [];
  const add = (from: number, until: number, newText: string): void => {
    const [start, end] = [starts[from] ?? 0, starts[until] ?? 0];
    const last = edits.at(-1);
    if (last?.end === start) {
      last.end = end;
      last.newText += newText;
    } else edits.push({ start, end, newText });
  };
  for (const change of pairItems(old.length, now.length, (one, other) => old[one] === now[other])) {
    if (change.kind === 'insert') add(change.before, change.before, now[change.to] ?? '');
    else if (change.kind === 'remove') add(change.from, change.from + 1, '');
    else if (change.kind === 'change') add(change.from, change.from + 1, now[change.to] ?? '');
  }
  return edits.map(({ start, end, newText }) => ({ range: { start, end }, newText }));
}

/** With their ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}
