import { dirname } from 'node:path';
import { type EntityStatus, neverImported } from './entity-status.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';
import { FileError, isFileError } from '../files/file-error.ts';
import { canRefuseLinks, readText, readTextAndStats } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import { statusShape } from './status-shape.ts';

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
    return parseStatus(await readText(path), path);
  } catch {
    return neverImported;
  }
}

/** Rejects a text that is no status with `state-unreadable`. */
function parseStatus(text: string, path: string): EntityStatus {
  const mistake = mistakeOf(text);
  if (mistake === undefined) return JSON.parse(text) as EntityStatus;
  throw new FileError('state-unreadable', `${path} does not hold the state of an import: ${mistake}`, {
    file: path,
    remedy: 'The entity graph counts as not imported. Import it again, which writes the file anew.',
  });
}

function mistakeOf(text: string): string | undefined {
  try {
    return statusShape(JSON.parse(text), '');
  } catch {
    return 'it is not valid JSON.';
  }
}

/**
 * Reads the statuses of a state folder like `readStatusFile` after `insideStateFolder`, with fewer calls of the file
 * system: links on the way to a folder are followed once, and a file that is a link itself is not opened. Rejects like
 * `insideStateFolder`, and with `state-unreadable` for a file that does not hold a status.
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
        return parseStatus((await readTextAndStats(path, { refusesLink: true })).text, path);
      } catch (error) {
        if (isMissing(error)) return neverImported;
        if (isFileError(error) && error.code === 'state-unreadable') throw error;
        // A link, or a file that cannot be read.
      }
    }
    const inside = await insideStateFolder(stateFolder, path);
    const text = await readText(inside).catch(() => undefined);
    return text === undefined ? neverImported : parseStatus(text, inside);
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
