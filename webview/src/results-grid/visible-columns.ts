/** Overscan in pixels, so that scrolling shows no gap. */
const overscan = 300;

/**
 * Columns to render, in order: visible ones, some around them, and the active one, which keeps the focus.
 * @param scrollLeft offset of the first column's left edge in pixels, without the row numbers.
 */
export function visibleColumns(
  widths: readonly number[],
  scrollLeft: number,
  width: number,
  active: number,
): readonly number[] {
  const columns: number[] = [];
  let left = 0;
  for (const [column, each] of widths.entries()) {
    const isSeen = left + each >= scrollLeft - overscan && left <= scrollLeft + width + overscan;
    if (isSeen || column === active) columns.push(column);
    left += each;
  }
  return columns;
}
