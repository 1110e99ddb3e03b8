import type { ColumnView } from '../../../protocol/canvas-intents.ts';

/** The columns of a key from its text: commas separate them, unless a column name contains one. */
export function keyColumns(text: string, columns: readonly ColumnView[]): readonly string[] {
  if (text.trim() === '') return [];
  if (columns.some(({ name }) => name === text)) return [text];
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
