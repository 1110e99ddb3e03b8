import { basename, dirname, resolve } from 'node:path';
import { kindsOfPart } from '../../../../protocol/graph-changes.ts';
import type { FindingsAnswer } from '../../../../protocol/findings.ts';
import type { GraphEffect } from '../../../../protocol/graph-effect.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import { isEntityFile, listEntityFiles, listSourcesFiles, listTestFiles } from '../../project/list-entity-files.ts';
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
import { findGraphFindings } from '../stored-graphs/find-graph-findings.ts';
import { mostSearchedEvents } from '../stored-graphs/most-searched-events.ts';
import { checkNamedQueries, namedQueries } from '../stored-graphs/named-queries.ts';
import { type JudgedGraph, judgeGraph } from '../stored-graphs/judge-graph.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import type { TestResult } from '../graph-tests/test-report.ts';
import { graphEffect } from '../effect/graph-effect.ts';
import { changedFiles, committedFiles } from './changed-files.ts';
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
  /** Tells what each graph does otherwise than at this commit or branch. @see graphEffect */
  readonly effect?: { readonly base: string; readonly rows?: number | undefined } | undefined;
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
  // Before any work: a base that is not there is a mistake of the call, not of a graph.
  const atBase = options.effect && (await committedFiles(root, options.effect.base));
  const files: CiFile[] = [];
  for (const path of sources) {
    if (changed && !changed.has(path)) continue;
    files.push(await validateOnly(path, projectContext, options));
  }
  let unchanged = 0;
  for (const path of graphs) {
    if (changed && !(await differs(path, changed, projectContext))) {
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
  if (!atBase) return { folder: root, files, unchanged };
  const there = new Set([...graphs, ...files.flatMap(({ effect }) => effect?.base.path ?? [])]);
  return { folder: root, files, unchanged, gone: atBase.filter((path) => isEntityFile(path) && !there.has(path)) };
}

/** Whether a graph, its data sources file or one of its named queries is among the changed files. */
async function differs(path: string, changed: ReadonlySet<string>, projectContext: ProjectContext): Promise<boolean> {
  const sources = await findSources(path, projectContext);
  const queries = await namedQueries({ path });
  return [path, ...(sources ? [sources.path] : []), ...queries.map(({ file }) => file)].some((file) =>
    changed.has(file),
  );
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
  let found: FindingsAnswer | undefined;
  let events = 0;
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
    await add('import', async () => {
      const done = await importStep(path, projectContext, options);
      events = done.events;
      return done.step;
    });
    await add('check', () => checkStep(path, projectContext, options));
    const { rules, measures } = parseEntityGraph(validated.text).graph;
    if (rules.length + measures.length > 0) {
      await add('rules', async () => {
        const done = await rulesStep(path, projectContext, options);
        judged = done.judged;
        return done.step;
      });
    }
    if ((await namedQueries({ path })).length > 0)
      await add('queries', () => queriesStep(path, projectContext, options));
    await add('findings', async () => {
      if (events > mostSearchedEvents) return notSearched;
      const done = await findingsStep(path, projectContext, options);
      found = done.found;
      return done.step;
    });
  }
  const effect =
    options.effect && step.outcome === 'passed' ? await effectStep(path, projectContext, options) : undefined;
  return {
    kind: 'graph',
    validated,
    steps: effect ? [...steps, effect.step] : steps,
    judged,
    found,
    effect: effect?.effect,
  };
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
): Promise<{ readonly step: Omit<CiStep, 'name' | 'durationMs'>; readonly events: number }> {
  const read = await toOutcome(() => readGraphFile(path, projectContext), signal);
  if (!read.ok) return { step: failedStep(read.error), events: 0 };
  const outcome = await importGraph(read.value, projectContext, {
    request: { kind: 'build' },
    onProgress: ({ step, message }) => onProgress?.(`import ${path}: ${step}, ${message}`),
    signal,
  });
  signal.throwIfAborted();
  if (outcome.status !== 'imported') return { step: failedStep(outcome.error), events: 0 };
  const { totals, warnings, expectations = [] } = outcome;
  const isBrokenError = expectations.some(({ holds, severity }) => !holds && severity === 'error');
  const severities = expectationSeverities(expectations);
  const step = {
    outcome: isBrokenError || (isStrict && warnings.length > 0) ? ('failed' as const) : ('passed' as const),
    detail: [
      counted(totals.events, 'event'),
      counted(totals.entities, 'entity', 'entities'),
      counted(warnings.length, 'warning'),
    ]
      .filter((text) => text !== '')
      .join(', '),
    messages: warnings.map((warning) => `${severities.get(warning) ?? 'warning'}: ${warning}`).toSorted(errorsFirst),
  };
  return { step, events: totals.events };
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

/** A build must not wait for a search of minutes. */
const notSearched: Omit<CiStep, 'name' | 'durationMs'> = {
  outcome: 'not run',
  detail: `more than ${mostSearchedEvents.toLocaleString('en')} events: entity-graph findings searches them`,
  messages: [],
};

/** Findings are for people: only with `--strict` those fail that the file does not accept. */
async function findingsStep(
  path: string,
  projectContext: ProjectContext,
  { signal, isStrict }: CiOptions,
): Promise<{ readonly step: Omit<CiStep, 'name' | 'durationMs'>; readonly found?: FindingsAnswer }> {
  const outcome = await toOutcome(() => findGraphFindings(path, projectContext, signal), signal);
  signal.throwIfAborted();
  if (!outcome.ok) {
    if (outcome.error.code === 'graph-in-source')
      return { step: { outcome: 'not run', detail: 'the graph is in its source', messages: [] } };
    return { step: failedStep(outcome.error) };
  }
  const { answer } = outcome.value;
  const warnings = answer.findings.filter(({ severity, accepted }) => severity === 'warning' && accepted === undefined);
  const accepted = answer.findings.filter((finding) => finding.accepted !== undefined).length;
  const parts = [
    counted(warnings.length, 'warning'),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    counted(answer.stale.length, 'stale entry', 'stale entries'),
  ].filter((text) => text !== '');
  const step = {
    outcome: isStrict && warnings.length > 0 ? ('failed' as const) : ('passed' as const),
    detail: parts.length > 0 ? parts.join(', ') : 'nothing odd',
    messages: warnings.map(({ kind, message }) => `${kind}: ${message}`),
  };
  return { step, found: answer };
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

/** Runs each named query beside the graph for a row. */
async function queriesStep(
  path: string,
  projectContext: ProjectContext,
  { signal }: CiOptions,
): Promise<Omit<CiStep, 'name' | 'durationMs'>> {
  const outcome = await toOutcome(() => checkNamedQueries(path, projectContext, { signal }), signal);
  signal.throwIfAborted();
  if (!outcome.ok) {
    if (outcome.error.code === 'graph-in-source')
      return { outcome: 'not run', detail: 'the graph is in its source', messages: [] };
    return failedStep(outcome.error);
  }
  const queries = outcome.value;
  const failed = queries.filter(({ error }) => error !== undefined);
  return {
    outcome: failed.length > 0 ? 'failed' : 'passed',
    detail: failed.length > 0 ? `${failed.length} of ${queries.length} fail` : `${queries.length} can be run`,
    messages: failed.map(({ file, error = '' }) => `${basename(file)}: ${error}`),
  };
}

/** What the graph does otherwise than at the base, whatever became of its import. */
async function effectStep(
  path: string,
  projectContext: ProjectContext,
  { effect: asked, signal, onProgress }: CiOptions,
): Promise<{ readonly step: CiStep; readonly effect?: GraphEffect }> {
  onProgress?.(`effect ${path}`);
  const begun = performance.now();
  const outcome = await toOutcome(
    async () =>
      graphEffect(await readGraphFile(path, projectContext), projectContext, {
        base: asked?.base ?? '',
        isOffline: false,
        conditions: [],
        rows: asked?.rows,
        attributes: true,
        toleratesBrokenBase: true,
        signal,
        onProgress: ({ step, message }) => onProgress?.(`effect ${path}: ${step}, ${message}`),
      }),
    signal,
  );
  signal.throwIfAborted();
  const about = { name: 'effect' as const, durationMs: Math.round(performance.now() - begun) };
  if (outcome.ok) {
    const detail = effectText(outcome.value);
    const { brokenBase } = outcome.value;
    const messages = brokenBase ? [brokenBase.failure.message] : [];
    return { step: { ...about, outcome: 'passed', detail, messages }, effect: outcome.value };
  }
  const failed = failedStep(outcome.error);
  // Graphs inside their source have no effect that could be told, which is no mistake.
  const isElsewhere = outcome.error.code === 'fetch-first';
  return { step: { ...about, ...failed, outcome: isElsewhere ? 'not run' : 'failed' } };
}

function effectText({ state, changes, schema = [] }: GraphEffect): string {
  if (state === 'same text') return 'the same text';
  if (state === 'new') return 'not in the base';
  if (state === 'broken base') return 'the base cannot be built';
  if (changes?.changed !== true) return schema.length > 0 ? 'other properties' : 'no effect';
  const parts = (['entities', 'events', 'rules'] as const).flatMap((part) => {
    const counts = kindsOfPart[part].flatMap((kind) => {
      const count = changes.totals[part][kind] ?? 0;
      return count > 0 ? [`${count.toLocaleString('en-US')} ${kind}`] : [];
    });
    return counts.length > 0 ? [`${part}: ${counts.join(', ')}`] : [];
  });
  return parts.length > 0 ? parts.join('; ') : 'changed';
}
