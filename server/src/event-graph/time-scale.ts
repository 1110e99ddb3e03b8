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

/** What a path shows, as a number and as a text. */
export function shownOnPath(
  edge: MapEdgeView,
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
