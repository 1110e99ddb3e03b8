import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';

/**
 * Above this number of queries a UNION would run out of memory, because each needs its own for joins, groups and sorts.
 */
const queriesAtOnce = 16;

/**
 * SQL of the rows of all queries, which have the same columns; for many queries, through the temporary table `name`,
 * which is replaced.
 */
export async function rowsOfAll(
  store: StoreReader,
  name: string,
  queries: readonly string[],
  options: StatementOptions,
): Promise<string> {
  const all = queries.join('\nUNION ALL\n');
  if (queries.length <= queriesAtOnce) return all;
  // A column may be missing in some queries: its type is common to all.
  await store.run(`CREATE OR REPLACE TEMP TABLE ${name} AS SELECT * FROM (${all}) LIMIT 0`, options);
  for (let from = 0; from < queries.length; from += queriesAtOnce) {
    const some = queries.slice(from, from + queriesAtOnce).join('\nUNION ALL\n');
    await store.run(`INSERT INTO ${name} ${some}`, options);
  }
  return `SELECT * FROM ${name}`;
}
