import type { VariantView } from '../../../protocol/event-graph.ts';

/** Such as `New × 2` of an activity that follows itself. */
export function runs(activities: readonly string[]): readonly string[] {
  const found: { readonly activity: string; times: number }[] = [];
  for (const activity of activities) {
    const last = found.at(-1);
    if (last?.activity === activity) last.times += 1;
    else found.push({ activity, times: 1 });
  }
  return found.map(({ activity, times }) => (times === 1 ? activity : `${activity} × ${times.toLocaleString()}`));
}

/** How many activities all variants of a list begin, and end, with: these do not tell them apart. */
export interface CommonEnds {
  readonly start: number;
  readonly end: number;
}

/** At least one activity of each variant is between its common ends. */
export function commonEnds(variants: readonly Pick<VariantView, 'activities' | 'events'>[]): CommonEnds {
  const [first, ...others] = variants;
  if (!first || others.length === 0) return { start: 0, end: 0 };
  const shortest = Math.min(...variants.map(({ activities }) => activities.length));
  let start = 0;
  while (start < shortest - 1 && others.every(({ activities }) => activities[start] === first.activities[start])) {
    start += 1;
  }
  // The last activities of very long variants are not known.
  if (variants.some(({ activities, events }) => events > activities.length)) return { start, end: 0 };
  let end = 0;
  const last = -1;
  while (
    end < shortest - start - 1 &&
    others.every(({ activities }) => activities.at(last - end) === first.activities.at(last - end))
  ) {
    end += 1;
  }
  return { start, end };
}

/** The activities between common ends, which are dots. @param more what follows activities that are not known */
export function shortPath(activities: readonly string[], more: readonly string[], { start, end }: CommonEnds): string {
  return [
    ...(start > 0 ? ['…'] : []),
    ...runs(activities.slice(start, activities.length - end)),
    ...more,
    ...(end > 0 ? ['…'] : []),
  ].join(' → ');
}
