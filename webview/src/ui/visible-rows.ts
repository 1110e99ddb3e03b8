/** Height of a row in pixels, as in VS Code's own tables. */
export const rowHeight = 22;

/** Rows beyond each edge, so that scrolling shows no gap. */
const overscan = 10;

/** The rows to draw, in order: those on the screen, a few around them, and the active one, which keeps the focus. */
export function visibleRows(rows: number, scrollTop: number, height: number, active: number): readonly number[] {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - overscan);
  const end = Math.min(rows, Math.ceil((scrollTop + height) / rowHeight) + overscan);
  const range = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (active >= rows || (active >= first && active < end)) return range;
  return active < first ? [active, ...range] : [...range, active];
}

/**
 * Where to scroll so that a stretch is seen, moving as little as possible.
 * @param covered Pixels at the start of the view that a sticky header covers.
 */
export function scrollToSee(
  stretch: { readonly start: number; readonly length: number },
  view: { readonly scroll: number; readonly length: number; readonly covered: number },
): number {
  // Sticky parts take room in the content as well, so the stretch starts behind them.
  if (stretch.start < view.scroll || stretch.length > view.length - view.covered) return stretch.start;
  return Math.max(view.scroll, stretch.start + stretch.length + view.covered - view.length);
}
