import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** Ids above `after` and up to `upTo`. */
export interface IdRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Ids that are counted together: so many fewer groups take a tenth of the time. */
const idsAtOnce = 64;

/**
 * Splits ids into consecutive ranges of about `weight` rows, to bound memory. `rows` is a query of `id`, with a row for
 * each row that is related to it.
 */
export async function idRanges(
  store: StoreReader,
  rows: string,
  weight: number,
  options: StatementOptions,
): Promise<readonly IdRange[]> {
  const ranges = await store.query(
    // Of few ids with many rows, such as of sensors with their values, each has its own range.
    `WITH block AS MATERIALIZED (SELECT id // ${idsAtOnce} AS block, max(id) AS id, count(*) AS weight FROM (${rows}) GROUP BY 1),
     counted AS (SELECT id, weight FROM block WHERE weight <= ${weight}
       UNION ALL SELECT id, count(*) FROM (${rows}) WHERE id // ${idsAtOnce} IN (SELECT block FROM block WHERE weight > ${weight}) GROUP BY 1)
     SELECT max(id) AS up_to FROM (SELECT id, sum(weight) OVER (ORDER BY id) // ${weight} AS part FROM counted)
     GROUP BY part ORDER BY 1`,
    options,
  );
  let after = 0n;
  return ranges.map((row) => {
    const range = { after, upTo: BigInt(String(row['up_to'])) };
    after = range.upTo;
    return range;
  });
}

/** SQL condition for an id in a range. */
export function inRange(column: string, { after, upTo }: IdRange): string {
  return `${column} > ${after} AND ${column} <= ${upTo}`;
}
