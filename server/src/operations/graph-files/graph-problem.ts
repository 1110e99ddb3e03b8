import type { Failure } from '../../../../protocol/query-results.ts';
import { dataSourceProblem } from '../../language/checks/unknown-data-source.ts';
import type { DataSources } from '../../model/data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { textRange } from '../../project/text-range.ts';

/** What of a text decides whether it can be a graph at all; small enough to be kept of every file of a workspace. */
export interface GraphBasics {
  readonly dataSource: ParsedEntityGraph['graph']['dataSource'];
  /** The first mistake of syntax. */
  readonly mistake: Problem | undefined;
}

export function graphBasics({ graph, problems }: ParsedEntityGraph): GraphBasics {
  return { dataSource: graph.dataSource, mistake: problems.find(({ severity }) => severity === 'error') };
}

/**
 * Why a graph cannot be imported whatever is in its data source: its text cannot be read, or its source does not exist. What its elements lack
 * is told where they are drawn.
 * @param sources those that hold for it; undefined without a sources file.
 */
export function graphProblem(
  { dataSource, mistake }: GraphBasics,
  text: string,
  sources: DataSources | undefined,
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
  const problem = dataSourceProblem(dataSource, sources);
  return problem && { code: problem.code, message: problem.message, range: textRange(text, problem.range) };
}
