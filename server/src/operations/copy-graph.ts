import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { writtenLike } from '../model/edits/text-edit.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import { type ProjectSurroundings, readGraphFile } from '../project/open-project.ts';
import { entityFilePattern } from '../state/entity-id.ts';
import { statePaths } from '../state/state-folder.ts';
import { placeOfFile } from './entity-files.ts';
import { forgetStateOf } from './move-state.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError } from './operation-error.ts';

/** Makes a new graph that differs in its name only, with the positions on the canvas. Never overwrites. */
export async function copyGraph(path: string, target: string, surroundings: ProjectSurroundings): Promise<FileOutcome> {
  const { text } = await readGraphFile(path, surroundings);
  checkName(target);
  await mkdir(dirname(target), { recursive: true });
  await writeNew(target, withOtherName(text), surroundings);
  const [from, to] = [await placeOfFile(path, surroundings), await placeOfFile(target, surroundings)];
  if (from && to) {
    const layout = statePaths.layout(to.stateFolder, to.entity);
    await mkdir(dirname(layout), { recursive: true });
    // Most graphs have no positions of their own.
    await copyFile(statePaths.layout(from.stateFolder, from.entity), layout).catch(() => undefined);
  }
  return { file: target, action: 'created' };
}

/** Refuses a file name that would not be an entity graph's. */
export function checkName(path: string): void {
  if (entityFilePattern.test(path)) return;
  throw new OperationError({
    code: 'file-name',
    message: `${basename(path)} is no name for an entity graph.`,
    remedy: 'Let it end with .entity.yaml, .entity.yml or .entity.json.',
  });
}

/** Writes an entity graph that must not exist yet; what a file of that name has left is not its own. */
export async function writeNew(path: string, text: string, surroundings: ProjectSurroundings): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    await forgetStateOf(path, surroundings);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new OperationError({
      code: 'file-exists',
      message: `${path} exists already.`,
      file: path,
      remedy: 'Choose another name, or delete it first.',
    });
  }
}

function withOtherName(text: string): string {
  const name = parseEntityGraph(text).graph.name;
  if (!name) return text;
  const { start, end } = name.range;
  return text.slice(0, start) + writtenLike(`${name.value} (copy)`, text.slice(start, end)) + text.slice(end);
}
