import type { GraphTests } from '../../graph-tests/graph-tests.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { graphTestProblems } from '../../graph-tests/test-problems.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { toFailure } from '../operation-error.ts';
import { withGivenFiles } from './given-files.ts';
import { type OpenTestedOptions, type OpenedGraph, openTestedGraph } from './open-tested-graph.ts';

/** A file of tests with the rows of the files that it names, its graph, and all problems in text order. */
interface ReadTests {
  readonly file: GraphTests;
  /** Absent when it cannot be opened, which is a problem. */
  readonly graph?: OpenedGraph | undefined;
  readonly problems: readonly Problem[];
}

/** The problems of a file of tests, without running it. */
export async function problemsOfTests(
  { path, text }: GraphFile,
  projectContext: ProjectContext,
): Promise<readonly Problem[]> {
  return (await readTests({ path, text }, projectContext, { signal: new AbortController().signal })).problems;
}

export async function readTests(
  { path, text }: GraphFile,
  projectContext: ProjectContext,
  options: OpenTestedOptions,
): Promise<ReadTests> {
  const read = await withGivenFiles(path, parseGraphTests(text));
  const { file } = read;
  const opened = await openOrProblem(path, file, projectContext, options);
  const problems = [...graphTestProblems(file, opened.graph), ...read.problems, ...opened.problems];
  return {
    file,
    graph: opened.graph,
    problems: problems.toSorted((left, right) => left.range.start - right.range.start),
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
  options: OpenTestedOptions,
): Promise<OpenOutcome> {
  try {
    return { graph: await openTestedGraph(path, file, projectContext, options), problems: [] };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { problems: [graphProblem(error, file)] };
  }
}

/** Why the graph of a file of tests cannot be opened. */
export function graphProblem(error: unknown, { graph }: Pick<GraphTests, 'graph'>): Problem {
  const { message, remedy } = toFailure(error);
  const text = remedy === undefined ? message : `${message} ${remedy}`;
  return { code: 'schema-value', severity: 'error', message: text, range: graph?.range ?? { start: 0, end: 0 } };
}
