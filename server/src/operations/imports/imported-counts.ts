import { basename, join } from 'node:path';
import type { SourcesFile } from '../../project/open-project.ts';
import type { BrokenGuard } from '../../../../protocol/query-results.ts';
import type { EntityStatus, ImportedCounts } from '../../state/entity-status.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { statePaths } from '../../state/state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { entityPlace } from './entity-place.ts';

/** Totals of the last import of a graph; undefined without one. */
export async function importedCounts(path: string, sourcesFile: SourcesFile): Promise<ImportedCounts | undefined> {
  return (await importedText(path, sourcesFile))?.counts;
}

/** The text of the last import of a graph, its totals, and the guards that stopped a later one; undefined without an import. */
export async function importedText(
  path: string,
  sourcesFile: SourcesFile,
): Promise<(Pick<EntityStatus, 'text' | 'counts'> & { readonly stoppedBy: readonly BrokenGuard[] }) | undefined> {
  const { stateFolder, entity } = entityPlace({ path, text: '' }, sourcesFile);
  const { status, text, counts, stoppedBy = [] } = await readStatus(stateFolder, entity);
  return status === 'Imported'
    ? { ...(text !== undefined && { text }), ...(counts && { counts }), stoppedBy }
    : undefined;
}

/** The store of the last import of a graph with its text; undefined without one on this machine, and for a slice. */
export async function importedStore(
  path: string,
  sourcesFile: SourcesFile,
): Promise<{ readonly store: string; readonly text: string; readonly events: number } | undefined> {
  const { stateFolder, entity } = entityPlace({ path, text: '' }, sourcesFile);
  const { status, text, counts, slice, store } = await readStatus(stateFolder, entity);
  if (status !== 'Imported' || text === undefined || store === undefined || slice !== undefined) return undefined;
  // The name in a status must not lead out of the folder.
  const place = join(statePaths.graphs(stateFolder, entity), basename(store));
  return { store: await insideStateFolder(stateFolder, place), text, events: counts?.totals.events ?? 0 };
}
