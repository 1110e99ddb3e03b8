import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { GraphTest, GraphTests } from '../../graph-tests/graph-tests.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { graphTestProblems } from '../../graph-tests/test-problems.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import { dataSourcesRead } from '../../model/data-sources-used.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { validPlan } from '../imports/import-plan.ts';
import { toFailure } from '../operation-error.ts';
import { withGivenFiles } from './given-files.ts';
import { type OpenedGraph, openTestedGraph } from './open-tested-graph.ts';
import { graphFailureText, runGraphTest } from './run-graph-test.ts';
import type { GraphTestReport, TestFailure, TestResult } from './test-report.ts';

export interface RunGraphTestsOptions {
  readonly signal: AbortSignal;
  /** Names of the tests to run; default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly onResult?: ((result: TestResult) => void) | undefined;
}

/**
 * Runs the tests of a file, one after another, in this process and without a server. A mistake in the file is a failure
 * of the tests that it concerns. Rejects when the file cannot be read, or with the signal's reason.
 */
export async function runGraphTests(
  path: string,
  projectContext: ProjectContext,
  { signal, only, onResult }: RunGraphTestsOptions,
): Promise<GraphTestReport> {
  const { text } = await readGraphFile(path, projectContext);
  const read = await withGivenFiles(path, parseGraphTests(text));
  const { file } = read;
  const opened = await openOrProblem(path, file, projectContext, signal);
  const problems = [...graphTestProblems(file, opened.graph), ...read.problems, ...opened.problems].toSorted(
    (left, right) => left.range.start - right.range.start,
  );
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
  const results: TestResult[] = [];
  try {
    const planOf = opened.graph && createPlanner(opened.graph, file);
    for (const test of file.tests) {
      if (only && !only.has(nameOf(test))) continue;
      signal.throwIfAborted();
      const started = performance.now();
      const outcome = await outcomeOf(test);
      const durationMs = Math.round(performance.now() - started);
      const result = { name: nameOf(test), range: test.name?.range ?? test.range, ...outcome, durationMs };
      results.push(result);
      onResult?.(result);
    }

    async function outcomeOf(test: GraphTest): Promise<Pick<TestResult, 'outcome' | 'reason' | 'failures'>> {
      const mistakes = problems.filter(({ range }) => concerns(range, test, file));
      if (mistakes.length > 0) return failed(mistakes.map(({ message, range }) => ({ message, range })));
      const { graph } = opened;
      if (!graph || !planOf) return failed([{ message: 'The file names no graph.', range: test.range }]);
      const { kind } = graph;
      if (!isRunnable(kind)) return { outcome: 'not run', reason: notRunReason(kind), failures: [] };
      const sources = dataSourcesRead(graph.graph);
      if (sources.length > 1) return { outcome: 'not run', reason: severalSourcesReason(sources), failures: [] };
      const planned = planOf(test);
      if ('failure' in planned) return failed([planned.failure]);
      return failed(
        await runGraphTest({ opened: { ...graph, kind }, plan: planned.plan, test, text, temporaryFolder, signal }),
      );
    }
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
  return { path, text, problems, tests: results };
}

function failed(failures: readonly TestFailure[]): Pick<TestResult, 'outcome' | 'failures'> {
  return { outcome: failures.length === 0 ? 'passed' : 'failed', failures };
}

/** Queries of these kinds run in the embedded engine. */
function isRunnable(kind: SourceKind | undefined): kind is SourceKind {
  return kind !== undefined && dialectNamed(kind.dialect).isEmbedded;
}

function notRunReason(kind: SourceKind | undefined): string {
  return `Tests of graphs on ${kind?.label ?? 'this data source'} cannot be run yet: their SQL runs on the source only.`;
}

function severalSourcesReason(sources: readonly string[]): string {
  return `Tests of graphs on several data sources (${sources.join(', ')}) cannot be run yet.`;
}

/** The plan is made anew only where the catalog differs, which takes longer than a small import. */
function createPlanner(
  opened: OpenedGraph,
  file: GraphTests,
): (test: GraphTest) => { readonly plan: ImportPlan } | { readonly failure: TestFailure } {
  const plans = new Map<string, ImportPlan>();
  return (test) => {
    const catalog = opened.catalogOf(test);
    const key = JSON.stringify(catalog.objects.map(({ name, columns, primaryKey }) => [name, columns, primaryKey]));
    try {
      const plan = plans.get(key) ?? validPlan(opened.project, catalog);
      plans.set(key, plan);
      return { plan };
    } catch (error) {
      const message = graphFailureText(toFailure(error), opened.project.file);
      return { failure: { message, range: file.graph?.range ?? test.range } };
    }
  };
}

interface OpenOutcome {
  readonly graph?: OpenedGraph | undefined;
  readonly problems: readonly Problem[];
}

async function openOrProblem(
  path: string,
  file: GraphTests,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<OpenOutcome> {
  try {
    return { graph: await openTestedGraph(path, file, projectContext, signal), problems: [] };
  } catch (error) {
    signal.throwIfAborted();
    const { message, remedy } = toFailure(error);
    const text = remedy === undefined ? message : `${message} ${remedy}`;
    const range = file.graph?.range ?? { start: 0, end: 0 };
    return { problems: [{ code: 'schema-value', severity: 'error', message: text, range }] };
  }
}

/** A problem outside of all tests concerns each of them. */
function concerns(range: SourceRange, test: GraphTest, { tests }: GraphTests): boolean {
  const isIn = (each: GraphTest): boolean => range.start >= each.range.start && range.start < each.range.end;
  return isIn(test) || !tests.some(isIn);
}

function nameOf({ name, index }: GraphTest): string {
  return name?.value ?? `test ${index + 1}`;
}
