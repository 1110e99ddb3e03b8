import type { CatalogContent } from '../../../catalog/catalog.ts';

const cancelledWords = 'The instance cancels queries of its dictionary, as they take longer than it allows';

/** What was known before, in place of a dictionary that is not to be had in time: that is better than nothing, or than what some records tell. */
export function asKnown(known: CatalogContent, cancelled: readonly string[]): CatalogContent {
  const others = known.warnings.filter((warning) => warning !== known.outdatedBecause);
  const day = known.readAt.slice(0, 10);
  const outdatedBecause = `${cancelledWords} (${cancelled.join(', ')}): all is as it was on ${day}.`;
  return { ...known, warnings: [...others, outdatedBecause], outdatedBecause };
}

/** What to say where nothing was known before. */
export function withoutKnown(cancelled: readonly string[]): string {
  return `${cancelledWords}: ${cancelled.join(', ')} could not be read.`;
}
