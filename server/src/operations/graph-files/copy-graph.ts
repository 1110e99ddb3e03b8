import { basename } from 'node:path';
import { checkNewFile, fileExists } from '../../files/write-target.ts';
import { writeNewFile } from '../../files/write-atomic.ts';
import { readingLimits } from '../../model/edits/edited-text.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { writeValue } from '../../model/edits/write-changes.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { entityFilePattern } from '../../state/entity-id.ts';
import { readFilters, writeFilters } from '../../state/filters-file.ts';
import { readLayout, writeLayout } from '../../state/layout-file.ts';
import { placeOfFile } from './entity-files.ts';
import { forgetStateOf } from './move-state.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError } from '../operation-error.ts';

/** Copies a graph under another name, with its canvas positions and saved filters. Never overwrites. */
export async function copyGraph(path: string, target: string, projectContext: ProjectContext): Promise<FileOutcome> {
  const { text } = await readGraphFile(path, projectContext);
  checkName(target);
  await checkNewFile(target);
  await writeNew(target, withOtherName(text, path), projectContext);
  const [from, to] = [await placeOfFile(path, projectContext), await placeOfFile(target, projectContext)];
  if (from && to) {
    const layout = await readLayout(from.stateFolder, from.entity);
    // Positions are optional; without them, the copy is laid out again.
    await writeLayout(to.stateFolder, to.entity, layout).catch(() => undefined);
    const filters = await readFilters(from.stateFolder, from.entity);
    await writeFilters(to.stateFolder, to.entity, filters).catch(() => undefined);
  }
  return { file: target, action: 'created' };
}

/** Rejects file names without an entity graph extension. */
export function checkName(path: string): void {
  if (entityFilePattern.test(path)) return;
  throw new OperationError({
    code: 'file-name',
    message: `${basename(path)} is not a name for an entity graph.`,
    remedy: 'Let it end with .entity.yaml, .entity.yml or .entity.json.',
  });
}

/** Writes a new entity graph file and deletes leftover state of an earlier file of that name. */
export async function writeNew(path: string, text: string, projectContext: ProjectContext): Promise<void> {
  try {
    await writeNewFile(path, text);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? fileExists(path) : error;
  }
  await forgetStateOf(path, projectContext);
}

/** The text with a new name; verifies that nothing else has changed. */
function withOtherName(text: string, file: string): string {
  const copied = (name: string): string => `${name.trimEnd()} (copy)${/\s*$/.exec(name)?.[0] ?? ''}`;
  const outcome = writeValue(
    { text },
    ['name'],
    (name) => (typeof name === 'string' && name.trim() !== '' ? copied(name) : undefined),
    { ...readingLimits, most: Infinity },
  );
  if ('edits' in outcome) return applyEdits(text, outcome.edits);
  throw new OperationError({
    code: 'not-writable',
    message: `${basename(file)} cannot be given another name. ${outcome.refusal}`,
    file,
  });
}
