import type { BrokenGuard } from '../../../protocol/query-results.ts';
import { stat } from 'node:fs/promises';
import { type ImportNote, noteText } from '../../../protocol/import-notes.ts';
import type {
  DataSourceRead,
  ElementCounts,
  GraphTotals,
  MasterDataCounts,
  RelationshipCounts,
  RowExpectationResult,
  StepReport,
} from '../../../protocol/import-progress.ts';
import { entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import { type BuildDatabase, isOutOfMemory } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { BuildSource } from './build/build-source.ts';
import { runStep } from './build/run-record.ts';
import {
  compressTextsStep,
  keepOrderStep,
  publishStoreStep,
  quickTextsSql,
  stagingName,
} from './build/staging-steps.ts';
import { type TableBuild, buildGraph } from './build-graph.ts';
import { checkGraph, timeRangeNotes } from './checks.ts';
import { isSourceError } from '../connectors/source-error.ts';
import { ImportError } from './import-error.ts';
import { isWhole, sliceOf } from './import-slice.ts';
import { applyGuards } from './guards.ts';
import { countPairs } from './count-pairs.ts';
import { commonRows } from './import-source.ts';
import type { ImportJob, ImportWithoutFiles } from './import-job.ts';
import { emptyBuild } from './build-folder.ts';
import { DataSourceFailure, withoutFailedSource } from './data-source-failure.ts';
import { hasEnds, mayLackEntity } from './plan-import.ts';
import { openStaging } from './open-staging.ts';
import { QueryFailure } from './query-failure.ts';
import { RowCacheCopyFailure } from './row-cache/row-cache-copy.ts';
import { rowCacheName } from './row-cache/row-cache-steps.ts';
import { type RowCache, openRowCache } from './row-cache/row-cache.ts';
import { type PulledPlan, pullPlan } from './pull-plan.ts';
import { sharedKeysNotes } from './shared-keys.ts';
import { type StepRunner, createStepRunner } from './step-runner.ts';
import { withStaging } from './with-staging.ts';
import { lateEventsNotes } from './late-events.ts';

export interface ImportResult {
  readonly elements: readonly ElementCounts[];
  readonly entities: readonly MasterDataCounts[];
  readonly relationships: readonly RelationshipCounts[];
  readonly totals: GraphTotals;
  readonly expectations?: readonly RowExpectationResult[] | undefined;
  /** Broken guards; absent without any. */
  readonly guards?: readonly BrokenGuard[];
  /** When each data source was read. Present for graphs of several data sources, and if kept rows replace one. */
  readonly dataSources?: readonly DataSourceRead[];
  readonly warnings: readonly string[];
  readonly notes?: readonly ImportNote[];
  readonly steps: readonly StepReport[];
}

interface StoredImport extends ImportResult {
  /** The build folder contains rows for the row cache. */
  readonly hasRows: boolean;
  /** What the graph was built from. */
  readonly source: BuildSource;
}

/**
 * Pulls, builds and checks a graph in the build folder, and closes the database; the caller publishes it. Rejects with
 * a `SourceError`, an `ImportError`, the database's error, or the signal's reason.
 */
export async function runImport(job: ImportJob): Promise<StoredImport> {
  try {
    return await runOnce(job);
  } catch (error) {
    const { request, signal } = job;
    if (error instanceof RowCacheCopyFailure) {
      await emptyBuild(job.folder);
      return runImport({ ...job, isRowCacheCopied: false });
    }
    const mayKeep = request.usesKeptRows === true && isWhole(request) && !signal.aborted;
    const sources = mayKeep ? withoutFailedSource(job.sources, error) : undefined;
    if (!sources) throw error;
    // Deletes the rows of the first attempt: all rows of a source must be of the same time.
    await emptyBuild(job.folder);
    return runImport({ ...job, sources });
  }
}

async function runOnce(job: ImportJob): Promise<StoredImport> {
  const open = () => openStaging(job.folder);
  return withStaging({ ...job, open }, async (staging, openedMs) => {
    const runner = createStepRunner(staging, job.signal, [{ name: stagingName, durationMs: Math.round(openedMs) }]);
    const rows = isWhole(job.request) ? await openCached(staging, runner, job) : undefined;
    const result = await buildIn(staging, runner, job, rows).catch(async (error: unknown) => {
      if (rows?.hasCopies !== true || job.signal.aborted || !(await mayBeOfCopy(staging, error))) throw error;
      throw new RowCacheCopyFailure('The copy of the row cache may be damaged.', { cause: error });
    });
    // A failure here must not fail the import: the graph is complete, and the next import only takes longer.
    const hasRows = rows?.hasRows === true && (await keepRows(runner, rows));
    job.signal.throwIfAborted();
    return { ...result, hasRows };
  });
}

async function buildIn(
  staging: BuildDatabase,
  runner: StepRunner,
  job: ImportJob,
  rows: RowCache | undefined,
): Promise<ImportResult & { readonly source: BuildSource }> {
  const { plan } = job;
  const common = commonRows(job.sources);
  await staging.run(quickTextsSql);
  const pulled = await pullPlan(staging, runner, job, rows);
  await runner.run(compressTextsStep);
  if (!common.hasRowOrder) await runner.run(keepOrderStep);
  const result = await buildPulled(runner, job, pulled, { tables: job.tables });
  job.progress.report('post-load checks', 'Writing the graph', 0.7);
  await runner.run(publishStoreStep(duckdbBuild));
  return { ...result, source: { ...pulled, paths: plan.paths, dialect: duckdbBuild, ...common } };
}

/**
 * Builds the graph from staged rows, then counts and checks it.
 * @param build how tables are built; default: all of them, step by step
 */
export async function buildPulled(
  runner: StepRunner,
  job: ImportWithoutFiles,
  pulled: PulledPlan,
  build: TableBuild = {},
): Promise<ImportResult> {
  const { progress, request, plan } = job;
  const [whole, slice] = [isWhole(request), sliceOf(request)];
  const built = await buildGraph(runner, {
    ...job,
    ...pulled,
    slice,
    dialect: duckdbBuild,
    ...commonRows(job.sources),
    ...build,
  });
  progress.report('post-load checks', 'Checking the graph');
  const totals = await checkGraph(runner, {
    pulls: pulled.pulls,
    mayCorrelateTwice: built.mayCorrelateTwice,
    mayLackEntity: mayLackEntity(plan),
    hasEnds: hasEnds(plan),
    dialect: duckdbBuild,
    expectedEvents: whole ? built.expectedEvents : undefined,
  });
  const relationships = await countPairs(runner, plan, duckdbBuild, { ...built, isWhole: whole });
  const guarded = applyGuards(job.guards, { ...built, relationships });
  const notes = [
    ...pulled.notes,
    ...built.notes,
    ...(await timeRangeNotes(runner, duckdbBuild, new Date(job.run.started))),
    ...(await sharedKeysNotes(runner, plan, duckdbBuild)),
    ...(await lateEventsNotes(runner, plan, duckdbBuild, pulled.reads)),
    ...guarded.notes,
  ];
  const warnings = notes.map(noteText);
  const namesReads = job.sources.length > 1 || pulled.reads.some(({ isKept }) => isKept === true);
  const dataSources = namesReads ? { dataSources: pulled.reads } : {};
  const expected = built.expectations && { expectations: built.expectations };
  const record = {
    ...job.run,
    counts: {
      elements: built.elements,
      entities: built.entities,
      relationships,
      totals,
      ...expected,
      ...dataSources,
      ...(guarded.accepted.length > 0 && { acceptedGuards: guarded.accepted }),
      entityTypes: entityTypesInOrder(plan.elements, plan.entities),
      notes,
    },
    warnings,
    steps: runner.reports,
    durationsMs: progress.durations(),
    ...(whole ? {} : { slice }),
  };
  await runner.run(runStep(duckdbBuild, record));
  const { elements, entities } = built;
  return {
    elements,
    entities,
    relationships,
    totals,
    ...expected,
    ...(guarded.broken.length > 0 && { guards: guarded.broken }),
    ...dataSources,
    warnings,
    notes,
    steps: runner.reports,
  };
}

async function openCached(staging: BuildDatabase, runner: StepRunner, job: ImportJob): Promise<RowCache> {
  const { isFull = false, usesKeptRows = false } = job.request;
  const files = isFull && !usesKeptRows ? [] : [job.rowCache, ...(job.moreRows ?? [])];
  // A full import takes the rows of sources that are down only.
  const stagedRows = isFull || job.isRowCacheCopied === false ? undefined : job.folder.rows;
  const there: string[] = [];
  for (const file of files) if (await stat(file).catch(() => undefined)) there.push(file);
  const open = (): Promise<RowCache> => openRowCache(staging, there, stagedRows);
  return there.length > 0 ? runner.timed('kept', open) : open();
}

/**
 * Whether an error of a build may come from its copy of the row cache. Damage is also found when tables are dropped or
 * written, and may make all later statements fail.
 */
async function mayBeOfCopy(staging: BuildDatabase, error: unknown): Promise<boolean> {
  const reason = error instanceof QueryFailure ? error.reason : error;
  const isExplained =
    [ImportError, DataSourceFailure].some((kind) => reason instanceof kind) ||
    isSourceError(reason) ||
    isOutOfMemory(reason);
  if (!isExplained) return true;
  // Connectors may take an error of the database for one of a file that it reads.
  const works = await staging.query('SELECT 1').catch(() => undefined);
  return works === undefined;
}

async function keepRows(runner: StepRunner, rows: RowCache): Promise<boolean> {
  try {
    await runner.timed(rowCacheName, () => rows.finish());
    return true;
  } catch {
    return false;
  }
}
