import { type BuildDatabase, createBuildDatabase } from '../store/duckdb-store.ts';
import type { BuildFolder } from './build-folder.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import { attachRowsSql, attachStoreSql, useRowsSql } from './build/staging-steps.ts';
import { importMemoryLimits } from './memory-limit.ts';

/** Where a graph is built. */
export type StagingPlace = Pick<BuildFolder, 'path' | 'rows' | 'store'>;

/**
 * Opens the build database: rows are staged in a separate file, and the store, which contains the graph only, is
 * attached. Rejects with `DuckDbError`.
 */
export async function openStaging(folder: StagingPlace): Promise<BuildDatabase> {
  const staging = await createBuildDatabase({
    path: ':memory:',
    temporaryFolder: folder.path,
    memoryLimits: importMemoryLimits(),
  });
  try {
    await staging.run(attachRowsSql(folder.rows));
    await staging.run(useRowsSql);
    for (const sql of attachStoreSql(duckdbBuild, folder.store)) await staging.run(sql);
    return staging;
  } catch (error) {
    await staging.close();
    throw error;
  }
}
