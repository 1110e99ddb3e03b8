import type { JoinCounts, SideCounts } from '../../../../protocol/query-results.ts';
import type { CellValue } from '../../connectors/connector.ts';
import { countedColumns } from '../../query/join-preview.ts';

/** The row of the query that counts how the ends of a relationship match. */
export function countsOf(row: readonly CellValue[]): JoinCounts {
  // Engines return counts as 64-bit integers, which are texts in results; an empty table has no maximum.
  const at = (name: (typeof countedColumns)[number]): number => Number(row[countedColumns.indexOf(name)] ?? 0);
  const side = (end: 'source' | 'target'): SideCounts => ({
    rows: at(`${end}Rows`),
    nullKeys: at(`${end}Nulls`),
    unmatched: at(`${end}Unmatched`),
    most: at(`${end}Most`),
  });
  return { pairs: at('pairs'), source: side('source'), target: side('target') };
}
