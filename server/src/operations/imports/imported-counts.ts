import type { SourcesFile } from '../../project/open-project.ts';
import type { ImportedCounts } from '../../state/entity-status.ts';
import { readStatus } from '../../state/status-file.ts';
import { entityPlace } from './entity-place.ts';

/** Totals of the last import of a graph; undefined without one. */
export async function importedCounts(path: string, sourcesFile: SourcesFile): Promise<ImportedCounts | undefined> {
  const { stateFolder, entity } = entityPlace({ path, text: '' }, sourcesFile);
  return (await readStatus(stateFolder, entity)).counts;
}
