import { quoteLiteral } from '../../query/quote.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type StatementsStep, runValue } from './plan-statement.ts';

const rowsDatabase = 'entity_graph_rows';

/** Without a log of what is written: a build that ends before its files are whole begins anew. */
const noLog = 'RECOVERY_MODE NO_WAL_WRITES';

/** Attaches the file in which rows are staged. @param rows its path; without it, as a plan shows it. */
export function attachRowsSql(rows: string = runValue): string {
  return `ATTACH ${quoteLiteral(rows, 'duckdb')} AS ${rowsDatabase} (${noLog})`;
}

/** Tables without a database's name are those of the rows. */
export const useRowsSql = `USE ${rowsDatabase}`;

/** Attaches the store, beside the file in which rows are staged. @param store its path; without it, as a plan shows it. */
export function attachStoreSql({ graph }: BuildDialect, store: string = runValue): string {
  return `ATTACH ${quoteLiteral(store, 'duckdb')} AS ${graph} (${noLog})`;
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
      { title: 'The file of the rows', sql: attachRowsSql() },
      { title: 'Where rows are staged', sql: useRowsSql },
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
