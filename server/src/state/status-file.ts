import { type EntityStatus, neverImported } from './entity-status.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

/** The status of an entity graph; never imported when there is no readable file. */
export async function readStatus(stateFolder: string, entity: string): Promise<EntityStatus> {
  try {
    return await readStatusFile(await insideStateFolder(stateFolder, statePaths.status(stateFolder, entity)));
  } catch {
    return neverImported;
  }
}

/** Reads the status at a path that `insideStateFolder` has approved. Never rejects. */
export async function readStatusFile(path: string): Promise<EntityStatus> {
  try {
    const status = JSON.parse(await readText(path)) as EntityStatus;
    return status.version === 1 ? status : neverImported;
  } catch {
    return neverImported;
  }
}

/** Replaces the status file atomically. Rejects with `link-leads-out`, else with the file system error. */
export async function writeStatus(stateFolder: string, entity: string, status: EntityStatus): Promise<void> {
  const path = await insideStateFolder(stateFolder, statePaths.status(stateFolder, entity));
  await writeFileAtomic(path, `${JSON.stringify(status, null, 2)}\n`);
}
