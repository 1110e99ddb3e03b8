import type { ObjectRead } from '../../query/compiled-query.ts';
import type { Cells } from './record-source.ts';

/**
 * Whether a line of JSON may contain lone surrogates, as in texts truncated at a length. They are written as escapes,
 * and DuckDB rejects them.
 */
export function maybeHalves(line: string): boolean {
  return line.includes('\\ud') || line.includes('\\uD');
}

/** Replaces each lone surrogate by the replacement character, as UTF-8 encoders do. */
export function wholeCells(records: readonly Cells[], { columns }: Pick<ObjectRead, 'columns'>): readonly Cells[] {
  return records.map((cells) => cells.map((cell, index) => whole(cell, columns[index]?.type === 'JSON')));
}

function whole(cell: string | null, isJson: boolean): string | null {
  const text = cell?.replace(/\p{Surrogate}/gu, '\ufffd') ?? null;
  // In JSON they are escapes; after an escaped backslash they are plain text.
  return isJson && text !== null ? text.replace(escapes, (found) => (found.length === 6 ? '\\ufffd' : found)) : text;
}

/** An escaped backslash, a pair, or a lone surrogate. */
const escapes = /\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\ud[89a-f][\da-f]{2}/gi;
