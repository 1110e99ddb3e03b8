/** Row height in pixels, as in VS Code's tables. */
export const rowHeight = 22;

/** Overscan rows, so that scrolling shows no gap. */
const overscan = 10;

/** Rows to render, in order: visible ones, a few around them, and the active one, which keeps the focus. */
export function visibleRows(rows: number, scrollTop: number, height: number, active: number): readonly number[] {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - overscan);
  const end = Math.min(rows, Math.ceil((scrollTop + height) / rowHeight) + overscan);
  const range = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (active >= rows || (active >= first && active < end)) return range;
  return active < first ? [active, ...range] : [...range, active];
}

/**
 * Scroll position that shows a range with the least movement.
 * @param covered pixels at the start of the view covered by a sticky header.
 */
export function scrollToSee(
  stretch: { readonly start: number; readonly length: number },
  view: { readonly scroll: number; readonly length: number; readonly covered: number },
): number {
  // Sticky parts occupy space in the content, so the range starts after them.
  if (stretch.start < view.scroll || stretch.length > view.length - view.covered) return stretch.start;
  return Math.max(view.scroll, stretch.start + stretch.length + view.covered - view.length);
}
