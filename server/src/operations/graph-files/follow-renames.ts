import { access, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readTextFile } from '../../project/read-text-file.ts';
import { entityFileOf } from '../../state/entity-id.ts';
import { readKnownFiles, writeKnownFiles } from '../../state/known-files.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { moveState } from './move-state.ts';

/** An existing entity graph. */
interface PresentEntity {
  readonly file: string;
  readonly entity: string;
}

/**
 * Recognises files renamed or moved outside of the editor: a missing path and one new file with the text of its last
 * import are the same entity graph. Ambiguous cases are skipped. Never rejects.
 * @param folder that contains the state folder; ids are relative to it.
 * @returns the ids that got a state.
 */
export async function followRenames(
  stateFolder: string,
  folder: string,
  present: readonly PresentEntity[],
): Promise<readonly string[]> {
  const states = await insideStateFolder(stateFolder, join(stateFolder, 'state')).catch(() => undefined);
  const known = states === undefined ? [] : await statesIn(states);
  if (known.length === 0) return [];
  const before = await readKnownFiles(stateFolder);
  const withState = new Set(known);
  // A file that already existed is not a new name of another.
  const fresh = present.filter(({ entity }) => !withState.has(entity) && before?.has(entity) !== true);
  const { moved, open } = await followFresh(stateFolder, folder, { known, present, fresh });
  const settled = present.map(({ entity }) => entity).filter((entity) => !open.includes(entity));
  await writeKnownFiles(stateFolder, before, settled);
  return moved;
}

interface FreshFiles {
  readonly known: readonly string[];
  readonly present: readonly PresentEntity[];
  readonly fresh: readonly PresentEntity[];
}

/**
 * @returns the ids that got a state, and the ids that may get one later: when several files have the text, or an import
 * is running.
 */
async function followFresh(
  stateFolder: string,
  folder: string,
  { known, present, fresh }: FreshFiles,
): Promise<{ readonly moved: readonly string[]; readonly open: readonly string[] }> {
  const here = new Set(present.map(({ entity }) => entity));
  const vanished: string[] = [];
  for (const entity of fresh.length === 0 ? [] : known) {
    if (!here.has(entity) && !(await exists(entityFileOf(entity, folder)))) vanished.push(entity);
  }
  if (vanished.length === 0) return { moved: [], open: [] };
  const imported = await Promise.all(
    vanished.map(async (entity) => ({ entity, text: (await readStatus(stateFolder, entity)).text })),
  );
  const texts = await Promise.all(
    fresh.map(async ({ file, entity }) => ({ entity, text: await readTextFile(file).catch(() => undefined) })),
  );
  const moved: string[] = [];
  const open: string[] = [];
  for (const { entity, text } of imported) {
    const [same, ...others] = text === undefined ? [] : texts.filter((each) => each.text === text);
    if (!same) continue;
    const isCertain = others.length === 0 && imported.filter((each) => each.text === text).length === 1;
    const outcome = isCertain ? await moveState(stateFolder, entity, same.entity).catch(() => 'busy') : 'open';
    if (outcome === 'moved') moved.push(same.entity);
    else open.push(same.entity, ...others.map((each) => each.entity));
  }
  return { moved, open };
}

/** The ids with a status file. */
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
