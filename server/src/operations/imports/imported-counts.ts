import type { SourcesFile } from '../../project/open-project.ts';
import type { ImportedCounts } from '../../state/entity-status.ts';
import { readStatus } from '../../state/status-file.ts';
import { entityPlace } from './entity-place.ts';

/** Totals of the last import of a graph; undefined without one. */
export async function importedCounts(path: string, sourcesFile: SourcesFile): Promise<ImportedCounts | undefined> {
  return (await importedText(path, sourcesFile))?.counts;
}

/** The text of the last import of a graph, and its totals; undefined without an import. */
export async function importedText(
  path: string,
  sourcesFile: SourcesFile,
): Promise<{ readonly text: string | undefined; readonly counts: ImportedCounts | undefined } | undefined> {
  const { stateFolder, entity } = entityPlace({ path, text: '' }, sourcesFile);
  const { status, text, counts } = await readStatus(stateFolder, entity);
  return status === 'Imported' ? { text, counts } : undefined;
}
