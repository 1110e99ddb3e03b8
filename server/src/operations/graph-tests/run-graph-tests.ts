import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '../../connectors/connector.ts';
import { isCannotRunError } from '../../connectors/given/given-rows.ts';
import type { GraphTest, GraphTests } from '../../graph-tests/graph-tests.ts';
import { sourcesOf } from '../../graph-tests/tested-graph.ts';
import { createMemoryStaging } from '../../import/memory-staging.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import { testName } from '../../graph-tests/test-name.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type ProjectContext, connectorOf, readGraphFile } from '../../project/open-project.ts';
import { validPlan } from '../imports/import-plan.ts';
import { toFailure } from '../operation-error.ts';
import { type GivenEngines, createGivenEngines } from './given-engines.ts';
import type { OpenedGraph } from './open-tested-graph.ts';
import { readTests } from './problems-of-tests.ts';
import { type SourceReader, graphFailureText, runGraphTest } from './run-graph-test.ts';
import type { GraphTestReport, TestFailure, TestResult } from './test-report.ts';
import type { OpenedSource } from './tested-source.ts';

interface RunGraphTestsOptions {
  readonly signal: AbortSignal;
  /** Names of the tests to run; default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly onResult?: ((result: TestResult) => void) | undefined;
  /** Runs queries in the sources that can run them on given rows, read-only; otherwise no server is contacted. */
  readonly isOnline?: boolean | undefined;
}

/**
 * Runs the tests of a file, one after another, in this process. A mistake in the file is a failure
 * of the tests that it concerns. Rejects when the file cannot be read, or with the signal's reason.
 */
export async function runGraphTests(
  path: string,
  projectContext: ProjectContext,
  { signal, only, onResult, isOnline = false }: RunGraphTestsOptions,
): Promise<GraphTestReport> {
  const { text } = await readGraphFile(path, projectContext);
  const {
    file,
    graph: tested,
    problems,
  } = await readTests({ path, text }, projectContext, {
    signal,
    isOnline,
  });
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
  const connect = (source: DataSource): Promise<Connector> => {
    if (!tested) throw new Error('Only data sources of an opened graph are connected to.');
    return connectorOf(tested.project.sourcesFile, source, projectContext);
  };
  const engines = createGivenEngines(temporaryFolder, isOnline ? connect : undefined);
  const memory = createMemoryStaging(temporaryFolder);
  const results: TestResult[] = [];
  try {
    const planOf = tested && createPlanner(tested, file);
    for (const test of file.tests) {
      if (only && !only.has(testName(test))) continue;
      signal.throwIfAborted();
      const started = performance.now();
      const outcome = await outcomeOf(test);
      const durationMs = Math.round(performance.now() - started);
      const result = { name: testName(test), range: test.name?.range ?? test.range, ...outcome, durationMs };
      results.push(result);
      onResult?.(result);
    }

    async function outcomeOf(test: GraphTest): Promise<Pick<TestResult, 'outcome' | 'reason' | 'failures'>> {
      const mistakes = problems.filter(({ range }) => concerns(range, test, file));
      if (mistakes.length > 0) return failed(mistakes.map(({ message, range }) => ({ message, range })));
      if (!tested || !planOf) return failed([{ message: 'The file names no graph.', range: test.range }]);
      const choice = await chooseReaders(tested, test, engines);
      if ('notRun' in choice) return { outcome: 'not run', reason: choice.notRun, failures: [] };
      const planned = planOf(test);
      if ('failure' in planned) return failed([planned.failure]);
      const { readers } = choice;
      const run = { opened: tested, readers, plan: planned.plan, test, text, memory, signal };
      try {
        return failed(await runGraphTest(run));
      } catch (error) {
        if (!isCannotRunError(error)) throw error;
        return { outcome: 'not run', reason: error.message, failures: [] };
      }
    }
  } finally {
    await engines.close();
    await memory.close();
    await rm(temporaryFolder, { recursive: true, force: true });
  }
  return { path, text, problems, tests: results };
}

function failed(failures: readonly TestFailure[]): Pick<TestResult, 'outcome' | 'failures'> {
  return { outcome: failures.length === 0 ? 'passed' : 'failed', failures };
}

/** The readers of the data sources of a test, or the reason why it cannot run here. */
async function chooseReaders(
  { sources }: OpenedGraph,
  { given }: GraphTest,
  engines: GivenEngines,
): Promise<{ readonly readers: readonly [SourceReader, ...SourceReader[]] } | { readonly notRun: string }> {
  const shared = given.find(({ name }) => sourcesOf(sources, name.value).length > 1);
  if (shared) {
    const names = sourcesOf(sources, shared.name.value).map(({ origin }) => origin.dataSource);
    return {
      notRun: `${shared.name.value} is a data object of ${names.join(' and ')}: whose rows they are is not known.`,
    };
  }
  const readers: SourceReader[] = [];
  for (const source of sources) {
    const { kind } = source;
    const engine = await engines.engineOf(source);
    if (!kind || !engine) return { notRun: notRunReason(source) };
    readers.push({ source, kind, engine });
  }
  const [first, ...others] = readers;
  if (!first) throw new Error('A graph reads at least one data source.');
  return { readers: [first, ...others] };
}

function notRunReason({ kind }: OpenedSource): string {
  const label = kind?.label ?? 'this data source';
  return kind?.capabilities.runsGivenRows
    ? `Tests of graphs on ${label} run in the data source only: give --online, or choose Run Online in the Test Explorer.`
    : `Tests of graphs on ${label} cannot be run.`;
}

/** Reuses the plan while the catalog is the same: planning takes longer than a small import. */
function createPlanner(
  opened: OpenedGraph,
  file: GraphTests,
): (test: GraphTest) => { readonly plan: ImportPlan } | { readonly failure: TestFailure } {
  const plans = new Map<string, ImportPlan>();
  return (test) => {
    const catalog = opened.catalogOf(test);
    const objects = [catalog, ...(catalog.others ?? [])].flatMap((each) => each.objects);
    const key = JSON.stringify(objects.map(({ name, columns, primaryKey }) => [name, columns, primaryKey]));
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
