import { dirname, resolve } from 'node:path';
import type { GraphEffect } from '../../../../protocol/graph-effect.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { lineEdits } from '../../model/edits/line-edits.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { isTestFile, listTestFiles } from '../../project/list-entity-files.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { graphEffect } from '../effect/graph-effect.ts';
import { runGraphTests } from '../graph-tests/run-graph-tests.ts';
import type { GraphTestReport } from '../graph-tests/test-report.ts';
import { toFailure } from '../operation-error.ts';
import { type ValidatedFile, validateFile } from '../validation/validate.ts';
import { withEdits } from './edits-of-meaning.ts';

/** A text of a file, or edits of what the saved text means. */
export type ProposedChange = { readonly text: string } | { readonly edits: unknown };

export interface ProposeOptions {
  readonly signal: AbortSignal;
  /** Also builds the graph. */
  readonly withEffect: boolean;
  /** The effect is that on the rows that the last import has kept. */
  readonly isOffline: boolean;
}

/** What a change would do to a file, which is not written. */
export interface Proposal {
  readonly file: string;
  readonly text: string;
  /** Undefined for a new file. */
  readonly saved: string | undefined;
  /** The whole lines of the saved text that differ. */
  readonly edits: readonly TextEdit[];
  readonly validated: ValidatedFile;
  /** Whether there are errors that the saved text does not have. */
  readonly hasNewErrors: boolean;
  readonly tests: readonly GraphTestReport[];
  readonly effect?: GraphEffect | { readonly error: Failure };
}

/** Validates a change of an entity graph or file of tests, and runs its tests. Rejects with an `OperationError`. */
export async function proposeEdit(
  path: string,
  change: ProposedChange,
  projectContext: ProjectContext,
  { signal, withEffect, isOffline }: ProposeOptions,
): Promise<Proposal> {
  const saved = await savedText(path, projectContext, 'edits' in change);
  const text = 'text' in change ? change.text : withEdits(path, saved ?? '', change.edits);
  const proposed = withText(projectContext, path, text);
  const was = saved === undefined ? undefined : await validateFile(path, projectContext, { online: false, signal });
  const validated = await validateFile(path, proposed, { online: false, signal });
  const proposal = {
    file: path,
    text,
    saved,
    edits: lineEdits(saved ?? '', text),
    validated,
    hasNewErrors: hasNewErrors(was, validated),
    tests: await testsOf(path, proposed, signal),
  };
  if (!withEffect || isTestFile(path)) return proposal;
  return { ...proposal, effect: await effectOf(path, proposed, { signal, isOffline }) };
}

async function savedText(path: string, projectContext: ProjectContext, isNeeded: boolean): Promise<string | undefined> {
  try {
    return (await readGraphFile(path, projectContext)).text;
  } catch (error) {
    if (isNeeded || toFailure(error).code !== 'file-missing') throw error;
    return undefined;
  }
}

function withText(projectContext: ProjectContext, path: string, text: string): ProjectContext {
  const { openText } = projectContext;
  return { ...projectContext, openText: (asked) => (asked === path ? text : openText?.(asked)) };
}

/** Whether there are more errors of the same words than before. */
function hasNewErrors(was: ValidatedFile | undefined, is: ValidatedFile): boolean {
  const wordsOf = (file: ValidatedFile | undefined): readonly string[] =>
    (file?.problems ?? []).flatMap(({ severity, code, message }) =>
      severity === 'error' ? [JSON.stringify([code, message])] : [],
    );
  const left = new Map<string, number>();
  for (const words of wordsOf(was)) left.set(words, (left.get(words) ?? 0) + 1);
  return wordsOf(is).some((words) => {
    const count = left.get(words) ?? 0;
    left.set(words, count - 1);
    return count === 0;
  });
}

/** Those of a file of tests, or of the files in and below the folder of an entity graph that name it. */
async function testsOf(
  path: string,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<readonly GraphTestReport[]> {
  const files = isTestFile(path) ? [path] : await testFilesOf(path, projectContext);
  const reports: GraphTestReport[] = [];
  for (const each of files) reports.push(await runGraphTests(each, projectContext, { signal }));
  return reports;
}

async function testFilesOf(path: string, projectContext: ProjectContext): Promise<readonly string[]> {
  const all = await listTestFiles(dirname(path)).catch(() => []);
  const named = await Promise.all(
    all.map(async (each) => {
      const file = await readGraphFile(each, projectContext).catch(() => undefined);
      const graph = file && parseGraphTests(file.text).graph?.value;
      return graph !== undefined && resolve(dirname(each), graph) === path;
    }),
  );
  return all.filter((_, index) => named[index]);
}

async function effectOf(
  path: string,
  projectContext: ProjectContext,
  { signal, isOffline }: Pick<ProposeOptions, 'signal' | 'isOffline'>,
): Promise<NonNullable<Proposal['effect']>> {
  try {
    const file = await readGraphFile(path, projectContext);
    const options = { base: 'last', isOffline, conditions: [], attributes: false, signal };
    return await graphEffect(file, projectContext, { ...options, onProgress: () => undefined });
  } catch (error) {
    signal.throwIfAborted();
    return { error: toFailure(error) };
  }
}
