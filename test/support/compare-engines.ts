import assert from 'node:assert/strict';
import type { GraphTotals } from '../../protocol/import-progress.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import type { StoreReader } from '../../server/src/store/duckdb-store.ts';
import { countedTables } from '../../server/src/graph-schema/graph-schema.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { type ImportedProject, postgresqlSources, withProject } from './import-text.ts';
import type { PostgresAccess } from './postgres.ts';
import { tablesBesideRun } from './tables-of-store.ts';

export interface ComparedGraphs {
  readonly embedded: ImportSummary;
  readonly source: ImportSummary;
}

/** The `import` field in the graphs of `compareEngines`. */
export const sourceSettings = 'import: { engine: source, schema: ekg }\n';

/**
 * Imports a graph with both engines and expects all tables to be equal, including ids; columns are compared as text.
 * `graph` is the text of the file without `import`. With `isFetched`, the graph is then copied out of the source, and
 * the copy must equal the embedded engine's, types included.
 */
export async function compareEngines(
  server: PostgresAccess,
  database: string,
  graph: string,
  settings = '',
  isFetched = false,
): Promise<ComparedGraphs> {
  const files = { 'entity-sources.yaml': postgresqlSources(server, database, settings), 'graph.entity.yaml': graph };
  return withProject(files, async (project) => {
    const embedded = await project.import();
    assert.equal(embedded.status, 'imported', `${embedded.error?.message}\n${graph}`);
    const store = isFetched ? await wholeStore(project) : undefined;
    await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
    const source = await project.import();
    assert.equal(source.status, 'imported', `${source.error?.message}\n${graph}`);
    assert.deepEqual(comparable(source), comparable(embedded), graph);
    for (const summary of [embedded, source]) assert.deepEqual(reportedRows(summary), countedRows(summary), graph);
    await compareTables(project, server, database, graph);
    if (store) await compareFetched(project, source, store);
    return { embedded, source };
  });
}

/** Copies the graph that was built inside the source, and compares the copy. */
export async function compareFetched(project: ImportedProject, built: ImportSummary, store: unknown): Promise<void> {
  const fetched = await project.import({ request: { kind: 'fetch' } });
  assert.equal(fetched.status, 'imported', fetched.error?.message);
  assert.deepEqual(await wholeStore(project), store);
  assert.deepEqual([fetched.totals, fetched.elements], [built.totals, built.elements]);
}

/** Every table with its columns, types and rows. Opening the store costs more than reading all of them. */
export function wholeStore(project: ImportedProject): Promise<Record<string, unknown>> {
  return project.read(async (store) => {
    const rowsOf = async (sql: string) => (await store.table(sql)).rows;
    const columns = await rowsOf(
      "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main' ORDER BY table_name, column_index",
    );
    const tables: Record<string, unknown> = { columns };
    for (const name of await tablesBesideRun(store)) {
      const rows = await rowsOf(`SELECT COLUMNS(*)::VARCHAR FROM ${name}`);
      tables[name] = ['entity', 'event', 'relation'].includes(name)
        ? rows
        : rows.map((row) => JSON.stringify(row)).toSorted();
    }
    return tables;
  });
}

/** The rows that the steps of an import report of the tables that it counts. */
function reportedRows({ steps = [] }: ImportSummary): readonly (readonly [table: string, rows: number | undefined])[] {
  return Object.values(countedTables).map((table) => [table, steps.find(({ name }) => name === table)?.rows ?? 0]);
}

function countedRows({ totals }: ImportSummary): ReturnType<typeof reportedRows> {
  return Object.entries(countedTables).map(([count, table]) => [table, totals[count as keyof GraphTotals]]);
}

function comparable({ totals, elements, relationships, expectations, warnings }: ImportSummary): unknown {
  return { totals, elements, relationships, expectations, warnings: warnings.toSorted() };
}

/** Opening the store, and connecting to the server, costs more than reading all tables. */
async function compareTables(
  project: ImportedProject,
  server: PostgresAccess,
  database: string,
  graph: string,
): Promise<void> {
  const stored = await project.read(storedRows);
  const texts = (columns: readonly string[]): string => columns.map((column) => `${column}::text`).join(', ');
  const built = await server.query(
    database,
    stored
      .map(
        ({ name, columns }) => `SELECT '${name}' AS name, json_build_array(${texts(columns)}) AS row FROM ekg.${name}`,
      )
      .join(' UNION ALL '),
  );
  const sorted = (rows: readonly unknown[]): readonly string[] =>
    rows.map((row) => JSON.stringify((row as readonly unknown[]).map(oneForm))).toSorted();
  for (const { name, rows } of stored) {
    const found = built.filter((each) => each['name'] === name).map(({ row }) => row);
    assert.deepEqual(sorted(found), sorted(rows), `${name}\n${graph}`);
  }
}

/** The rows of tables built by both engines, as texts; `run` always differs. */
async function storedRows(store: StoreReader) {
  const tables = (await storedTables(store)).filter(({ schema, table }) => schema !== 'run' && table.isInSource);
  const columnsOf = await store.table(
    "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' ORDER BY column_index",
  );
  return Promise.all(
    tables.map(async ({ name }) => {
      const columns = columnsOf.rows
        .filter(([table]) => table === name)
        .map(([, column]) => `"${String(column).replaceAll('"', '""')}"`);
      const texts = columns.map((column) => `CAST(${column} AS VARCHAR)`).join(', ');
      return { name, columns, rows: (await store.table(`SELECT ${texts} FROM ${name}`)).rows };
    }),
  );
}

/** DuckDB prints a whole number that is a float as `41.0`. */
function oneForm(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.replace(/^(-?\d+)\.0$/, '$1') : cell;
}
