import type { LoadResult, Pull } from '../connectors/connector.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { StagedRelationship } from './build/correlations.ts';
import { type StagedMasterData, stagedMasterData } from './build/master-data.ts';
import { type StagedElement, stagedElement } from './build/staged-element.ts';
import { checkTimeColumns } from './check-time-columns.ts';
import { sliceOf } from './import-slice.ts';
import { type RowCache, reusingPull, unchangedName } from './row-cache.ts';
import { baseRowsStep, multiplicationWarning } from './multiplied-rows.ts';
import { type ImportPlan, plannedPulls } from './plan-import.ts';
import { QueryFailure } from './query-failure.ts';
import type { ImportJob } from './import-job.ts';
import type { StepRunner } from './step-runner.ts';

/** Everything a plan requests, staged. */
export interface PulledPlan {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly relationships: readonly StagedRelationship[];
  readonly pulls: readonly { readonly name: string; readonly sourceRows: number; readonly stagedRows: number }[];
  readonly warnings: readonly string[];
}

/**
 * Pulls the rows of every element and the pairs of every relationship in one snapshot, except for unchanged cached
 * ones.
 */
export async function pullPlan(
  staging: BuildDatabase,
  runner: StepRunner,
  job: Pick<ImportJob, 'connector' | 'plan' | 'request' | 'progress' | 'signal' | 'run'>,
  rowCache: RowCache | undefined,
): Promise<PulledPlan> {
  const { connector, plan, signal, progress, request } = job;
  progress.report('data pull', 'Connecting to the data source');
  const queries = plannedPulls(plan).map(({ query }) => query);
  const opened = await connector.openPull(staging, {
    signal,
    queries,
    ...sliceOf(request),
    ...(request.isFull === true && { isFull: true }),
  });
  const tasks = queries.length;
  const warnings = new Set<string>();
  const pulls: { name: string; sourceRows: number; stagedRows: number }[] = [];

  let pull = opened;
  const load = async (name: string, query: CompiledQuery, table: string, sample?: number): Promise<LoadResult> => {
    const done = pulls.length / tasks;
    progress.report('data pull', name, done, 0);
    const onRows = throttled((rows) => progress.report('data pull', name, done, rows));
    const onProgress = (message: string): void => progress.report('data pull', `${name}: ${message}`, done);
    const options = { signal, onRows, onProgress, sample };
    const pullTable = async (): Promise<LoadResult> => {
      const loaded = await pull.load(query, table, options).catch((error: unknown) => {
        throw new QueryFailure(error, query, name);
      });
      const [row] = await staging.query(countStagedRowsSql(table));
      pulls.push({ name, sourceRows: loaded.sourceRows, stagedRows: Number(row?.['rows']) });
      return loaded;
    };
    const loaded = await runner.timed(table, pullTable, ({ sourceRows, isUnchanged = false }) => ({
      rows: sourceRows,
      ...(isUnchanged && { isUnchanged }),
    }));
    for (const warning of loaded.warnings) warnings.add(warning);
    const { sourceRows, isUnchanged = false } = loaded;
    progress.report('data pull', isUnchanged ? `${name}: unchanged` : name, pulls.length / tasks, sourceRows);
    return loaded;
  };

  try {
    if (rowCache && opened.fingerprint) {
      progress.report('data pull', 'Looking for what has changed');
      const fingerprints = await runner.timed(unchangedName, () => fingerprintsOf(opened, plan, signal));
      pull = reusingPull(opened, rowCache, job.run.versions, fingerprints);
    }
    for (const element of plan.elements) {
      checkTimeColumns(element, await columnsOf(pull, element.query, element.activityName, signal));
    }
    const loadTable = (query: CompiledQuery, table: string) => pull.load(query, table, { signal });
    const elements: StagedElement[] = [];
    for (const element of plan.elements) {
      const loaded = await load(element.activityName, element.query, element.table, request.sample);
      const staged = stagedElement(element, loaded);
      elements.push(staged);
      // A sample cannot be compared with all rows.
      const step =
        request.sample === undefined
          ? baseRowsStep(staged, { dialect: duckdbBuild, timeZone: connector.timeZone })
          : undefined;
      if (!step) continue;
      const ask = () => multiplicationWarning(staging, loadTable, staged, step, signal);
      const warning = await runner.timed(step.name, ask);
      if (warning !== undefined) warnings.add(warning);
    }
    const entities: StagedMasterData[] = [];
    for (const entry of plan.entities) {
      entities.push(stagedMasterData(entry, await load(entry.name, entry.query, entry.table, request.sample)));
    }
    const relationships: StagedRelationship[] = [];
    for (const relationship of plan.relationships) {
      const loaded = await load(relationship.name, relationship.query, relationship.table);
      relationships.push({ plan: relationship, loaded });
    }
    return { elements, entities, relationships, pulls, warnings: [...warnings] };
  } finally {
    await pull.close();
  }
}

/** Queries for which the source can detect changes since another import. */
async function fingerprintsOf(
  pull: Pull,
  plan: ImportPlan,
  signal: AbortSignal,
): Promise<ReadonlyMap<CompiledQuery, string>> {
  const found = new Map<CompiledQuery, string>();
  for (const { name, query } of plannedPulls(plan)) {
    const fingerprint = await pull.fingerprint?.(query, { signal }).catch((error: unknown) => {
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
