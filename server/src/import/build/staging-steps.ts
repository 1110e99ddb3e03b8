import { quoteLiteral } from '../../query/quote.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type StatementsStep, runValue } from './plan-statement.ts';

/** Attaches the store, beside the file in which rows are staged. @param store its path; without it, as a plan shows it. */
export function attachStoreSql({ graph }: BuildDialect, store: string = runValue): string {
  return `ATTACH ${quoteLiteral(store, 'duckdb')} AS ${graph}`;
}

/** Opens the database in which rows are staged, as a plan shows it. */
export function stagingStep(
  dialect: BuildDialect,
  { timeZone, hasRowOrder }: { readonly timeZone: string; readonly hasRowOrder: boolean },
): StatementsStep {
  return {
    name: stagingName,
    title: 'The database in which rows are staged',
    statements: [
      { title: 'The store of the graph', sql: attachStoreSql(dialect) },
      { title: 'The time zone of the source is known', sql: timeZoneSql(timeZone) },
      ...(hasRowOrder ? [] : [{ title: 'Rows without an order of their own are staged in any', sql: anyOrderSql }]),
    ],
  };
}

export const stagingName = 'staging';

/** Asks whether the engine knows a time zone. */
export function timeZoneSql(timeZone: string): string {
  return `SELECT 1 FROM pg_timezone_names() WHERE name = ${quoteLiteral(timeZone, 'duckdb')}`;
}

/** What a source whose rows have no order can do without while they are staged, for half the memory. */
export const anyOrderSql = 'SET preserve_insertion_order = false';

/** What is built of the rows lies in the order in which it was sorted. */
export const keepOrderStep: StatementsStep = {
  name: 'order',
  title: 'Tables of the graph keep their order',
  statements: [{ title: 'From here on', sql: 'SET preserve_insertion_order = true' }],
};

/** Writes a store and lets go of it: its file then takes its place by renaming. */
export function publishStoreStep({ graph }: BuildDialect): StatementsStep {
  return {
    name: 'publish',
    title: 'Writing the graph',
    statements: [
      { title: 'All is written', sql: `CHECKPOINT ${graph}` },
      { title: 'The file of the graph is closed, then takes its place by renaming', sql: `DETACH ${graph}` },
    ],
  };
}
