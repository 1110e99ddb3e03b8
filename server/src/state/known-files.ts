import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';

/** Identities of entity graphs that were there when somebody looked last; undefined when nobody has. */
export async function readKnownFiles(stateFolder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.known(stateFolder));
    const { entities } = JSON.parse(await readText(path)) as { entities: string[] };
    return new Set(entities);
  } catch {
    return undefined;
  }
}

/** Remembers them for the next time. Never rejects: without them renames are told by texts alone. */
export async function writeKnownFiles(stateFolder: string, entities: readonly string[]): Promise<void> {
  const before = await readKnownFiles(stateFolder);
  if (before && before.size === entities.length && entities.every((entity) => before.has(entity))) return;
  const text = `${JSON.stringify({ version: 1, entities: [...entities].sort() }, null, 2)}\n`;
  try {
    await writeFileAtomic(await insideStateFolder(stateFolder, statePaths.known(stateFolder)), text);
  } catch {
    // They are a help, no more.
  }
}
