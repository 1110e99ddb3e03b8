import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { writeNewFile } from '../files/write-atomic.ts';
import { insideStateFolder } from './inside-state-folder.ts';

/** Paths below `.entity-graph/`; `entity` is an id of `entityIdOf`. */
export const statePaths = {
  status: (stateFolder: string, entity: string): string => join(stateFolder, 'state', `${entity}.json`),
  lock: (stateFolder: string, entity: string): string => join(stateFolder, 'state', `${entity}.lock`),
  /** Layouts and filters are the only parts under version control. */
  layout: (stateFolder: string, entity: string): string => join(stateFolder, 'layout', `${entity}.json`),
  filters: (stateFolder: string, entity: string): string => join(stateFolder, 'filters', `${entity}.json`),
  graphs: (stateFolder: string, entity: string): string => join(stateFolder, 'graphs', entity),
  /** The row cache of the last import. */
  rows: (stateFolder: string, entity: string): string => join(stateFolder, 'graphs', entity, 'rows.kept'),
  /** The entity graphs that existed at the last scan. */
  known: (stateFolder: string): string => join(stateFolder, 'known.json'),
  /** When each definition was first seen and last modified. */
  definitions: (stateFolder: string): string => join(stateFolder, 'definitions.json'),
  catalog: (stateFolder: string, dataSource: string): string =>
    join(stateFolder, 'catalog', `${encodeURIComponent(dataSource)}.json`),
} as const;

/** Positions and filters are shared; everything else can be recreated. */
const ignoreRules = '*\n!.gitignore\n!layout/\n!layout/**\n!filters/\n!filters/**\n';

/**
 * Creates the state folder with its own `.gitignore`. Rejects with `link-leads-out`, else with the file system error.
 */
export async function ensureStateFolder(stateFolder: string): Promise<void> {
  const ownRules = await insideStateFolder(stateFolder, join(stateFolder, '.gitignore'));
  await makeFolder(stateFolder);
  const isThere = await access(ownRules).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  // Written atomically: with a partial file Git would include too much.
  await writeNewFile(ownRules, ignoreRules).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}
