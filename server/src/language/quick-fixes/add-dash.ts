import type { TextEdit } from '../../model/edits/text-edit.ts';

/** A line that starts a list entry without its dash, and the edit that adds it. */
interface MissingDash {
  readonly key: string;
  readonly edit: TextEdit;
}

/** Maximum distance of other entries from the line. */
const maxAround = 10_000;

/**
 * Lines around an offset with a key that also starts other entries, and the column of their dash, the most likely
 * first. A missing dash is reported at the entry's first line, or after its last one.
 */
export function* missingDashes(text: string, at: number): Generator<MissingDash> {
  for (const start of new Set([lineStartAt(text, at), lineBelow(text, at), groupStart(text, at)])) {
    const [, blanks = '', key = ''] = /^([ \t]*)([A-Za-z]\w*):(?=\s)/.exec(text.slice(start, start + 200)) ?? [];
    if (key === '') continue;
    for (const column of dashColumns(text, start, key, blanks.length - 2)) {
      const range = { start, end: start + blanks.length };
      yield { key, edit: { range, newText: `${' '.repeat(column)}- ` } };
    }
  }
}

/** Columns of the dashes of entries that start with a key, nearest first. */
function dashColumns(text: string, at: number, key: string, column: number): readonly number[] {
  const around = text.slice(lineStartAt(text, Math.max(0, at - maxAround)), at + maxAround);
  const entries = around.matchAll(new RegExp(`^( *)- +${key}:`, 'gm'));
  const columns = new Set([...entries].map(([, blanks = '']) => blanks.length));
  return [...columns].toSorted((one, other) => Math.abs(one - column) - Math.abs(other - column)).slice(0, 2);
}

/** The first of the preceding lines with at least the indentation of the nearest one. */
function groupStart(text: string, at: number): number {
  const end = lineStartAt(text, at);
  const above = text.slice(Math.max(0, end - maxAround), end);
  let [start, column] = [end, -1];
  for (const line of above.split('\n').slice(0, -1).reverse()) {
    const indent = line.search(/\S/);
    if (indent >= 0 && column >= 0 && indent < column) return start;
    if (indent >= 0 && column < 0) column = indent;
    start -= line.length + 1;
  }
  return start;
}

function lineBelow(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function lineStartAt(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
