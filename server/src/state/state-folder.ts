import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { writeNewFile } from '../files/write-atomic.ts';
import { insideStateFolder } from './inside-state-folder.ts';

/** Where things are below `.entity-graph/`; `entity` is the identity of `entityIdOf`. */
export const statePaths = {
  status: (stateFolder: string, entity: string): string => join(stateFolder, 'state', `${entity}.json`),
  lock: (stateFolder: string, entity: string): string => join(stateFolder, 'state', `${entity}.lock`),
  /** The one part that colleagues share. */
  layout: (stateFolder: string, entity: string): string => join(stateFolder, 'layout', `${entity}.json`),
  graphs: (stateFolder: string, entity: string): string => join(stateFolder, 'graphs', entity),
  /** What the source gave in the last import, so that unchanged rows need not be pulled again. */
  rows: (stateFolder: string, entity: string): string => join(stateFolder, 'graphs', entity, 'rows.kept'),
  /** The entity graphs that were there when somebody looked last. */
  known: (stateFolder: string): string => join(stateFolder, 'known.json'),
  catalog: (stateFolder: string, dataSource: string): string =>
    join(stateFolder, 'catalog', `${encodeURIComponent(dataSource)}.json`),
} as const;

/** Only the positions that people dragged are for their colleagues; the rest is made anew anywhere. */
const ignoreRules = '*\n!.gitignore\n!layout/\n!layout/**\n';

/** Makes the state folder with its own `.gitignore`. Rejects with `link-leads-out`, else with the error of the file system. */
export async function ensureStateFolder(stateFolder: string): Promise<void> {
  const ownRules = await insideStateFolder(stateFolder, join(stateFolder, '.gitignore'));
  await makeFolder(stateFolder);
  const isThere = await access(ownRules).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  // Half of them would let Git take what is not meant for it.
  await writeNewFile(ownRules, ignoreRules).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}
