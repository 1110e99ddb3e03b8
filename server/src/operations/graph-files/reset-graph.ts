import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { type ProjectContext, readGraphFile, workspaceFolderOf } from '../../project/open-project.ts';
import { readStatus } from '../../state/status-file.ts';
import { placeOfFile } from './entity-files.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError } from '../operation-error.ts';

/** Restores the text of a file's last successful import; changes nothing else. Rejects with `not-imported`. */
export async function resetGraph(path: string, projectContext: ProjectContext): Promise<FileOutcome> {
  const { text } = await readGraphFile(path, projectContext);
  const imported = await importedText(path, projectContext);
  if (imported === text) return { file: path, action: 'unchanged' };
  // The text comes from the workspace, so a link must not lead out of it.
  const { real } = await checkFileTarget(path, { within: await workspaceFolderOf(path, projectContext) });
  await writeFileAtomic(real, imported);
  return { file: path, action: 'reset' };
}

/** The text of the last successful import of a file. Rejects with `not-imported`. */
export async function importedText(path: string, projectContext: ProjectContext): Promise<string> {
  const place = await placeOfFile(path, projectContext);
  const imported = place && (await readStatus(place.stateFolder, place.entity)).text;
  if (imported !== undefined) return imported;
  throw new OperationError({
    code: 'not-imported',
    message: `${path} has not been imported yet, so there is nothing to go back to.`,
    file: path,
  });
}
