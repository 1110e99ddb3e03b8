import { dirname } from 'node:path';
import { type EntityStatus, neverImported } from './entity-status.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';
import { canRefuseLinks, readText, readTextAndStats } from '../files/read-text.ts';
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
    return parseStatus(await readText(path));
  } catch {
    return neverImported;
  }
}

function parseStatus(text: string): EntityStatus {
  try {
    const status = JSON.parse(text) as EntityStatus;
    return status.version === 1 ? status : neverImported;
  } catch {
    return neverImported;
  }
}

/**
 * Reads the statuses of a state folder like `readStatusFile` after `insideStateFolder`, with fewer calls of the file
 * system: links on the way to a folder are followed once, and a file that is a link itself is not opened. Rejects like
 * `insideStateFolder`.
 */
export function createStatusReader(stateFolder: string): (entity: string) => Promise<EntityStatus> {
  const approved = new Map<string, Promise<boolean>>();
  const isInside = (folder: string): Promise<boolean> => {
    const known =
      approved.get(folder) ??
      insideStateFolder(stateFolder, folder).then(
        () => true,
        () => false,
      );
    approved.set(folder, known);
    return known;
  };
  return async (entity) => {
    const path = statePaths.status(stateFolder, entity);
    if (canRefuseLinks && (await isInside(dirname(path)))) {
      try {
        return parseStatus((await readTextAndStats(path, true)).text);
      } catch (error) {
        if (isMissing(error)) return neverImported;
        // A link, or a file that cannot be read.
      }
    }
    return readStatusFile(await insideStateFolder(stateFolder, path));
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Replaces the status file atomically. Rejects with `link-leads-out`, else with the file system error. */
export async function writeStatus(stateFolder: string, entity: string, status: EntityStatus): Promise<void> {
  const path = await insideStateFolder(stateFolder, statePaths.status(stateFolder, entity));
  await writeFileAtomic(path, `${JSON.stringify(status, null, 2)}\n`);
}
