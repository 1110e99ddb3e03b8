import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { keptRowsOf } from '../../../../protocol/kept-rows.ts';
import type { StepReport } from '../../../../protocol/import-progress.ts';
import { missedTexts } from '../../../../protocol/measure-outcome.ts';
import type { MeasureResult } from '../../../../protocol/measures.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import { violationText } from '../../../../protocol/rule-outcome.ts';
import type { Connector } from '../../connectors/connector.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import type { GraphTableName } from '../../graph-schema/graph-schema.ts';
import { storedTables } from '../../graph-schema/stored-tables.ts';
import type { FoundTables } from '../../graph-schema/table-names.ts';
import type { BuildSource } from '../../import/build/build-source.ts';
import { type BuildFolder, removeOldRuns } from '../../import/build-folder.ts';
import { fetchGraph } from '../../import/fetch-graph.ts';
import type { ImportJob } from '../../import/import-job.ts';
import { isWhole, sliceOf } from '../../import/import-slice.ts';
import type { ImportSources } from '../../import/import-source.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import { publishRowCache } from '../../import/row-cache/row-cache.ts';
import { keptExpectations } from '../../import/row-expectations.ts';
import { type ImportResult, runImport } from '../../import/run-import.ts';
import { type JudgingStep, type OpenBuild, runSourceImport } from '../../import/run-source-import.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import type { Measure } from '../../model/measure.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import { judgeGraphBy } from '../../process-rules/judge-rules.ts';
import { sourceTables, storeTables, withMoment } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedGraphTables } from '../../rule-kinds/judged-tables.ts';
import { recordMeasures } from '../../process-rules/record-measures.ts';
import { writeRuleTables } from '../../process-rules/record-rules.ts';
import type { Project } from '../../project/open-project.ts';
import {
  type EntityStatus,
  type ImportedCounts,
  type MeasureCounts,
  type RuleCounts,
  importDone,
  withBegunPublication,
  withSourceGraph,
  lastWholeCounts,
} from '../../state/entity-status.ts';
import { statePaths } from '../../state/state-folder.ts';
import { readStatus, writeStatus } from '../../state/status-file.ts';
import { openGraphStore } from '../stored-graphs/open-graph-store.ts';
import { sourceJudgedStore } from '../stored-graphs/source-judged-store.ts';
import { builtGraphTables } from './built-graph-tables.ts';
import type { EntityPlace } from './entity-place.ts';
import { graphOwner, graphsInSources } from './graphs-in-sources.ts';
import type { BuildWork, ImportWork, LockedWork } from './import-work.ts';
import { type FindInStore, judgeStore, measureStore } from './judge-store.ts';
import { measuresStepName } from './measures-step.ts';
import { rulesStepName } from './rules-step.ts';
import { runVersions } from './run-versions.ts';

interface PlannedBuild {
  readonly project: Project;
  readonly place: EntityPlace;
  readonly plan: ImportPlan;
  readonly run: string;
}

interface SourceGraphBuild extends PlannedBuild {
  readonly connector: Connector;
}

interface GraphBuild extends PlannedBuild {
  readonly sources: ImportSources;
  readonly expectedRows: ReadonlyMap<string, number>;
  readonly folder: BuildFolder;
}

/** What was found out about a built graph. */
interface JudgedResults {
  /** Results of the process rules; absent without any, and for a slice. */
  readonly rules?: readonly RuleResult[] | undefined;
  /** Results of the measures; absent without any, and for a slice. */
  readonly measures?: readonly MeasureResult[] | undefined;
}

export interface PublishedGraph {
  readonly result: ImportResult;
  /** Absolute path of the store, or the schema of a graph built in its source. */
  readonly at: { readonly store: string } | { readonly schema: string };
  readonly judged: JudgedResults;
}

/** Builds a graph and replaces the earlier one: first the store, then the status that points to it. */
export async function buildAndPublish(work: BuildWork, build: GraphBuild): Promise<PublishedGraph> {
  const startedAt = performance.now();
  const { file, progress, request, signal } = work;
  const { place, sources, plan, run, folder, expectedRows } = build;
  const rowCache = statePaths.rows(place.stateFolder, place.entity);
  // Not by name order, because the clock may have been set back.
  const before = await readStatus(place.stateFolder, place.entity);
  const { hasRows, source, ...imported } = await runImport({
    plan,
    sources,
    folder,
    request,
    progress,
    expectedRows,
    rowCache,
    signal,
    guards: guardsOf(work, before),
    run: runRecord(work, build),
  });
  const steps: StepReport[] = [...imported.steps];
  const find = async <T>(name: string, work: FindInStore<T>): Promise<T | undefined> => {
    if (!isWhole(request)) return undefined;
    const begun = performance.now();
    const found = await work(file, folder.store, progress, signal, builtGraphTables(source, storeTables));
    if (found) steps.push({ name, durationMs: Math.round(performance.now() - begun) });
    return found;
  };
  const judged = { rules: await find(rulesStepName, judgeStore), measures: await find(measuresStepName, measureStore) };
  const result = { ...imported, steps };
  const { store: previous } = before;
  const keptRows = keptRowsOf(result.dataSources);
  await work.assertLocked();
  const store = await folder.publish();
  try {
    const done = importDone({
      at: new Date().toISOString(),
      run,
      store: basename(store),
      text: file.text,
      counts: countsOf(result, request, judged),
      ...wholeCountsOf(request, before),
      durationMs: Math.round(performance.now() - startedAt),
      ...(keptRows.length > 0 && { keptRows }),
      ...(!isWhole(request) && { slice: sliceOf(request) }),
      ...(previous === undefined ? {} : { previous }),
      inSources: graphsInSources(before),
    });
    await writeStatus(place.stateFolder, place.entity, done);
  } catch (error) {
    // The status does not refer to this store yet: the earlier one stays in use.
    await rm(store, { force: true });
    throw error;
  }
  await removeOldRuns(dirname(store), [basename(store), previous]);
  // A slice does not update the row cache. Without a cache the next import only takes longer.
  if (isWhole(request)) await publishRowCache(hasRows ? folder.rows : undefined, rowCache).catch(() => undefined);
  return { result, at: { store }, judged };
}

/** Builds a graph inside its source, replacing the earlier one, and updates the status. */
export async function buildInSource(
  work: BuildWork,
  build: SourceGraphBuild,
  schema: string,
  openBuild: OpenBuild,
): Promise<PublishedGraph> {
  const startedAt = performance.now();
  const { file, progress, request, signal } = work;
  const { place, connector, plan, run } = build;
  const earlier = await readStatus(place.stateFolder, place.entity);
  const owner = graphOwner(place, earlier);
  const guards = guardsOf(work, earlier);
  const job = { plan, connector, schema, owner, request, progress, signal, guards, run: runRecord(work, build) };
  let judged: JudgedResults = {};
  const own = parseEntityGraph(file.text).graph;
  const tablesOf = (built: SourceBuild, source: BuildSource): JudgedGraphTables =>
    builtGraphTables(source, sourceTables(source.dialect, built.side));
  const judge: JudgingStep = {
    name: rulesStepName,
    label: 'Judging the rules',
    run: async (built, source) => {
      judged = { ...judged, rules: await judgeInSource(own.rules, built, tablesOf(built, source), signal) };
    },
  };
  const measure: JudgingStep = {
    name: measuresStepName,
    label: 'Measuring',
    run: async (built, source) => {
      const tables = tablesOf(built, source);
      judged = { ...judged, measures: await measureInSource(own.measures, built, tables, signal) };
    },
  };
  const judging = [...(own.rules.length > 0 ? [judge] : []), ...(own.measures.length > 0 ? [measure] : [])];
  const made = { dataSource: build.project.source.name.value, schema, run };
  // A published graph that no status names could neither be replaced by a renamed file nor be dropped.
  const beforePublishing = async (): Promise<void> => {
    const before = await readStatus(place.stateFolder, place.entity);
    const inSources = withBegunPublication(graphsInSources(before), made);
    await writeStatus(place.stateFolder, place.entity, { ...before, inSources });
  };
  const result = await runSourceImport({ ...job, beforePublishing, judging }, openBuild);
  // A copy of the previous graph stays, for comparison with a copy of this one.
  const copy = earlier.store ?? earlier.previous;
  const done = importDone({
    at: new Date().toISOString(),
    run,
    schema,
    inSources: withSourceGraph(graphsInSources(earlier), made),
    text: file.text,
    counts: countsOf(result, request, judged),
    ...wholeCountsOf(request, earlier),
    durationMs: Math.round(performance.now() - startedAt),
    ...(!isWhole(request) && { slice: sliceOf(request) }),
    ...(copy === undefined ? {} : { previous: copy }),
  });
  await writeStatus(place.stateFolder, place.entity, done);
  await publishRowCache(undefined, statePaths.rows(place.stateFolder, place.entity)).catch(() => undefined);
  return { result, at: { schema }, judged };
}

/** Copies the graph of the previous import from its source to a store, and updates the status. */
export async function fetchAndPublish(
  work: LockedWork,
  build: Pick<GraphBuild, 'place' | 'folder'> & Pick<SourceGraphBuild, 'connector'>,
  status: EntityStatus,
): Promise<PublishedGraph> {
  const { place, connector, folder } = build;
  const { schema = '', run = '' } = status;
  const result = await fetchGraph({ connector, folder, schema, run, progress: work.progress, signal: work.signal });
  const missing = await notFound(folder.store);
  const found = [work.file, folder.store, work.progress, work.signal] as const;
  const judged: JudgedResults = {
    rules: missing.includes('rules') ? await judgeStore(...found) : undefined,
    measures: missing.includes('measures') ? await measureStore(...found) : undefined,
  };
  await work.assertLocked();
  const store = await folder.publish();
  try {
    await writeStatus(place.stateFolder, place.entity, {
      ...status,
      store: basename(store),
      ...(status.counts ? { counts: { ...status.counts, ...judgedCounts(judged) } } : {}),
    });
  } catch (error) {
    await rm(store, { force: true });
    throw error;
  }
  await removeOldRuns(dirname(store), [basename(store), status.previous]);
  return { result, at: { store }, judged };
}

/** What a copy of a whole graph lacks, as its text had no rules or measures when it was built. */
async function notFound(path: string): Promise<readonly FoundTables[]> {
  const store = await openGraphStore(path);
  try {
    const tables = (await storedTables(store)).map(({ schema }) => schema);
    const [run] = await store.query('SELECT slice IS NULL AS whole FROM run');
    if (run?.['whole'] !== true) return [];
    const lacks = (name: FoundTables, table: GraphTableName) => (tables.includes(table) ? [] : [name]);
    return [...lacks('rules', 'rule'), ...lacks('measures', 'measure')];
  } finally {
    await store.close();
  }
}

/** The guards of the text; those of a first import and of a slice have nothing to compare with. */
function guardsOf({ file, request }: BuildWork, status: EntityStatus): ImportJob['guards'] {
  const before = lastWholeCounts(status);
  if (!isWhole(request) || !before) return undefined;
  const { guards } = parseEntityGraph(file.text).graph;
  return guards.length === 0 ? undefined : { guards, before, accepts: request.acceptsGuards === true };
}

/** A slice keeps the counts of the last whole import for the guards of the next one. */
function wholeCountsOf(request: BuildWork['request'], status: EntityStatus): Pick<EntityStatus, 'wholeCounts'> {
  const kept = lastWholeCounts(status);
  if (isWhole(request) || !kept) return {};
  return { wholeCounts: { elements: kept.elements, entities: kept.entities } };
}

function runRecord({ file, started }: ImportWork, { project, place, run }: PlannedBuild): ImportJob['run'] {
  return {
    id: run,
    entity: place.entity,
    config: file.text,
    configHash: createHash('sha256').update(file.text).digest('hex'),
    dataSource: project.source.name.value,
    started: started.toISOString(),
    versions: runVersions,
  };
}

function countsOf(
  { elements, entities, relationships, totals, expectations, guards, notes = [] }: ImportResult,
  request: ImportWork['request'],
  judged: JudgedResults,
): ImportedCounts {
  return {
    ...judgedCounts(judged),
    ...(guards && { guards }),
    // A slice lacks rows, so its results of expectations are not stored.
    ...(expectations && isWhole(request) && { expectations: keptExpectations(expectations, notes) }),
    elements: elements.map(({ activityName, events, entities, activities }) => ({
      activityName,
      events,
      entities,
      ...(activities && { activities }),
    })),
    entities: entities.map(({ name, entities: count }) => ({ name, entities: count })),
    relationships,
    totals: { events: totals.events, entities: totals.entities },
  };
}

/** Violations that the editor shows at a rule. */
const examplesKept = 3;

function judgedCounts({ rules, measures }: JudgedResults): Pick<ImportedCounts, 'rules' | 'measures'> {
  return {
    ...(rules ? { rules: rules.map(ruleCounts) } : {}),
    ...(measures ? { measures: measures.map(measureCounts) } : {}),
  };
}

function ruleCounts(result: RuleResult): RuleCounts {
  const { name, judged, concerned, broken, pending, undecided, holds, violations, error } = result;
  return {
    name,
    judged,
    concerned,
    broken,
    pending,
    undecided,
    holds,
    ...(broken > 0 ? { examples: violations.slice(0, examplesKept).map(violationText) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function measureCounts(result: MeasureResult): MeasureCounts {
  const { name, unit, count, missing, mean, median, p90, met, error } = result;
  return {
    name,
    unit,
    count,
    missing,
    mean,
    median,
    p90,
    met,
    ...(met === false ? { missed: missedTexts(result) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/**
 * Judges a graph that is about to be published in its source by the rules of its file, and writes its tables `rule` and
 * `rule_violation`. A rule whose SQL fails has that as its error. Rejects only if the source fails.
 */
async function judgeInSource(
  rules: readonly ProcessRule[],
  build: SourceBuild,
  graph: JudgedGraphTables,
  signal: AbortSignal,
): Promise<readonly RuleResult[]> {
  const store = sourceJudgedStore({ query: build.attempt }, (query) => withMoment(graph, query));
  const tables = await store.tables({ signal });
  const results = await judgeGraphBy(rules, { ...store, tables: async () => tables }, { signal });
  // The statements contain custom SQL, whose functions resolve as in the judging before. A failed attempt does not
  // affect other rules.
  const attempt = (sql: string) => build.attempt(sql, { signal });
  return writeRuleTables({ rules, results, graph: tables, mistakeOf: store.mistakeOf }, attempt, true);
}

/** Measures a graph that is about to be published in its source, and writes its tables `measure` and `measure_value`. */
async function measureInSource(
  measures: readonly Measure[],
  build: SourceBuild,
  graph: JudgedGraphTables,
  signal: AbortSignal,
): Promise<readonly MeasureResult[]> {
  const store = sourceJudgedStore({ query: build.attempt }, (query) => withMoment(graph, query));
  return recordMeasures(measures, await store.tables({ signal }), store, { signal });
}
