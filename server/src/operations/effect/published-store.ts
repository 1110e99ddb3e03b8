import { basename, join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import type { ImportWithoutFiles } from '../../import/import-job.ts';
import { importMemoryLimits } from '../../import/memory-limit.ts';
import { cachedQueries } from '../../import/row-cache/row-cache.ts';
import { areRowsUnchanged } from '../../import/unchanged-rows.ts';
import { withStaging } from '../../import/with-staging.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { statePaths } from '../../state/state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { createBuildDatabase } from '../../store/duckdb-store.ts';
import type { EntityPlace } from '../imports/entity-place.ts';
import { openGraphStore } from '../stored-graphs/open-graph-store.ts';

/**
 * The store of the last import, if a whole import of the same text and of the rows that its data sources have now would
 * give the same; undefined as well if that cannot be told. Rejects if a data source cannot be read.
 */
export async function publishedStore(
  { place, job }: { readonly place: EntityPlace | undefined; readonly job: ImportWithoutFiles },
  { folder: temporaryFolder }: { readonly folder: string },
): Promise<string | undefined> {
  if (!place) return undefined;
  const store = await lastStore(place);
  if (store === undefined || !(await isOfText(store, job.run.configHash))) return undefined;
  const cached = await cachedQueries(statePaths.rows(place.stateFolder, place.entity));
  await makeFolder(temporaryFolder);
  const open = () => createBuildDatabase({ path: ':memory:', temporaryFolder, memoryLimits: importMemoryLimits() });
  const isUnchanged = await withStaging({ ...job, open }, (staging) => areRowsUnchanged(staging, job, cached));
  // An import that ended meanwhile has other rows in its row cache.
  return isUnchanged && (await lastStore(place)) === store ? store : undefined;
}

async function lastStore({ stateFolder, entity }: EntityPlace): Promise<string | undefined> {
  const { store } = await readStatus(stateFolder, entity);
  if (store === undefined) return undefined;
  return insideStateFolder(stateFolder, join(statePaths.graphs(stateFolder, entity), basename(store)));
}

/** Whether a store is the whole graph of a text; false for one that cannot be read. */
async function isOfText(path: string, configHash: string): Promise<boolean> {
  try {
    const store = await openGraphStore(path);
    const rows = await store
      .query('SELECT config_hash AS hash, slice IS NULL AS whole FROM run')
      .finally(() => store.close());
    return rows[0]?.['hash'] === configHash && rows[0]['whole'] === true;
  } catch {
    return false;
  }
}
