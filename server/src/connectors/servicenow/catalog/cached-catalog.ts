import type { CatalogContent } from '../../../catalog/catalog.ts';

const cancelledWords = 'The instance cancels queries of its dictionary, as they take longer than it allows';

/** The cached catalog replaces a dictionary that takes too long to read, because sample records tell less. */
export function asCached(known: CatalogContent, cancelled: readonly string[]): CatalogContent {
  const others = known.warnings.filter((warning) => warning !== known.outdatedBecause);
  const day = known.readAt.slice(0, 10);
  const outdatedBecause = `${cancelledWords} (${cancelled.join(', ')}): all is as it was on ${day}.`;
  return { ...known, warnings: [...others, outdatedBecause], outdatedBecause };
}

/** Warning if there is no cached catalog. */
export function withoutCached(cancelled: readonly string[]): string {
  return `${cancelledWords}: ${cancelled.join(', ')} could not be read.`;
}
