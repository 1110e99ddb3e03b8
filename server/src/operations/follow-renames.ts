import { access, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readTextFile } from '../project/read-text-file.ts';
import { entityFileOf } from '../state/entity-id.ts';
import { readStatus } from '../state/status-file.ts';
import { moveState } from './move-state.ts';

/** An entity graph that is there. */
export interface PresentEntity {
  readonly file: string;
  readonly entity: string;
}

/**
 * Files that were renamed or moved while nobody looked keep their status: a path that vanished and one new file with the text of its last
 * import are the same entity graph. Where it is not certain, nothing is done. Never rejects.
 * @param folder that holds the state folder; identities are paths from it.
 * @returns the identities that got a state.
 */
export async function followRenames(
  stateFolder: string,
  folder: string,
  present: readonly PresentEntity[],
): Promise<readonly string[]> {
  const known = await statesIn(join(stateFolder, 'state'));
  const withState = new Set(known);
  const fresh = present.filter(({ entity }) => !withState.has(entity));
  if (fresh.length === 0 || known.length === 0) return [];
  const here = new Set(present.map(({ entity }) => entity));
  const vanished: string[] = [];
  for (const entity of known) {
    if (!here.has(entity) && !(await exists(entityFileOf(entity, folder)))) vanished.push(entity);
  }
  if (vanished.length === 0) return [];
  const imported = await Promise.all(
    vanished.map(async (entity) => ({ entity, text: (await readStatus(stateFolder, entity)).text })),
  );
  const texts = await Promise.all(
    fresh.map(async ({ file, entity }) => ({ entity, text: await readTextFile(file).catch(() => undefined) })),
  );
  const moved: string[] = [];
  for (const { entity, text } of imported) {
    if (text === undefined || imported.filter((each) => each.text === text).length > 1) continue;
    const [same, another] = texts.filter((each) => each.text === text);
    if (!same || another) continue;
    if ((await moveState(stateFolder, entity, same.entity).catch(() => 'busy')) === 'moved') moved.push(same.entity);
  }
  return moved;
}

/** The identities that have a status file. */
async function statesIn(folder: string): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  return paths
    .filter((path) => path.endsWith('.json'))
    .map((path) => path.split(sep).join('/').slice(0, -'.json'.length));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
