import { quoteLiteral } from '../../query/quote.ts';
import type { BuildDialect, duckdbBuild } from './build-dialect.ts';
import { type StatementsStep, runValue } from './plan-statement.ts';

export const rowsDatabase = 'entity_graph_rows';

/** Without a write-ahead log: an interrupted build starts again. */
const noLog = 'RECOVERY_MODE NO_WAL_WRITES';

/** Attaches the staging file. @param rows its path; without it, the statement for a plan. */
export function attachRowsSql(rows: string = runValue): string {
  return `ATTACH ${quoteLiteral(rows, 'duckdb')} AS ${rowsDatabase} (${noLog})`;
}

/** Unqualified tables are staging tables. */
export const useRowsSql = `USE ${rowsDatabase}`;

/** Attaches the empty store beside the staging file. @param store its path; without it, the statements for a plan. */
export function attachStoreSql(
  { graph, storage }: typeof duckdbBuild,
  store: string = runValue,
): readonly [attach: string, storage: string] {
  return [`ATTACH ${quoteLiteral(store, 'duckdb')} AS ${graph} (${noLog})`, `CREATE SCHEMA ${storage.tables}`];
}

/** Opens the staging database, for a plan. */
export function stagingStep(
  dialect: typeof duckdbBuild,
  { timeZone, hasRowOrder }: { readonly timeZone: string; readonly hasRowOrder: boolean },
): StatementsStep {
  const [attach, storage] = attachStoreSql(dialect);
  return {
    name: stagingName,
    title: 'The database in which rows are staged',
    statements: [
      { title: 'The file of the rows', sql: attachRowsSql() },
      { title: 'Where rows are staged', sql: useRowsSql },
      { title: 'The store of the graph', sql: attach },
      { title: 'The place of tables behind views of the graph', sql: storage },
      { title: 'Staged texts are compressed quickly', sql: quickTextsSql },
      ...(timeZone === 'UTC' ? [] : [{ title: 'The time zone of the source is known', sql: timeZoneSql(timeZone) }]),
      ...(hasRowOrder ? [] : [{ title: 'Rows without an order of their own are staged in any', sql: anyOrderSql }]),
    ],
  };
}

export const stagingName = 'staging';

/** Tests whether the engine knows a time zone. */
export function timeZoneSql(timeZone: string): string {
  return `SELECT 1 FROM pg_timezone_names() WHERE name = ${quoteLiteral(timeZone, 'duckdb')}`;
}

/** Settings for unordered sources during staging, which halve memory use. */
export const anyOrderSql = 'SET preserve_insertion_order = false';

/**
 * A setting for staging. DuckDB tries every compression, and dictionaries take longer than all others together. Without
 * them, staged texts take a tenth more space.
 */
export const quickTextsSql = "SET disabled_compression_methods = 'dictionary'";

/** Compresses repeated texts with dictionaries, which makes reading and grouping them several times faster. */
export const compressTextsStep: StatementsStep = {
  name: 'compression',
  title: 'Tables of the graph have all compressions',
  statements: [{ title: 'From here on', sql: 'RESET disabled_compression_methods' }],
};

/** Later statements rely on sort order. */
export const keepOrderStep: StatementsStep = {
  name: 'order',
  title: 'Tables of the graph keep their order',
  statements: [{ title: 'From here on', sql: 'SET preserve_insertion_order = true' }],
};

/** Writes and detaches a store, whose file is then renamed to its final path. */
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
