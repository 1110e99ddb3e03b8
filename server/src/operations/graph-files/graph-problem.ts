import type { Failure } from '../../../../protocol/query-results.ts';
import { dataSourceProblem } from '../../language/checks/unknown-data-source.ts';
import type { DataSources } from '../../model/data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { textRange } from '../../project/text-range.ts';

/**
 * The facts of a text that determine whether it is a graph; small enough to be cached for every file of a workspace.
 */
export interface GraphBasics {
  readonly dataSource: ParsedEntityGraph['graph']['dataSource'];
  /** The first syntax error. */
  readonly mistake: Problem | undefined;
}

export function graphBasics({ graph, problems }: ParsedEntityGraph): GraphBasics {
  const { value, range } = graph.dataSource ?? {};
  return {
    // A copy: places of an open graph move with its edits, and hold its nodes.
    dataSource: value === undefined || !range ? undefined : { value, range: { start: range.start, end: range.end } },
    mistake: problems.find(({ severity }) => severity === 'error'),
  };
}

/**
 * Why a graph cannot be imported, independent of the data: its text is unreadable, or its source does not exist.
 * Missing fields are reported elsewhere.
 * @param sources of the graph; undefined without a sources file.
 */
export function graphProblem(
  { dataSource, mistake }: GraphBasics,
  text: string,
  sources: DataSources | undefined,
  sourcesAbove?: string,
): Failure | undefined {
  if (mistake) {
    const range = textRange(text, mistake.range);
    return { code: 'yaml-syntax', message: `Line ${range.start.line + 1}: ${mistake.message}`, range };
  }
  if (!dataSource) {
    return {
      code: 'unknown-data-source',
      message: 'The entity graph names no data source.',
      remedy: 'Set dataSource to a name from entity-sources.yaml.',
    };
  }
  const problem = dataSourceProblem(dataSource, sources, sourcesAbove);
  return problem && { code: problem.code, message: problem.message, range: textRange(text, problem.range) };
}
