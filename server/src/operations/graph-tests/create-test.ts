import { basename, dirname, join } from 'node:path';
import type { Outcome } from '../../../../protocol/query-results.ts';
import type { NewTest, WrittenTest } from '../../../../protocol/test-rows.ts';
import { sourceOrigin } from '../../connectors/source-origin.ts';
import { dialectNamed } from '../../dialects/index.ts';
import {
  freeTestName,
  maskedRows,
  type NewTestParts,
  newTestFile,
  newTestLines,
  noExpectations,
  testInsertion,
} from '../../graph-tests/new-test.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { type GraphFile, type ProjectContext, openProject, readGraphFile } from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import type { GraphTestReport } from './test-report.ts';

/** Runs tests of a file with this text. */
type RunTests = (file: GraphFile, only: readonly string[]) => Promise<Outcome<GraphTestReport>>;

/**
 * Creates a test with given rows that expects their results, for the test file beside the graph. Writes nothing.
 * Rejects with an `OperationError`.
 */
export async function createTest(
  file: GraphFile,
  { name: wanted, objects, missing, masked, rule }: NewTest,
  projectContext: ProjectContext,
  run: RunTests,
): Promise<Omit<WrittenTest, 'uri' | 'version'> & { readonly path: string }> {
  const path = testFileOf(file.path);
  const before = await readGraphFile(path, projectContext).catch(() => undefined);
  const tests = before ? parseGraphTests(before.text) : { tests: [] };
  const name = freeTestName(wanted, tests);
  const { source } = await openProject(file, projectContext);
  const { types } = dialectNamed(sourceOrigin(source).dialect);
  const parts = {
    name,
    types,
    objects: maskedRows({ objects, masked }),
    missing,
    rule,
  };
  const insertion = (expect: NewTestParts['expect'], broken?: string): { offset?: number; text: string } => {
    const lines = newTestLines({ ...parts, expect, broken });
    if (!before || before.text.trim() === '') return { text: newTestFile(basename(file.path), lines) };
    const inserted = testInsertion(lines, tests, before.text);
    if (inserted) return inserted;
    throw new OperationError({
      code: 'edit-refused',
      message: `${basename(path)} has no list of tests that one could be added to.`,
      file: path,
      remedy: 'Write tests: with a first test as an item with a dash.',
    });
  };
  const first = insertion(noExpectations);
  const text = textWith(before?.text ?? '', first);
  const outcome = await run({ path, text }, [name]);
  if (!outcome.ok) throw new OperationError(outcome.error);
  const [result] = outcome.value.tests;
  if (!result || result.outcome === 'not run') {
    return { path, ...first, notRun: result?.reason };
  }
  const lists: Record<string, readonly string[] | string> = { ...noExpectations };
  let broken: string | undefined;
  const base = first.offset ?? 0;
  for (const { actual, edits = [], message } of result.failures) {
    const [edit] = edits;
    // If the graph cannot be built from the rows, fails with the reason.
    if (!edit || actual === undefined) throw new OperationError({ code: 'build-failed', message, file: file.path });
    const key = /(\w+): $/.exec(first.text.slice(0, edit.start - base))?.[1];
    if (key === 'broken') broken = edit.text;
    else if (key !== undefined) lists[key] = actual.split('\n').map((line) => line.replace(/^- /, ''));
  }
  return { path, ...insertion(lists, broken) };
}

function testFileOf(graph: string): string {
  return join(dirname(graph), `${basename(graph).replace(/\.entity\.(?:ya?ml|json)$/i, '')}.entity.test.yaml`);
}

function textWith(before: string, { offset, text }: { readonly offset?: number; readonly text: string }): string {
  return offset === undefined ? text : before.slice(0, offset) + text + before.slice(offset);
}
