import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, withProject } from './import-text.ts';
import { fullImport, wholeGraph } from './whole-graph.ts';

/** The number of rows that changed the graph of the previous import, or why it was built anew. */
export function previousGraph({ steps = [], status, error }: ImportSummary): number | string | undefined {
  assert.equal(status, 'imported', error?.message);
  const step = steps.find(({ name }) => name === 'previous_graph');
  return step?.isReused === true ? step.rows : step?.builtAnew;
}

/** All that an import leaves but its id, times and steps, and the places of rows of tables that have no order. */
export async function wholeImport(project: ImportedProject): Promise<Readonly<Record<string, unknown>>> {
  const run = await project.rows(
    `SELECT format_version, entity, data_source, config, regexp_replace(CAST(counts AS VARCHAR), '"readAt":"[^"]*"', '', 'g'),
      warnings, versions, slice FROM run`,
  );
  const inOrder: Record<string, unknown> = {};
  for (const table of ['entity', 'event', 'relation', 'process_map', 'process_map_activity', 'process_map_path']) {
    inOrder[table] = await project.rows(`SELECT * FROM ${table}`);
  }
  return { graph: await wholeGraph(project), inOrder, run };
}

/**
 * The tables of the file, those behind views among them, with the types of their columns.
 * @param isInPlace of which tables the places of rows matter
 */
export function storedTables(
  { read }: ImportedProject,
  isInPlace: (table: string) => boolean,
): Promise<Readonly<Record<string, unknown>>> {
  return read(async (store) => {
    const names = await store.query(
      "SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE table_name <> 'run' ORDER BY ALL",
    );
    const tables: Record<string, unknown> = {};
    for (const { schema, name } of names) {
      const table = `"${String(schema)}"."${String(name)}"`;
      const [columns, order] = isInPlace(String(name)) ? ['rowid, *', 'rowid'] : ['*', 'ALL'];
      tables[table] = await store.table(`SELECT ${columns} FROM ${table} ORDER BY ${order}`);
    }
    return tables;
  });
}

/** Imports, and compares with a full import in a folder of its own, which leaves the cached rows as they are. */
export async function importLikeAnew(
  project: ImportedProject,
  whole: (project: ImportedProject) => Promise<unknown> = wholeImport,
): Promise<ImportSummary> {
  const summary = await project.import();
  assert.equal(summary.status, 'imported', summary.error?.message);
  const found = await whole(project);
  await withProject(filesOf(project), async (copy) => {
    const { warnings } = await copy.import(fullImport);
    assert.deepEqual(found, await whole(copy));
    assert.deepEqual(summary.warnings, warnings);
  });
  return summary;
}

/** The files that a project is made of. */
export function filesOf({ folder }: ImportedProject): Readonly<Record<string, Uint8Array>> {
  const names = readdirSync(folder).filter((name) => /\.(csv|duckdb|yaml)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/**
 * All that an import leaves, the tables behind views among it, but the places of rows of tables that have no order, and
 * the times that are kept for the next import: these are around the quantiles of the import that built the map.
 */
export async function wholeStore(project: ImportedProject): Promise<unknown> {
  const tables = await storedTables(project, (table) => ['entity', 'coded_event'].includes(table));
  const keptTimes = '"entity_graph_storage"."map_duration"';
  // Only a graph whose events have no other entities keeps times.
  if (keptTimes in tables) {
    const kept = await project.rows(
      `SELECT * FROM (SELECT type, source, target, duration_class, sum(n) AS n FROM ${keptTimes} GROUP BY ALL) AS kept
        LEFT JOIN entity_graph_storage.map_class AS class USING (type, source, target, duration_class) WHERE n IS DISTINCT FROM steps`,
    );
    assert.deepEqual(kept, [], 'Times of some classes are kept only in part.');
  }
  return [await wholeImport(project), { ...tables, [keptTimes]: undefined }];
}
