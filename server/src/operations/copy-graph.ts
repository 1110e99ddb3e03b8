import { basename } from 'node:path';
import { checkNewFile, fileExists } from '../files/write-target.ts';
import { writeNewFile } from '../files/write-atomic.ts';
import { writtenLike } from '../model/edits/text-edit.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import { type ProjectSurroundings, readGraphFile } from '../project/open-project.ts';
import { entityFilePattern } from '../state/entity-id.ts';
import { readLayout, writeLayout } from '../state/layout-file.ts';
import { placeOfFile } from './entity-files.ts';
import { forgetStateOf } from './move-state.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError } from './operation-error.ts';

/** Makes a new graph that differs in its name only, with the positions on the canvas. Never overwrites. */
export async function copyGraph(path: string, target: string, surroundings: ProjectSurroundings): Promise<FileOutcome> {
  const { text } = await readGraphFile(path, surroundings);
  checkName(target);
  await checkNewFile(target);
  await writeNew(target, withOtherName(text), surroundings);
  const [from, to] = [await placeOfFile(path, surroundings), await placeOfFile(target, surroundings)];
  if (from && to) {
    const layout = await readLayout(from.stateFolder, from.entity);
    // Most graphs have no positions of their own; without them, the copy is laid out anew.
    await writeLayout(to.stateFolder, to.entity, layout).catch(() => undefined);
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
    await writeNewFile(path, text);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? fileExists(path) : error;
  }
  await forgetStateOf(path, surroundings);
}

function withOtherName(text: string): string {
  const name = parseEntityGraph(text).graph.name;
  if (!name) return text;
  const { start, end } = name.range;
  return text.slice(0, start) + writtenLike(`${name.value} (copy)`, text.slice(start, end)) + text.slice(end);
}
