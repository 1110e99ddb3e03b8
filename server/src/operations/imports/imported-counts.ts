import type { SourcesFile } from '../../project/open-project.ts';
import type { ImportedCounts } from '../../state/entity-status.ts';
import { readStatus } from '../../state/status-file.ts';
import { entityPlace } from './entity-place.ts';

/** How much the last import of a graph brought; undefined when it was never imported. */
export async function importedCounts(path: string, sourcesFile: SourcesFile): Promise<ImportedCounts | undefined> {
  const { stateFolder, entity } = entityPlace({ path, text: '' }, sourcesFile);
  return (await readStatus(stateFolder, entity)).counts;
}
