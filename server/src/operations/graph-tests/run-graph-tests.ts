import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { GraphTest, GraphTests } from '../../graph-tests/graph-tests.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import { dataSourcesRead } from '../../model/data-sources-used.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { validPlan } from '../imports/import-plan.ts';
import { toFailure } from '../operation-error.ts';
import type { OpenedGraph } from './open-tested-graph.ts';
import { readTests } from './problems-of-tests.ts';
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
  const { file, graph: tested, problems } = await readTests({ path, text }, projectContext, signal);
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
  const results: TestResult[] = [];
  try {
    const planOf = tested && createPlanner(tested, file);
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
      if (!tested || !planOf) return failed([{ message: 'The file names no graph.', range: test.range }]);
      const { kind } = tested;
      if (!isRunnable(kind)) return { outcome: 'not run', reason: notRunReason(kind), failures: [] };
      const sources = dataSourcesRead(tested.graph);
      if (sources.length > 1) return { outcome: 'not run', reason: severalSourcesReason(sources), failures: [] };
      const planned = planOf(test);
      if ('failure' in planned) return failed([planned.failure]);
      return failed(
        await runGraphTest({ opened: { ...tested, kind }, plan: planned.plan, test, text, temporaryFolder, signal }),
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

/** A problem outside of all tests concerns each of them. */
function concerns(range: SourceRange, test: GraphTest, { tests }: GraphTests): boolean {
  const isIn = (each: GraphTest): boolean => range.start >= each.range.start && range.start < each.range.end;
  return isIn(test) || !tests.some(isIn);
}

function nameOf({ name, index }: GraphTest): string {
  return name?.value ?? `test ${index + 1}`;
}
