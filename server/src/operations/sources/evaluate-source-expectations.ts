import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowExpectationResult } from '../../../../protocol/import-progress.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import { type JudgedExpectation, evaluateSourceRows } from '../../import/evaluate-source-rows.ts';
import { expectingGraph, planExpectedRows } from '../../import/plan-expected-rows.ts';
import { type ProgressReporter, createProgress } from '../../import/progress.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { expectationRange, expectingEntries } from '../../model/expectation-place.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { type Project, type ProjectContext, openProject, readGraphFile } from '../../project/open-project.ts';
import { toGraphFailure } from '../imports/import-failure.ts';
import { firstMistake } from '../imports/import-plan.ts';
import { openSources } from '../imports/open-sources.ts';
import { OperationError, problemFailure } from '../operation-error.ts';
import type { JudgedGraph } from '../stored-graphs/judge-graph.ts';
import { expectationName, expectationViolations } from '../../language/expectation-words.ts';

/**
 * Judges the expectations of an entity graph by the rows of its data sources, without an import: the rows are read in
 * one snapshot into a temporary folder, and nothing is written to the sources. Rejects with an `OperationError`:
 * `no-rules` if the file expects nothing, or why the rows could not be read.
 */
export async function evaluateSourceExpectations(
  path: string,
  projectContext: ProjectContext,
  { onProgress, signal }: { readonly onProgress: (label: string) => void; readonly signal: AbortSignal },
): Promise<JudgedGraph> {
  const file = await readGraphFile(path, projectContext);
  const whole = await openProject(file, projectContext);
  const graph = expectingGraph(whole.parsed.graph);
  if (graph.elements.length + graph.entities.length === 0) {
    throw new OperationError({
      code: 'no-rules',
      message: `${path} expects nothing of the rows of its sources.`,
      file: path,
      remedy: 'Add expect to an element or an entry of entities: see docs/process-rules.md.',
    });
  }
  const progress = createProgress(({ step, message }) => onProgress(`${step}: ${message}`));
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-rules-'));
  try {
    const results = inFileOrder(await judged(whole, graph, projectContext, { progress, signal, folder }), graph);
    return {
      file,
      brokenCode: 'expectation-broken',
      results: results.map(ruleResult),
      places: results.map(({ result }) => placeOf(result, graph)),
      measures: [],
      measurePlaces: [],
    };
  } catch (error) {
    signal.throwIfAborted();
    throw new OperationError(
      toGraphFailure(error, file, signal, (said) => ({
        code: 'build-failed',
        message: `The rows could not be judged: ${said}`,
      })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  readonly folder: string;
}

async function judged(
  whole: Project,
  graph: EntityGraph,
  projectContext: ProjectContext,
  { progress, signal, folder }: Work,
): Promise<readonly JudgedExpectation[]> {
  // Only data sources whose rows have expectations are contacted.
  const asked = { ...whole, parsed: { ...whole.parsed, graph } };
  const { sources, catalog, close } = await openSources(asked, projectContext, { signal, mayReuse: true });
  try {
    // A mistake anywhere in the file may change the meaning of its expectations, so the whole file is checked.
    const known = combineCatalogs(whole.parsed.graph, whole.sourcesFile.sources, (dataSource) =>
      catalogOf(catalog, { dataSource: dataSource.name }),
    );
    const mistake = firstMistake(whole.file, whole.parsed, whole.sourcesFile, known);
    if (mistake) throw mistake;
    const planned = planExpectedRows(graph, catalog);
    if ('problems' in planned) throw problemFailure(planned.problems, whole.file);
    return await evaluateSourceRows(planned.reads, {
      sources,
      folder: { path: folder, rows: join(folder, 'rows.duckdb'), store: join(folder, 'graph.duckdb') },
      request: { kind: 'build', isFull: true },
      run: {
        id: 'rules',
        entity: 'rules',
        config: '',
        configHash: '',
        dataSource: whole.source.name.value,
        started: new Date().toISOString(),
        versions: {},
      },
      progress,
      signal,
    });
  } finally {
    await close();
  }
}

/** Sorts results like an import: entries whose rows are read together may be far apart in the file. */
function inFileOrder(
  results: readonly JudgedExpectation[],
  { elements, entities }: EntityGraph,
): readonly JudgedExpectation[] {
  const all = [...elements, ...entities].map(({ expect }) => expect);
  const entryOf = expectingEntries({ elements, entities });
  const placeIn = ({ result }: JudgedExpectation): number => all.indexOf(entryOf(result)?.expect);
  return results.toSorted((one, other) => placeIn(one) - placeIn(other));
}

function ruleResult({ result, sql }: JudgedExpectation): RuleResult {
  const { broken, holds, expectation, severity = 'warning' } = result;
  // The number of rows is judged once.
  const judged = expectation === 'rows' ? 1 : result.judged;
  return {
    name: expectationName(result),
    severity,
    judged,
    concerned: judged,
    kept: judged - broken,
    broken,
    pending: 0,
    undecided: 0,
    share: judged === 0 ? null : (judged - broken) / judged,
    atLeast: 1,
    holds,
    sql,
    violations: expectationViolations(result).map((violation) => ({ entity: null, ...violation })),
  };
}

function placeOf(result: RowExpectationResult, graph: EntityGraph): SourceRange {
  const expect = expectingEntries(graph)(result)?.expect;
  return (expect && expectationRange(expect, result)) ?? expect?.range ?? { start: 0, end: 0 };
}
