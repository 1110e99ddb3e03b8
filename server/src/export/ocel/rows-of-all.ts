import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';

/** Each query of a union has memory of its own in what joins, groups or sorts its rows: that of hundreds is not to be had. */
const queriesAtOnce = 16;

/** SQL of the rows of all queries, which have the same columns; those of many are in the temporary table `name` then, in place of what it held. */
export async function rowsOfAll(
  store: StoreReader,
  name: string,
  queries: readonly string[],
  options: StatementOptions,
): Promise<string> {
  const all = queries.join('\nUNION ALL\n');
  if (queries.length <= queriesAtOnce) return all;
  // A column may be missing in some: its type is that of all.
  await store.run(`CREATE OR REPLACE TEMP TABLE ${name} AS SELECT * FROM (${all}) LIMIT 0`, options);
  for (let from = 0; from < queries.length; from += queriesAtOnce) {
    const some = queries.slice(from, from + queriesAtOnce).join('\nUNION ALL\n');
    await store.run(`INSERT INTO ${name} ${some}`, options);
  }
  return `SELECT * FROM ${name}`;
}
