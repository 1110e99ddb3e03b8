import { readFile } from 'node:fs/promises';
import { type EntityStatus, neverImported } from './entity-status.ts';
import { statePaths } from './state-folder.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

/** The status of an entity graph; never imported when there is no file or it cannot be read. */
export async function readStatus(stateFolder: string, entity: string): Promise<EntityStatus> {
  try {
    const status = JSON.parse(await readFile(statePaths.status(stateFolder, entity), 'utf8')) as EntityStatus;
    return status.version === 1 ? status : neverImported;
  } catch {
    return neverImported;
  }
}

/** Replaces the status file as a whole. Rejects with the error of the file system. */
export async function writeStatus(stateFolder: string, entity: string, status: EntityStatus): Promise<void> {
  await writeFileAtomic(statePaths.status(stateFolder, entity), `${JSON.stringify(status, null, 2)}\n`);
}
