import type { MapEdgeView, PathMeasure } from '../../../protocol/event-graph.ts';
import { mixedColour } from '../../../protocol/mixed-colour.ts';
import type { MapTheme } from './map-theme.ts';

/** Between the colours of no time and of the longest time. */
const steps = 10;

/** The colour of a path that shows a time. @param share of the longest time on the map, 0 to 1 */
export function timeColour(share: number, { fast, slow }: Pick<MapTheme, 'fast' | 'slow'>): string {
  return mixedColour(slow, fast, Math.round(share * steps) / steps);
}

/** The colours of the scale in equal steps, from no time to the longest. */
export function timeColours(look: Pick<MapTheme, 'fast' | 'slow'>): readonly string[] {
  return Array.from({ length: steps + 1 }, (_, step) => timeColour(step / steps, look));
}

/** The colour of a path of a map that compares. @param share of the largest difference, -1 to 1 */
export function differenceColour(
  share: number,
  { fast, more, less }: Pick<MapTheme, 'fast' | 'more' | 'less'>,
): string {
  return mixedColour(share < 0 ? less : more, fast, Math.round(Math.abs(share) * steps) / steps);
}

/** What a path shows, as a number and as a text. On a map that compares, both sides, and their difference. */
export function shownOnPath(
  edge: MapEdgeView,
  measure: PathMeasure,
  countText: (count: number) => string,
): { readonly value: number; readonly text: string } {
  const { compared } = edge;
  if (!compared) return shownOnOne(edge, measure, countText);
  const { share, otherShare } = compared;
  if (measure === 'count' && share !== undefined && otherShare !== undefined) {
    return { value: share - otherShare, text: `${shareText(share)} | ${shareText(otherShare)}` };
  }
  const [one, other] = [shownOnOne(edge, measure, countText), shownOnOne(compared, measure, countText)];
  return { value: one.value - other.value, text: `${one.text} | ${other.text}` };
}

/** A share in whole per cent, which is 0 or 100 only exactly. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.005) return '< 1 %';
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100} %`;
}

function shownOnOne(
  edge: Omit<MapEdgeView, 'source' | 'target' | 'entityType' | 'compared'>,
  measure: PathMeasure,
  countText: (count: number) => string,
): { readonly value: number; readonly text: string } {
  const { count, median, medianText, p90, p90Text, total, totalText } = edge;
  switch (measure) {
    case 'count':
      return { value: count, text: countText(count) };
    case 'median':
      return { value: median, text: medianText };
    case 'p90':
      return { value: p90, text: p90Text };
    case 'total':
      return { value: total, text: totalText };
  }
}
