import { escapeControls } from '../../../protocol/printable-text.ts';

/** Rows as an aligned text table; numbers are aligned to the right by naming their columns in `rightAligned`. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: ReadonlySet<number> = new Set(),
): readonly string[] {
  // As they are printed, because that decides their width.
  const [titles = [], ...printed] = [header, ...rows].map((cells) => cells.map(escapeControls));
  const widths = titles.map((title, column) =>
    Math.max(displayWidth(title), ...printed.map((row) => displayWidth(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
        return rightAligned.has(column) ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [line(titles), line(widths.map((width) => '─'.repeat(width))), ...printed.map(line)];
}

/** Code points approximate the display width of names well enough. */
function displayWidth(text: string): number {
  return [...text].length;
}
