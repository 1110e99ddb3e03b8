import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

/** Ids of the entity graphs that existed at the last scan; undefined before the first one. */
export async function readKnownFiles(stateFolder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.known(stateFolder));
    const { entities } = JSON.parse(await readText(path)) as { entities: string[] };
    return new Set(entities);
  } catch {
    return undefined;
  }
}

/**
 * Stores them for the next scan. Never rejects: without them renames are recognised by text only.
 * @param before those of the last scan.
 */
export async function writeKnownFiles(
  stateFolder: string,
  before: ReadonlySet<string> | undefined,
  entities: readonly string[],
): Promise<void> {
  if (before && before.size === entities.length && entities.every((entity) => before.has(entity))) return;
  const text = `${JSON.stringify({ version: 1, entities: [...entities].sort() }, null, 2)}\n`;
  try {
    await writeFileAtomic(await insideStateFolder(stateFolder, statePaths.known(stateFolder)), text);
  } catch {
    // The list of known files is an optional cache.
  }
}
