import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, type ReadGraph, withGraph } from './import-text.ts';
import { wholeGraph } from './whole-graph.ts';

/** All that an import leaves but its id, times and steps, and the places of rows of tables that have no order. */
export async function wholeImport(project: ReadGraph): Promise<Readonly<Record<string, unknown>>> {
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

/** The same, with the tables behind views and the places of all rows. */
export async function wholeStore(project: ReadGraph): Promise<unknown> {
  const stored = await project.read(async (store) => {
    const names = await store.query(
      "SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE database_name = current_database() AND table_name <> 'run' ORDER BY ALL",
    );
    const tables: Record<string, unknown> = {};
    for (const { schema, name } of names) {
      const table = `"${String(schema)}"."${String(name)}"`;
      tables[table] = await store.table(`SELECT rowid, * FROM ${table} ORDER BY rowid`);
    }
    return tables;
  });
  return [await wholeImport(project), stored];
}

/** Imports, and compares with an import of all rows in memory. */
export async function importLikeFull(
  project: ImportedProject,
  whole: (project: ReadGraph) => Promise<unknown> = wholeStore,
): Promise<ImportSummary> {
  const summary = await project.import();
  assert.equal(summary.status, 'imported', summary.error?.message);
  const found = await whole(project);
  await withGraph(
    filesOf(project),
    async (copy) => {
      const { warnings } = await copy.import();
      assert.deepEqual(found, await whole(copy));
      assert.deepEqual(summary.warnings, warnings);
    },
    { map: true },
  );
  return summary;
}

/** The number of rows that an import took from the row cache. */
export function rowsFromCache({ steps = [] }: ImportSummary): number {
  return steps.reduce(
    (sum, { rows = 0, isUnchanged, keptRows = 0 }) => sum + (isUnchanged === true ? rows : keptRows),
    0,
  );
}

/** The files that a project is made of. */
export function filesOf({ folder }: ImportedProject): Readonly<Record<string, Uint8Array>> {
  const names = readdirSync(folder).filter((name) => /\.(csv|yaml)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}
