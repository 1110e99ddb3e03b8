import type { ElementCounts, GraphTotals, StepReport } from '../../../protocol/import-progress.ts';
import type { Connector } from '../connectors/connector.ts';
import { quoteLiteral } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import type { BuildFolder } from './build-folder.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import { createRunSql, type RunRecord } from './build/run-record.ts';
import { buildGraph } from './build-graph.ts';
import { checkGraph, timeRangeWarnings } from './checks.ts';
import { ImportError } from './import-error.ts';
import { openStaging } from './open-staging.ts';
import { openKeptRows } from './kept-rows.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ProgressReporter } from './progress.ts';
import { pullPlan } from './pull-plan.ts';

/** What one import works on. */
export interface ImportJob {
  readonly plan: ImportPlan;
  readonly connector: Connector;
  readonly folder: BuildFolder;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  readonly slice: ImportSlice;
  /** Reads all, also what an import before has kept. */
  readonly isFull?: boolean;
  /** The rows that the import before has kept, a file that need not be there. */
  readonly keptRows: string;
  /** What the run record says beside what the import finds out itself. */
  readonly run: Omit<RunRecord, 'durationsMs' | 'counts' | 'warnings' | 'steps' | 'slice'>;
}

/** A part of a graph: the first rows of each element, events from a time on (ISO 8601, UTC). */
export interface ImportSlice {
  readonly sample?: number;
  readonly since?: string;
}

export interface ImportResult {
  readonly elements: readonly ElementCounts[];
  readonly relationships: readonly { readonly name: string; readonly pairs: number }[];
  readonly totals: GraphTotals;
  readonly warnings: readonly string[];
  readonly steps: readonly StepReport[];
}

export interface StoredImport extends ImportResult {
  /** The build folder has rows that the next import can use. */
  readonly hasRows: boolean;
}

/**
 * Pulls, builds and checks a graph in the build folder, and closes the database: what is left to do is to publish it.
 * Rejects with a `SourceError`, an `ImportError`, the database's own error, or the signal's reason.
 */
export async function runImport(job: ImportJob): Promise<StoredImport> {
  const { connector, folder, signal } = job;
  const staging = await openStaging(folder);
  try {
    await checkTimeZone(staging, connector.timeZone);
    if (!connector.hasRowOrder) await staging.run('SET preserve_insertion_order = false');
    const result = await buildIn(staging, job);
    signal.throwIfAborted();
    return result;
  } finally {
    await staging.close();
  }
}

async function buildIn(staging: BuildDatabase, job: ImportJob): Promise<StoredImport> {
  const { connector, progress, signal, slice, plan } = job;
  const whole = slice.sample === undefined && slice.since === undefined;
  const rows = whole ? await openKeptRows(staging, job.isFull === true ? undefined : job.keptRows) : undefined;
  const pulled = await pullPlan(staging, job, rows);
  await staging.run('SET preserve_insertion_order = true');
  const built = await buildGraph(staging, { ...job, ...pulled, dialect: duckdbBuild, timeZone: connector.timeZone });
  progress.report('post-load checks', 'Checking the graph');
  const totals = await checkGraph(staging, {
    pulls: pulled.pulls,
    mayCorrelateTwice: built.mayCorrelateTwice,
    dialect: duckdbBuild,
    signal,
    ...(whole ? { expectedEvents: built.expectedEvents } : {}),
  });
  const pairs = await staging.query('SELECT relationship, count(*) AS pairs FROM graph.relation GROUP BY 1', {
    signal,
  });
  const relationships = plan.relationships.map(({ name }) => ({
    name,
    pairs: Number(pairs.find((row) => row['relationship'] === name)?.['pairs'] ?? 0),
  }));
  const warnings = [
    ...pulled.warnings,
    ...built.warnings,
    ...(await timeRangeWarnings(staging, duckdbBuild.graph, new Date(job.run.started))),
  ];
  const counts = { elements: built.elements, relationships, totals };
  const steps = [...pulled.steps, ...built.steps];
  const record = {
    ...job.run,
    counts,
    warnings,
    steps,
    durationsMs: progress.durations(),
    ...(whole ? {} : { slice }),
  };
  await staging.run(createRunSql(record, duckdbBuild));
  progress.report('post-load checks', 'Writing the graph', 0.7);
  await staging.run('CHECKPOINT graph', { signal });
  await staging.run('DETACH graph');
  // The graph is there. Without these rows the next import only takes longer.
  const hasRows = (await rows?.finish().catch(() => false)) ?? false;
  return { elements: built.elements, relationships, totals, warnings, steps, hasRows };
}

async function checkTimeZone(staging: BuildDatabase, timeZone: string): Promise<void> {
  const known = await staging.query(
    `SELECT 1 FROM pg_timezone_names() WHERE name = ${quoteLiteral(timeZone, 'duckdb')}`,
  );
  if (known.length > 0) return;
  throw new ImportError('unknown-time-zone', `The data source's timeZone "${timeZone}" is not known.`, {
    remedy: 'Use a name of the IANA time zone database, such as Europe/Berlin.',
  });
}
