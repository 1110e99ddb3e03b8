import type { QueryTarget } from './query-results.ts';
import type { importNote, notedNumber } from './shapes/import-note-shapes.ts';
import type { Checked } from './shapes/shape.ts';

export type ImportNote = Checked<typeof importNote>;
export type NotedNumber = Checked<typeof notedNumber>;

/** The sentence. */
export function noteText(note: ImportNote): string {
  return note.map((part) => (typeof part === 'string' ? part : String(part.count))).join('');
}

/** A number of rows of a data source. */
export function sourceRows(count: number, target: QueryTarget): NotedNumber {
  return { count, of: { kind: 'sourceRows', target } };
}
