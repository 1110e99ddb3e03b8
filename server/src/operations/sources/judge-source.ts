import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowExpectationResult } from '../../../../protocol/import-progress.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import { judgeSourceRows } from '../../import/judge-source-rows.ts';
import { type ImportPlan, planRows } from '../../import/plan-import.ts';
import { type ProgressReporter, createProgress } from '../../import/progress.ts';
import { expectingGraph } from '../../model/expecting-rows.ts';
import type { RowExpectations } from '../../model/entity-graph.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type Project, type ProjectContext, openProject, readGraphFile } from '../../project/open-project.ts';
import { toGraphFailure } from '../imports/import-failure.ts';
import { validPlan } from '../imports/import-plan.ts';
import { openSources } from '../imports/open-sources.ts';
import { OperationError, problemFailure } from '../operation-error.ts';
import type { JudgedGraph } from '../stored-graphs/judge-graph.ts';
import { expectationName, expectationViolations } from './expectation-words.ts';

/**
 * Asks the data sources of an entity graph whether their rows are as `expect` says, without an import: the rows are read
 * in one snapshot into a temporary folder, and nothing is written to the sources. Rejects with an `OperationError`:
 * `no-rules` if the file expects nothing, or why the rows could not be read.
 */
export async function judgeSource(
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
      remedy: 'Write some: expect, docs/process-rules.md.',
    });
  }
  const progress = createProgress(({ step, message }) => onProgress(`${step}: ${message}`));
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-rules-'));
  try {
    const { plan, results } = await judged(whole, graph, projectContext, { progress, signal, folder });
    return {
      file,
      results: results.map((result) => ruleResult(result, plan)),
      places: results.map((result) => placeOf(result, plan)),
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
  graph: Project['parsed']['graph'],
  projectContext: ProjectContext,
  { progress, signal, folder }: Work,
): Promise<{ readonly plan: ImportPlan; readonly results: readonly RowExpectationResult[] }> {
  // A mistake anywhere in the file may change what its expectations mean, so all of it is checked.
  const opened = await openSources(whole, projectContext, { signal, mayReuse: true });
  try {
    validPlan(whole, opened.catalog);
    const planned = planRows(graph, opened.catalog);
    if ('problems' in planned) throw problemFailure(planned.problems, whole.file);
    const { plan } = planned;
    const results = await judgeSourceRows({
      plan: { ...plan, elements: plan.elements.map(({ identity: _, ...element }) => element) },
      sources: opened.sources,
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
    return { plan, results };
  } finally {
    await opened.close();
  }
}

function ruleResult(result: RowExpectationResult, plan: ImportPlan): RuleResult {
  const { judged, broken, holds, expectation, severity = 'warning' } = result;
  return {
    name: expectationName(result),
    severity,
    // The number of rows is judged once.
    judged: expectation === 'rows' ? 1 : judged,
    broken,
    pending: 0,
    undecided: 0,
    share: expectation === 'rows' ? 1 - broken : judged === 0 ? null : (judged - broken) / judged,
    atLeast: 1,
    holds,
    sql: entryOf(result, plan)?.query.sql ?? '',
    violations: expectationViolations(result).map((violation) => ({ entity: null, ...violation })),
  };
}

function placeOf(result: RowExpectationResult, plan: ImportPlan): SourceRange {
  const expect = entryOf(result, plan)?.expect;
  return (expect && rangeOf(result, expect)) ?? expect?.range ?? { start: 0, end: 0 };
}

function rangeOf(
  { expectation, index }: RowExpectationResult,
  { unique, notNull, values, rows }: RowExpectations,
): SourceRange | undefined {
  switch (expectation) {
    case 'unique':
      return unique[index]?.[0]?.range;
    case 'notNull':
      return notNull[index]?.range;
    case 'values':
      return values[index]?.column.range;
    case 'rows':
      return rows?.range;
  }
}

function entryOf(
  { element, isOfEntities }: RowExpectationResult,
  { elements, entities }: ImportPlan,
): { readonly query: { readonly sql: string }; readonly expect?: RowExpectations | undefined } | undefined {
  if (isOfEntities === true) {
    const found = entities.find(({ name }) => name === element);
    return found && { query: found.query, expect: found.entry.expect };
  }
  const found = elements.find(({ activityName }) => activityName === element);
  return found && { query: found.query, expect: found.element.expect };
}
