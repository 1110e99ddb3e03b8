import type { ImportNote } from '../../../protocol/import-notes.ts';
import { thousands } from '../../../protocol/thousands.ts';
import type { LoadResult, Pull } from '../connectors/connector.ts';
import { isSourceError } from '../connectors/source-error.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { StagedRelationship } from './build/correlations.ts';
import { type StagedMasterData, stagedMasterData } from './build/master-data.ts';
import { type StagedElement, stagedElement } from './build/staged-element.ts';
import { checkComparedTypes } from './check-compared-types.ts';
import { checkTimeColumns, checkValidFrom } from './check-time-columns.ts';
import { reusingPull } from './row-cache/reusing-pull.ts';
import { unchangedName } from './row-cache/row-cache-steps.ts';
import type { RowCache } from './row-cache/row-cache.ts';
import { baseRowsStep, multiplicationNote } from './multiplied-rows.ts';
import { type ImportPlan, type PlannedPull, plannedPulls } from './plan-import.ts';
import { cachedIdentity, keptRows, keptRowsWarning } from './kept-rows.ts';
import { closePulls, openPulls } from './open-pulls.ts';
import { type ImportSource, commonRows } from './import-source.ts';
import { type StagedEnd, joinEnds, joinEndsStep, joinedPairs } from './join-ends.ts';
import { sliceOf } from './import-slice.ts';
import type { DataSourceRead } from '../../../protocol/import-progress.ts';
import { QueryFailure } from './query-failure.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import type { StepRunner } from './step-runner.ts';

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
  const { plan, signal, progress, request, sources } = job;
  progress.report('data pull', 'Connecting to the data source');
  const opened = await openPulls(staging, job);
  const place = { dialect: duckdbBuild, timeZone: commonRows(sources).timeZone };
  const losesOrder = ({ connector }: ImportSource): boolean =>
    connector.hasRowOrder && !commonRows(sources).hasRowOrder;
  const planned = plannedPulls(plan);
  const tasks = planned.length;
  const warnings = new Set<string>();
  const multiplied: ImportNote[] = [];
  const pulls: { name: string; sourceRows: number; stagedRows: number }[] = [];
  const rowsRead = new Map<string, number>();

  const snapshots = new Map<string, Pull>();
  const current = new Map<string, Pull>();
  const kept = new Map<string, string>();
  const pullOf = (dataSource: string): Pull => {
    const pull = current.get(dataSource);
    if (!pull) throw new Error(`The data source ${dataSource} was not opened.`);
    return pull;
  };
  const load = async (planned: PlannedPull, sample?: number): Promise<LoadResult> => {
    const { name, dataSource, query, table } = planned;
    const share = pulls.length / tasks;
    progress.report('data pull', name, share, 0);
    const onRows = throttled((rows) => progress.report('data pull', name, share, rows));
    const onProgress = (message: string): void => progress.report('data pull', `${name}: ${message}`, share);
    const options = { signal, onRows, onProgress, sample };
    const pullTable = async (): Promise<LoadResult> => {
      const loaded = await pullOf(dataSource)
        .load(query, table, options)
        .catch((error: unknown) => {
          throw new QueryFailure(error, query, name);
        });
      const [row] = job.withoutCounts === true ? [] : await staging.query(countStagedRowsSql(table));
      pulls.push({ name, sourceRows: loaded.sourceRows, stagedRows: Number(row?.['rows'] ?? loaded.sourceRows) });
      return loaded;
    };
    const loaded = await runner.timed(table, pullTable, ({ sourceRows, isUnchanged = false, cachedRows }) => ({
      rows: sourceRows,
      ...(isUnchanged && { isUnchanged }),
      ...(cachedRows !== undefined && { keptRows: cachedRows }),
    }));
    for (const warning of loaded.warnings) warnings.add(warning);
    const { sourceRows, isUnchanged = false, cachedRows } = loaded;
    rowsRead.set(dataSource, (rowsRead.get(dataSource) ?? 0) + sourceRows);
    const unread = cachedRows === undefined ? '' : `: ${thousands(cachedRows)} rows unchanged`;
    const done = isUnchanged ? `${name}: unchanged` : `${name}${unread}`;
    progress.report('data pull', done, pulls.length / tasks, sourceRows);
    return inZone(loaded, sources.find((each) => each.name === dataSource)?.connector.timeZone, place.timeZone);
  };

  try {
    for (const { source, pull } of opened) {
      const { name } = source;
      if (isSourceError(pull)) {
        const { readAt, ...rows } = keptRows(
          pull,
          source,
          planned,
          rowCache,
          cachedIdentity(source, job.run.versions),
          sources.length === 1,
          losesOrder(source),
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
    const isOneOfSeveral = sources.length > 1;
    const isFull = request.isFull === true;
    const canTell = [...snapshots.values()].some((pull) => pull.fingerprint);
    if (rowCache && (canTell || isOneOfSeveral)) {
      if (canTell) progress.report('data pull', 'Looking for what has changed');
      const ask = () => fingerprintsOf(snapshots, plan, signal);
      const fingerprints = canTell ? await runner.timed(unchangedName, ask) : new Map<CompiledQuery, string>();
      for (const { source, pull, readAt } of opened) {
        if (isSourceError(pull)) continue;
        // Two data sources may have equal queries.
        const keepsAll = isOneOfSeveral && source.keepsRows;
        const unchangedIdentity = isOneOfSeveral ? [job.run.versions, source.name] : job.run.versions;
        const of = { identity: cachedIdentity(source, job.run.versions), unchangedIdentity, fingerprints, readAt };
        current.set(
          source.name,
          reusingPull(pull, { rows: rowCache, ...of, isFull, keepsAll, losesOrder: losesOrder(source) }),
        );
      }
    }
    for (const element of plan.elements) {
      const { activityName, dataSource, query } = element;
      checkTimeColumns(element, await columnsOf(pullOf(dataSource), query, activityName, signal));
    }
    for (const entry of plan.entities) {
      if (!entry.entry.validFrom) continue;
      const { name, dataSource, query } = entry;
      checkValidFrom(entry, await columnsOf(pullOf(dataSource), query, name, signal));
    }
    const elements: StagedElement[] = [];
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
    const entities: StagedMasterData[] = [];
    for (const entry of plan.entities) entities.push(stagedMasterData(entry, await load(entry, request.sample)));
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
      progress.report('data pull', `${name}: joining`, pulls.length / tasks);
      const step = joinEndsStep(relationship, ends, place);
      await runner.timed(step.name, () => joinEnds(staging, relationship, step, signal));
      const [row] = await staging.query(countStagedRowsSql(table));
      const loaded = joinedPairs(relationship, Number(row?.['rows']));
      relationships.push({ plan: relationship, loaded });
    }
    const reads = opened.map(({ source: { name, connector }, readAt }) => ({
      name,
      kind: connector.kind,
      readAt: kept.get(name) ?? readAt,
      rows: rowsRead.get(name) ?? 0,
      ...(kept.has(name) && { isKept: true }),
    }));
    const notes = [...[...warnings].map((warning): ImportNote => [warning]), ...multiplied];
    return { elements, entities, relationships, pulls, reads, notes };
  } finally {
    await closePulls(opened);
  }
}

/** Marks the times of a source whose zone is not that of the build. */
export function inZone(loaded: LoadResult, timeZone: string | undefined, common: string): LoadResult {
  if (timeZone === undefined || timeZone === common) return loaded;
  return { ...loaded, columns: loaded.columns.map((column) => ({ ...column, timeZone })) };
}

/** Queries for which the source can detect changes since another import. */
async function fingerprintsOf(
  pulls: ReadonlyMap<string, Pull>,
  plan: ImportPlan,
  signal: AbortSignal,
): Promise<ReadonlyMap<CompiledQuery, string>> {
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

/** Counts the staged rows, to compare them with the source's count. */
export function countStagedRowsSql(table: string): string {
  return `SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`;
}

async function columnsOf(pull: Pull, query: CompiledQuery, name: string, signal: AbortSignal) {
  return pull.columnsOf(query, { signal }).catch((error: unknown) => {
    throw new QueryFailure(error, query, name);
  });
}

/** At most five reports per second. */
function throttled(report: (rows: number) => void): (rows: number) => void {
  let next = 0;
  return (rows) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 200;
    report(rows);
  };
}
