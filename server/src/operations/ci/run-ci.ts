import { dirname, resolve } from 'node:path';
import type { Failure } from '../../../../protocol/query-results.ts';
import { listEntityFiles, listSourcesFiles, listTestFiles } from '../../project/list-entity-files.ts';
import { type ProjectContext, findSources, readGraphFile } from '../../project/open-project.ts';
import { runGraphTests } from '../graph-tests/run-graph-tests.ts';
import { expectationSeverities } from '../../import/row-expectations.ts';
import { importGraph } from '../imports/import-graph.ts';
import { toOutcome } from '../operation-error.ts';
import { checkGraphFile } from '../stored-graphs/check-graph.ts';
import { type ValidatedFile, validateFile } from '../validation/validate.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { isMissed, measureFailsBuild, measureText, missedTexts } from '../../../../protocol/measure-outcome.ts';
import { failsBuild, isBroken, numbersText } from '../../../../protocol/rule-outcome.ts';
import { type JudgedGraph, judgeGraph } from '../stored-graphs/judge-graph.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import type { TestResult } from '../graph-tests/test-report.ts';
import { changedFiles } from './changed-files.ts';
import type { CiFile, CiOutcome, CiReport, CiStep, CiStepName } from './ci-report.ts';

interface CiOptions {
  /** Asks the data sources, imports and checks the graphs, and judges their rules; otherwise files are validated only. */
  readonly online: boolean;
  /** Runs the SQL of tests in the data sources that can run it on given rows, read-only. */
  readonly runsTestsOnline: boolean;
  /** Warnings fail, too. */
  readonly isStrict: boolean;
  /** Tests that cannot be run here do not fail. */
  readonly mayNotRunTests: boolean;
  /** A commit: only graphs that have changed since, or whose data sources file has. */
  readonly changedSince?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (step: string) => void;
}

/**
 * Validates, imports and checks the entity graphs in and below a folder, one after another. A failed step ends the
 * steps of its graph, not those of the others. Rejects when `signal` is aborted, and with an `OperationError` if
 * changes cannot be determined.
 */
export async function runCi(folder: string, projectContext: ProjectContext, options: CiOptions): Promise<CiReport> {
  const root = resolve(folder);
  const graphs = await listEntityFiles(root);
  const sources = await listSourcesFiles(root);
  const changed = options.changedSince === undefined ? undefined : await changedFiles(root, options.changedSince);
  const files: CiFile[] = [];
  for (const path of sources) {
    if (changed && !changed.has(path)) continue;
    files.push(await validateOnly(path, projectContext, options));
  }
  let unchanged = 0;
  for (const path of graphs) {
    if (changed && !changed.has(path) && !changed.has((await findSources(path, projectContext))?.path ?? path)) {
      unchanged += 1;
      continue;
    }
    files.push(await runGraph(path, projectContext, options));
  }
  const run = new Set(files.map(({ validated }) => validated.path));
  for (const path of await listTestFiles(root)) {
    const tests = await runTests(
      path,
      projectContext,
      options,
      (graph) => !changed || changed.has(path) || run.has(graph),
    );
    if (tests) files.push(tests);
  }
  return { folder: root, files, unchanged };
}

async function validateOnly(path: string, projectContext: ProjectContext, options: CiOptions): Promise<CiFile> {
  const { step, validated } = await validate(path, projectContext, { ...options, online: false });
  return { kind: 'sources', validated, steps: [step] };
}

/** Undefined for tests of a graph that is left out. @param isWanted whether to run the tests of a graph, by its path */
async function runTests(
  path: string,
  projectContext: ProjectContext,
  { signal, mayNotRunTests, runsTestsOnline, onProgress }: CiOptions,
  isWanted: (graph: string) => boolean,
): Promise<CiFile | undefined> {
  onProgress?.(`test ${path}`);
  const begun = performance.now();
  const read = await toOutcome(() => readGraphFile(path, projectContext), signal);
  const graph = read.ok ? parseGraphTests(read.value.text).graph?.value : undefined;
  if (!isWanted(resolve(dirname(path), graph ?? ''))) return undefined;
  const outcome = await toOutcome(
    () => runGraphTests(path, projectContext, { signal, isOnline: runsTestsOnline }),
    signal,
  );
  signal.throwIfAborted();
  const durationMs = Math.round(performance.now() - begun);
  if (!outcome.ok) {
    const validated = { path, text: '', problems: [], notes: [] };
    return { kind: 'tests', validated, steps: [{ name: 'test', durationMs, ...failedStep(outcome.error) }] };
  }
  const tests = outcome.value;
  const count = (wanted: TestResult['outcome']): number =>
    tests.tests.filter(({ outcome }) => outcome === wanted).length;
  const [failed, notRun] = [count('failed'), count('not run')];
  const isFailed =
    failed > 0 || tests.tests.length === 0 || tests.problems.length > 0 || (notRun > 0 && !mayNotRunTests);
  const detail = [`${count('passed')} passed`, `${failed} failed`, ...(notRun > 0 ? [`${notRun} not run`] : [])].join(
    ', ',
  );
  return {
    kind: 'tests',
    validated: { path, text: tests.text, problems: tests.problems, notes: [] },
    steps: [{ name: 'test', outcome: isFailed ? 'failed' : 'passed', durationMs, detail, messages: [] }],
    tests,
  };
}

async function runGraph(path: string, projectContext: ProjectContext, options: CiOptions): Promise<CiFile> {
  const { step, validated } = await validate(path, projectContext, options);
  const steps = [step];
  let judged: JudgedGraph | undefined;
  const add = async (name: CiStepName, work: () => Promise<Omit<CiStep, 'name' | 'durationMs'>>): Promise<void> => {
    options.signal.throwIfAborted();
    const failed = steps.find(({ outcome }) => outcome !== 'passed');
    if (failed) {
      steps.push({
        name,
        outcome: 'not run',
        durationMs: 0,
        detail: `${failed.name} ${wordOf(failed.outcome)}`,
        messages: [],
      });
      return;
    }
    options.onProgress?.(`${name} ${path}`);
    const begun = performance.now();
    const done = await work();
    steps.push({ name, durationMs: Math.round(performance.now() - begun), ...done });
  };
  if (options.online) {
    await add('import', () => importStep(path, projectContext, options));
    await add('check', () => checkStep(path, projectContext, options));
    const { rules, measures } = parseEntityGraph(validated.text).graph;
    if (rules.length + measures.length > 0) {
      await add('rules', async () => {
        const done = await rulesStep(path, projectContext, options);
        judged = done.judged;
        return done.step;
      });
    }
  }
  return { kind: 'graph', validated, steps, judged };
}

function wordOf(outcome: CiOutcome): string {
  return outcome === 'failed' ? 'failed' : 'was not run';
}

async function validate(
  path: string,
  projectContext: ProjectContext,
  { online, isStrict, signal, onProgress }: CiOptions,
): Promise<{ readonly step: CiStep; readonly validated: ValidatedFile }> {
  onProgress?.(`validate ${path}`);
  const begun = performance.now();
  const outcome = await toOutcome(() => validateFile(path, projectContext, { online, signal }), signal);
  signal.throwIfAborted();
  const durationMs = Math.round(performance.now() - begun);
  if (!outcome.ok) {
    const validated = { path, text: '', problems: [], notes: [] };
    return { validated, step: { name: 'validate', durationMs, ...failedStep(outcome.error) } };
  }
  const { problems, notes } = outcome.value;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.filter(({ severity }) => severity === 'warning').length;
  const isFailed = errors > 0 || (isStrict && warnings > 0);
  const detail = [counted(errors, 'error'), counted(warnings, 'warning')].filter((text) => text !== '').join(', ');
  return {
    validated: outcome.value,
    step: {
      name: 'validate',
      outcome: isFailed ? 'failed' : 'passed',
      durationMs,
      detail: detail === '' ? 'no problems' : detail,
      messages: notes,
    },
  };
}

async function importStep(
  path: string,
  projectContext: ProjectContext,
  { signal, isStrict, onProgress }: CiOptions,
): Promise<Omit<CiStep, 'name' | 'durationMs'>> {
  const read = await toOutcome(() => readGraphFile(path, projectContext), signal);
  if (!read.ok) return failedStep(read.error);
  const outcome = await importGraph(read.value, projectContext, {
    request: { kind: 'build' },
    onProgress: ({ step, message }) => onProgress?.(`import ${path}: ${step}, ${message}`),
    signal,
  });
  signal.throwIfAborted();
  if (outcome.status !== 'imported') return failedStep(outcome.error);
  const { totals, warnings, expectations = [] } = outcome;
  const isBrokenError = expectations.some(({ holds, severity }) => !holds && severity === 'error');
  const severities = expectationSeverities(expectations);
  return {
    outcome: isBrokenError || (isStrict && warnings.length > 0) ? 'failed' : 'passed',
    detail: [
      counted(totals.events, 'event'),
      counted(totals.entities, 'entity', 'entities'),
      counted(warnings.length, 'warning'),
    ]
      .filter((text) => text !== '')
      .join(', '),
    messages: warnings.map((warning) => `${severities.get(warning) ?? 'warning'}: ${warning}`).toSorted(errorsFirst),
  };
}

/** The reason why the step failed comes first. */
function errorsFirst(one: string, other: string): number {
  return Number(other.startsWith('error: ')) - Number(one.startsWith('error: '));
}

async function checkStep(
  path: string,
  projectContext: ProjectContext,
  { signal }: CiOptions,
): Promise<Omit<CiStep, 'name' | 'durationMs'>> {
  const outcome = await toOutcome(() => checkGraphFile(path, projectContext, signal), signal);
  signal.throwIfAborted();
  if (!outcome.ok) {
    // A graph inside its source was checked there, as a part of the import.
    if (outcome.error.code === 'graph-in-source')
      return { outcome: 'not run', detail: 'the graph is in its source', messages: [] };
    return failedStep(outcome.error);
  }
  const { results } = outcome.value;
  const failed = results.filter(({ ok }) => !ok);
  return {
    outcome: failed.length > 0 ? 'failed' : 'passed',
    detail: failed.length > 0 ? `${failed.length} of ${results.length} points fail` : `${results.length} points hold`,
    messages: failed.map(({ name, violations, examples }) => `${name}: ${violations}, such as ${examples.join('; ')}`),
  };
}

function failedStep({ message, remedy }: Failure): Omit<CiStep, 'name' | 'durationMs'> {
  return { outcome: 'failed', detail: '', messages: [remedy === undefined ? message : `${message} ${remedy}`] };
}

/** A count with its noun; an empty text for 0. */
function counted(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

async function rulesStep(
  path: string,
  projectContext: ProjectContext,
  { signal, isStrict }: CiOptions,
): Promise<{ readonly step: Omit<CiStep, 'name' | 'durationMs'>; readonly judged?: JudgedGraph }> {
  const outcome = await toOutcome(() => judgeGraph(path, projectContext, { limit: 1, signal }), signal);
  signal.throwIfAborted();
  if (!outcome.ok) return { step: failedStep(outcome.error) };
  const { results, measures } = outcome.value;
  const isFailed =
    results.some((result) => failsBuild(result) || (isStrict && isBroken(result))) ||
    measures.some((result) => measureFailsBuild(result) || (isStrict && isMissed(result)));
  const held = `${results.filter(({ holds }) => holds).length} of ${counted(results.length, 'rule')} hold`;
  const missed = measures.filter((result) => isMissed(result) || result.error !== undefined);
  const measured = `${missed.length} of ${counted(measures.length, 'measure')} ${missed.length === 1 ? 'misses its target' : 'miss their targets'}`;
  const step = {
    outcome: isFailed ? ('failed' as const) : ('passed' as const),
    detail: [...(results.length > 0 ? [held] : []), ...(measures.length > 0 ? [measured] : [])].join(', '),
    messages: [
      ...results.filter(({ holds }) => !holds).map((result) => `${result.name}: ${numbersText(result)}`),
      ...missed.map((result) => `${result.name}: ${[measureText(result), ...missedTexts(result)].join(', ')}`),
    ],
  };
  return { step, judged: outcome.value };
}
