import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { Pull } from '../connectors/connector.ts';
import { isSourceError } from '../connectors/source-error.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { StagedRelationship } from './build/correlations.ts';
import { type StagedMasterData, stagedMasterData } from './build/master-data.ts';
import { type StagedElement, stagedElement } from './build/staged-element.ts';
import { checkTimeColumns, checkValidFrom } from './check-time-columns.ts';
import { reusingPull } from './row-cache/reusing-pull.ts';
import { unchangedName } from './row-cache/row-cache-steps.ts';
import type { RowCache } from './row-cache/row-cache.ts';
import { baseRowsStep, multiplicationNote } from './multiplied-rows.ts';
import { type ImportPlan, type RelationshipPlan, plannedPulls } from './plan-import.ts';
import { cachedIdentity, keptRows, keptRowsWarning } from './kept-rows.ts';
import { type OpenedPull, closePulls, openPulls } from './open-pulls.ts';
import { type CurrentPulls, type Pulling, countStagedRowsSql, createPulling } from './pulling.ts';
import { type ImportSource, commonRows } from './import-source.ts';
import { type StagedEnd, joinEnds, joinEndsStep, joinedPairs } from './join-ends.ts';
import { sliceOf } from './import-slice.ts';
import type { DataSourceRead } from '../../../protocol/import-progress.ts';
import { QueryFailure } from './query-failure.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import type { StepRunner } from './step-runner.ts';
import type { ColumnSense } from '../catalog/catalog.ts';
import { ImportError } from './import-error.ts';

/** Everything a plan requests, staged. */
export interface PulledPlan {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly relationships: readonly StagedRelationship[];
  readonly pulls: readonly { readonly name: string; readonly sourceRows: number; readonly stagedRows: number }[];
  /** When each data source was read, and how many rows. */
  readonly reads: readonly DataSourceRead[];
  readonly notes: readonly ImportNote[];
}

/**
 * Pulls the rows of every element and the pairs of every relationship in one snapshot, except for unchanged cached
 * ones.
 */
export async function pullPlan(
  staging: BuildDatabase,
  runner: StepRunner,
  job: ImportWithoutFiles,
  rowCache: RowCache | undefined,
): Promise<PulledPlan> {
  job.progress.report('data pull', 'Connecting to the data source');
  const opened = await openPulls(staging, job);
  try {
    const place = { dialect: duckdbBuild, timeZone: commonRows(job.sources).timeZone };
    const pulling = createPulling({ staging, runner, job, place, current: currentPulls(opened, job, rowCache) });
    const fingerprints = rowCache && (await reuseRows(opened, pulling, rowCache));
    await checkTimes(pulling);
    const elements = await pullElements(pulling);
    const entities: StagedMasterData[] = [];
    for (const entry of job.plan.entities) {
      entities.push(stagedMasterData(entry, await pulling.load(entry, job.request.sample)));
    }
    const relationships = await pullRelationships(pulling);
    if (fingerprints) await readAhead(pulling, fingerprints);
    const notes = [...[...pulling.warnings].map((warning): ImportNote => [warning]), ...elements.multiplied];
    const { pulls } = pulling;
    return { elements: elements.staged, entities, relationships, pulls, reads: readsOf(opened, pulling), notes };
  } finally {
    await closePulls(opened);
  }
}

function losesOrder({ connector }: ImportSource, { sources }: ImportWithoutFiles): boolean {
  return connector.hasRowOrder && !commonRows(sources).hasRowOrder;
}

function currentPulls(
  opened: readonly OpenedPull[],
  job: ImportWithoutFiles,
  rowCache: RowCache | undefined,
): CurrentPulls {
  const planned = plannedPulls(job.plan);
  const warnings = new Set<string>();
  const snapshots = new Map<string, Pull>();
  const current = new Map<string, Pull>();
  const kept = new Map<string, string>();
  for (const { source, pull } of opened) {
    const { name } = source;
    if (isSourceError(pull)) {
      const { readAt, ...rows } = keptRows(
        pull,
        source,
        planned,
        rowCache,
        cachedIdentity(source, job.run.versions),
        job.sources.length === 1,
        losesOrder(source, job),
      );
      current.set(name, rows.pull);
      kept.set(name, readAt);
      warnings.add(keptRowsWarning(name, readAt, pull));
    } else {
      for (const warning of [...(source.warnings ?? []), ...(pull.warnings ?? [])]) warnings.add(warning);
      snapshots.set(name, pull);
      current.set(name, pull);
    }
  }
  return { snapshots, current, kept, warnings };
}

/** From now on, unchanged rows come from the row cache. Resolves with what is known of changes, to be added to. */
async function reuseRows(
  opened: readonly OpenedPull[],
  pulling: Pulling,
  rows: RowCache,
): Promise<Map<CompiledQuery, string> | undefined> {
  const { runner, job, snapshots, current } = pulling;
  const { plan, signal, progress, request, sources, run } = job;
  const isOneOfSeveral = sources.length > 1;
  const isFull = request.isFull === true;
  const canTell = [...snapshots.values()].some((pull) => pull.fingerprint);
  if (!canTell && !isOneOfSeveral) return undefined;
  if (canTell) progress.report('data pull', 'Looking for what has changed');
  const ask = () => fingerprintsOf(snapshots, plan, signal);
  const fingerprints = canTell ? await runner.timed(unchangedName, ask) : new Map<CompiledQuery, string>();
  for (const { source, pull, readAt } of opened) {
    if (isSourceError(pull)) continue;
    const keepsAll = isOneOfSeveral && source.keepsRows;
    const unchangedIdentity = identityOfUnchanged(source, job);
    const of = { identity: cachedIdentity(source, run.versions), unchangedIdentity, fingerprints, readAt };
    const reusing = { rows, ...of, isFull, keepsAll, losesOrder: losesOrder(source, job) };
    current.set(source.name, reusingPull(pull, reusing));
  }
  return fingerprints;
}

/** Reads and keeps the rows of later builds, until one query fails: it may have ended the snapshot. */
async function readAhead(
  { snapshots, pullOf, job: { readsAhead = [], signal, progress }, share }: Pulling,
  fingerprints: Map<CompiledQuery, string>,
): Promise<void> {
  try {
    for (const { name, dataSource, query, table } of readsAhead) {
      progress.report('data pull', name, share());
      const fingerprint = await snapshots.get(dataSource)?.fingerprint?.(query, { signal });
      if (fingerprint === undefined) continue;
      fingerprints.set(query, fingerprint);
      await pullOf(dataSource).load(query, table, { signal });
    }
  } catch {
    // The build that needs the rows reads them again, and tells what is wrong.
    signal.throwIfAborted();
  }
}

/** Two data sources may have equal queries. */
export function identityOfUnchanged({ name }: ImportSource, { sources, run }: ImportWithoutFiles): unknown {
  return sources.length > 1 ? [run.versions, name] : run.versions;
}

async function checkTimes({ job: { plan, signal }, pullOf }: Pulling): Promise<void> {
  for (const element of plan.elements) {
    const { activityName, dataSource, query } = element;
    checkTimeColumns(element, await columnsOf(pullOf(dataSource), query, activityName, signal));
  }
  for (const entry of plan.entities) {
    if (!entry.entry.validFrom) continue;
    const { name, dataSource, query } = entry;
    checkValidFrom(entry, await columnsOf(pullOf(dataSource), query, name, signal));
  }
}

async function pullElements({ staging, runner, job, place, snapshots, pullOf, load }: Pulling): Promise<{
  readonly staged: readonly StagedElement[];
  readonly multiplied: readonly ImportNote[];
}> {
  const { plan, signal, request } = job;
  const elements: StagedElement[] = [];
  const multiplied: ImportNote[] = [];
  for (const element of plan.elements) {
    const { activityName: name, dataSource, query, table } = element;
    const staged = stagedElement(element, await load({ name, dataSource, query, table }, request.sample));
    elements.push(staged);
    // A sample cannot be compared with all rows.
    const isCounted = request.sample === undefined && job.withoutCounts !== true;
    const step = isCounted ? baseRowsStep(staged, place) : undefined;
    const snapshot = snapshots.get(dataSource);
    // The rows of a source that is down cannot be counted there.
    if (!step || (step.query && !snapshot)) continue;
    const loadTable = (asked: CompiledQuery, into: string) =>
      (snapshot ?? pullOf(dataSource)).load(asked, into, { signal });
    const ask = () => multiplicationNote(staging, loadTable, staged, step, signal, sliceOf(request));
    const note = await runner.timed(step.name, ask);
    if (note) multiplied.push(note);
  }
  return { staged: elements, multiplied };
}

async function pullRelationships(pulling: Pulling): Promise<readonly StagedRelationship[]> {
  const { staging, runner, job, place, snapshots, load, share } = pulling;
  const { plan, signal, progress } = job;
  const relationships: StagedRelationship[] = [];
  for (const relationship of plan.relationships) {
    const { name, dataSource, query, table } = relationship;
    if (dataSource !== undefined) {
      const snapshot = snapshots.get(dataSource);
      if (snapshot) await checkComparedTypes(relationship, snapshot, signal);
      relationships.push({ plan: relationship, loaded: await load({ name, dataSource, query, table }) });
      continue;
    }
    const ends: StagedEnd[] = [];
    for (const end of query.ends ?? []) {
      ends.push({
        end,
        loaded: await load({ name, dataSource: end.dataSource, query: end.query, table: end.table }),
      });
    }
    progress.report('data pull', `${name}: joining`, share());
    const step = joinEndsStep(relationship, ends, place);
    await runner.timed(step.name, () => joinEnds(staging, relationship, step, signal));
    const [row] = await staging.query(countStagedRowsSql(table));
    const loaded = joinedPairs(relationship, Number(row?.['rows']));
    relationships.push({ plan: relationship, loaded });
  }
  return relationships;
}

function readsOf(opened: readonly OpenedPull[], { kept, rowsRead }: Pulling): readonly DataSourceRead[] {
  return opened.map(({ source: { name, connector }, readAt }) => ({
    name,
    kind: connector.kind,
    readAt: kept.get(name) ?? readAt,
    rows: rowsRead.get(name) ?? 0,
    ...(kept.has(name) && { isKept: true }),
  }));
}

/** Queries for which the source can detect changes since another import. */
export async function fingerprintsOf(
  pulls: ReadonlyMap<string, Pull>,
  plan: ImportPlan,
  signal: AbortSignal,
): Promise<Map<CompiledQuery, string>> {
  const found = new Map<CompiledQuery, string>();
  for (const { name, dataSource, query } of plannedPulls(plan)) {
    const fingerprint = await pulls
      .get(dataSource)
      ?.fingerprint?.(query, { signal })
      .catch((error: unknown) => {
        throw new QueryFailure(error, query, name);
      });
    if (fingerprint !== undefined) found.set(query, fingerprint);
  }
  return found;
}

async function columnsOf(pull: Pull, query: CompiledQuery, name: string, signal: AbortSignal) {
  return pull.columnsOf(query, { signal }).catch((error: unknown) => {
    throw new QueryFailure(error, query, name);
  });
}

/**
 * Rejects a relationship whose columns have become numbers or texts since the tables of its data source were read: the
 * engine would convert and compare them instead of refusing the query.
 */
async function checkComparedTypes(
  { name, query, dataSource = '' }: RelationshipPlan,
  pull: Pick<Pull, 'columnsOf'>,
  signal: AbortSignal,
): Promise<void> {
  for (const compared of query.compared ?? []) {
    const found = await pull.columnsOf(compared.query, { signal }).catch((error: unknown) => {
      throw new QueryFailure(error, compared.query, name);
    });
    for (const [index, planned] of compared.columns.entries()) {
      const now = found[index];
      const [before, after] = [classOf(planned.sense), now && classOf(now.sense)];
      if (!now || before === undefined || after === undefined || before === after) continue;
      const { value, range } = planned.name;
      throw new ImportError(
        'type-mismatch',
        `Data source ${dataSource} has changed since the import read its tables: "${value}" of "${planned.dataObject}" was of type ${planned.type}, and is of type ${now.type} now.`,
        { remedy: 'Import again.', range },
      );
    }
  }
}

/** Other types have checks of their own, or differ between a catalog and a result. */
function classOf(sense: ColumnSense): 'number' | 'text' | undefined {
  if (sense === 'integer' || sense === 'number') return 'number';
  return sense === 'text' ? 'text' : undefined;
}
