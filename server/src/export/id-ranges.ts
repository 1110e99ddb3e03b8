import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** Ids above `after` and up to `upTo`. */
export interface IdRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/**
 * Splits ids into consecutive ranges of about `weight`, to bound memory. `weights` is a query of
 * `id` and `weight`, such as the number of related rows.
 */
export async function idRanges(
  store: StoreReader,
  weights: string,
  weight: number,
  options: StatementOptions,
): Promise<readonly IdRange[]> {
  const rows = await store.query(
    `SELECT max(id) AS up_to FROM (SELECT id, sum(weight) OVER (ORDER BY id) // ${weight} AS part FROM (${weights}))
     GROUP BY part ORDER BY 1`,
    options,
  );
  let after = 0n;
  return rows.map((row) => {
    const range = { after, upTo: BigInt(String(row['up_to'])) };
    after = range.upTo;
    return range;
  });
}

/** SQL condition for an id in a range. */
export function inRange(column: string, { after, upTo }: IdRange): string {
  return `${column} > ${after} AND ${column} <= ${upTo}`;
}
