import type { ObjectRead } from '../../query/compiled-query.ts';
import type { Cells } from './record-source.ts';

/**
 * Whether a line of JSON may have halves of surrogate pairs, as texts have that were cut at a length: they are written as escapes, which no other
 * character of a text is that DuckDB would not take.
 */
export function maybeHalves(line: string): boolean {
  return line.includes('\\ud') || line.includes('\\uD');
}

/** Records in which the replacement character stands for each half, as in every text that is written as UTF-8. */
export function wholeCells(records: readonly Cells[], { columns }: Pick<ObjectRead, 'columns'>): readonly Cells[] {
  return records.map((cells) => cells.map((cell, index) => whole(cell, columns[index]?.type === 'JSON')));
}

function whole(cell: string | null, isJson: boolean): string | null {
  const text = cell?.replace(/\p{Surrogate}/gu, '\ufffd') ?? null;
  // Within JSON, halves are escapes; what stands behind an escaped backslash is none.
  return isJson && text !== null ? text.replace(escapes, (found) => (found.length === 6 ? '\\ufffd' : found)) : text;
}

/** An escaped backslash, a pair, or a half. */
const escapes = /\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\ud[89a-f][\da-f]{2}/gi;
