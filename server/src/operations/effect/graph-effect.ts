import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { changeParts, kindsOfPart } from '../../../../protocol/graph-changes.ts';
import type { ChangedRows } from '../../../../protocol/graph-changes.ts';
import type { EffectBase, GraphEffect } from '../../../../protocol/graph-effect.ts';
import type { ImportProgress } from '../../../../protocol/import-progress.ts';
import type { ComparedChanges } from '../../graph-changes/compare-graphs.ts';
import { createProgress } from '../../import/progress.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { compareStores } from '../stored-graphs/compared-stores.ts';
import { toImportFailure } from '../imports/import-failure.ts';
import { OperationError } from '../operation-error.ts';
import { type BuiltText, type TextBuild, buildText, refuseUnreadable } from './build-text.ts';
import { type FailCondition, evaluateConditions } from './fail-conditions.ts';
import { readBase } from './read-base.ts';
import { createSharedRead } from './shared-read.ts';

export interface EffectOptions {
  /** `last`, a file or a commit. */
  readonly base: string;
  readonly isOffline: boolean;
  readonly conditions: readonly FailCondition[];
  /** Rows of each number; none without it. */
  readonly rows?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress, text: 'base' | 'file') => void;
}

/**
 * What a text of an entity graph does, compared with another text over the same data. Both graphs are built in a
 * temporary folder. Rejects with an `OperationError`.
 */
export async function graphEffect(
  file: GraphFile,
  projectContext: ProjectContext,
  options: EffectOptions,
): Promise<GraphEffect> {
  const { base, text } = await readBase(file, options.base, projectContext);
  const found = { file: file.path, base };
  if (text === undefined) return { ...found, state: 'new' };
  if (text === file.text) return { ...found, state: 'same text' };
  refuseUnreadable(file);
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-effect-')).catch((error: unknown) => {
    throw new OperationError(toImportFailure(error, file, options.signal), error);
  });
  try {
    const { before, after } = await buildBoth({ file, base, text }, projectContext, folder, options);
    return await compareStores({ before, after }, options.signal, async (compared, schema) => ({
      ...found,
      state: 'compared',
      changes: compared.changes,
      schema,
      ...(options.rows !== undefined && { rows: await allRows(compared, options.rows) }),
      ...(options.conditions.length > 0 && { conditions: evaluateConditions(options.conditions, compared) }),
    }));
  } catch (error) {
    throw new OperationError(toImportFailure(error, file, options.signal), error);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

interface BothTexts {
  readonly file: GraphFile;
  readonly base: EffectBase;
  readonly text: string;
}

/** The base first: its rows are those of the last import more often. */
async function buildBoth(
  { file, base, text }: BothTexts,
  projectContext: ProjectContext,
  folder: string,
  { isOffline, signal, onProgress }: EffectOptions,
): Promise<{ readonly before: string; readonly after: string }> {
  const shared = createSharedRead(randomUUID());
  const build = async (each: GraphFile, side: 'base' | 'file', rows?: string): Promise<BuiltText> => {
    const progress = createProgress((reached) => onProgress(reached, side));
    const work: TextBuild = { projectContext, progress, signal, folder: join(folder, side), shared, rows, isOffline };
    return buildText(each, work).finally(() => progress.end());
  };
  const before = await build({ path: file.path, text }, 'base').catch((error: unknown) => {
    // Ranges are those of a text that nobody has open.
    const { range, ...failure } = toImportFailure(error, { path: file.path, text }, signal);
    if (failure.code === 'cancelled' || failure.code === 'fetch-first') throw new OperationError(failure, error);
    const place = range && failure.file === file.path ? `line ${range.start.line + 1}: ` : '';
    throw new OperationError({ ...failure, message: `${baseText(base)}: ${place}${failure.message}` }, error);
  });
  const after = await build(file, 'file', isOffline ? undefined : before.rows);
  return { before: before.store, after: after.store };
}

/** The base in words. */
export function baseText({ kind, name, path, commit = '' }: EffectBase): string {
  if (kind === 'last') return 'The text of the last import';
  return kind === 'file' ? `The base ${path}` : `The base ${name} (${commit.slice(0, 10)})`;
}

async function allRows(compared: ComparedChanges, limit: number): Promise<readonly ChangedRows[]> {
  const found: ChangedRows[] = [];
  for (const part of changeParts) {
    for (const kind of kindsOfPart[part]) {
      const rows = await compared.rows(part, kind, limit);
      if (rows.rows.length > 0) found.push(rows);
    }
  }
  return found;
}
