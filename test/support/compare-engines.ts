import assert from 'node:assert/strict';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { type ImportedProject, postgresqlSources, withProject } from './import-text.ts';
import type { PostgresAccess } from './postgres.ts';

export interface ComparedGraphs {
  readonly embedded: ImportSummary;
  readonly source: ImportSummary;
}

/** The `import` field in the graphs of `compareEngines`. */
export const sourceSettings = 'import: { engine: source, schema: ekg }\n';

/**
 * Imports a graph with both engines and expects all tables to be equal, including ids; columns are compared as text.
 * `graph` is the text of the file without `import`.
 */
export async function compareEngines(
  server: PostgresAccess,
  database: string,
  graph: string,
  settings = '',
): Promise<ComparedGraphs> {
  const files = { 'entity-sources.yaml': postgresqlSources(server, database, settings), 'graph.entity.yaml': graph };
  return withProject(files, async (project) => {
    const embedded = await project.import();
    assert.equal(embedded.status, 'imported', `${embedded.error?.message}\n${graph}`);
    await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
    const source = await project.import();
    assert.equal(source.status, 'imported', `${source.error?.message}\n${graph}`);
    assert.deepEqual(comparable(source), comparable(embedded), graph);
    for (const table of await tablesOf(project)) await compareTable(project, server, database, table, graph);
    return { embedded, source };
  });
}

function comparable({ totals, elements, relationships, expectations, warnings }: ImportSummary): unknown {
  return { totals, elements, relationships, expectations, warnings: warnings.toSorted() };
}

/** Tables built by both engines; `run` always differs. */
async function tablesOf(project: ImportedProject): Promise<readonly string[]> {
  const tables = await project.read((store) => storedTables(store));
  return tables.filter(({ schema, table }) => schema !== 'run' && table.inSource !== 'absent').map(({ name }) => name);
}

async function compareTable(
  project: ImportedProject,
  server: PostgresAccess,
  database: string,
  table: string,
  graph: string,
): Promise<void> {
  const names = (
    await project.rows(`SELECT column_name FROM duckdb_columns() WHERE table_name = '${table}' ORDER BY column_index`)
  ).map(String);
  const columns = names.map((name) => `"${name.replaceAll('"', '""')}"`);
  const stored = await project.rows(
    `SELECT ${columns.map((each) => `CAST(${each} AS VARCHAR)`).join(', ')} FROM ${table}`,
  );
  const built = await server.query(
    database,
    `SELECT ${columns.map((each) => `${each}::text AS ${each}`).join(', ')} FROM ekg.${table}`,
  );
  const sorted = (rows: readonly (readonly unknown[])[]): readonly string[] =>
    rows.map((row) => JSON.stringify(row.map(oneForm))).toSorted();
  assert.deepEqual(sorted(built.map((row) => names.map((name) => row[name]))), sorted(stored), `${table}\n${graph}`);
}

/** DuckDB prints a whole number that is a float as `41.0`. */
function oneForm(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.replace(/^(-?\d+)\.0$/, '$1') : cell;
}
