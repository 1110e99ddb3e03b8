import type { StepReport } from '../../../protocol/import-progress.ts';
import type { Connector, LoadResult, QueryColumn } from '../connectors/connector.ts';
import type { GraphOwner, SourceBuild } from '../connectors/source-build.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { buildGraph, runStep } from './build-graph.ts';
import { postgresqlBuild } from './build/build-dialect.ts';
import type { StagedRelationship } from './build/correlations.ts';
import { createRunSql } from './build/run-record.ts';
import { compileSpread } from './build/spread.ts';
import { type StagedElement, stagedElement } from './build/staged-element.ts';
import { checkTimeColumns } from './check-time-columns.ts';
import { checkGraph, timeRangeWarnings } from './checks.ts';
import { ImportError } from './import-error.ts';
import { multiplicationWarning } from './multiplied-rows.ts';
import type { ElementPlan } from './plan-import.ts';
import { QueryFailure } from './query-failure.ts';
import type { ImportJob, ImportResult } from './run-import.ts';

/** What an import inside its source works on: everything but a folder. */
export interface SourceImportJob extends Omit<ImportJob, 'folder' | 'keptRows'> {
  /** The schema of the graph. */
  readonly schema: string;
  readonly owner: GraphOwner;
}

/**
 * Stages, builds and checks a graph inside its source and puts it in its place, in one transaction: when this rejects,
 * nothing has changed there. Rejects with a `SourceError`, an `ImportError` or the signal's reason.
 */
export async function runSourceImport(job: SourceImportJob, openBuild: OpenBuild): Promise<ImportResult> {
  const { signal, schema, owner, progress } = job;
  progress.report('data pull', 'Connecting to the data source');
  const build = await openBuild({ schema, owner, signal });
  try {
    return await buildInSource(build, job);
  } finally {
    await build.close();
  }
}

export type OpenBuild = NonNullable<Connector['openBuild']>;

async function buildInSource(build: SourceBuild, job: SourceImportJob): Promise<ImportResult> {
  const { progress, signal, slice, plan, connector } = job;
  const dialect = postgresqlBuild(build.sideSchema, build.nodes);
  const staged = await stagePlan(build, job);
  const built = await buildGraph(build, { ...job, ...staged, dialect, timeZone: connector.timeZone });
  progress.report('post-load checks', 'Checking the graph');
  const whole = slice.sample === undefined && slice.since === undefined;
  const totals = await checkGraph(build, {
    pulls: [],
    mayCorrelateTwice: built.mayCorrelateTwice,
    dialect,
    signal,
    ...(whole ? { expectedEvents: built.expectedEvents } : {}),
  });
  const pairs = await build.query(`SELECT relationship, count(*) AS pairs FROM ${dialect.graph}.relation GROUP BY 1`, {
    signal,
  });
  const relationships = plan.relationships.map(({ name }) => ({
    name,
    pairs: Number(pairs.find((row) => row['relationship'] === name)?.['pairs'] ?? 0),
  }));
  const started = new Date(job.run.started);
  const warnings = [
    ...build.warnings,
    ...staged.warnings,
    ...built.warnings,
    ...(await timeRangeWarnings(build, dialect.graph, started)),
  ];
  const steps = [...staged.steps, ...built.steps];
  for (const step of compileSpread(staged.elements, dialect)) {
    progress.report('post-load checks', step.title, 0.7);
    steps.push(await runStep(build, step, signal));
  }
  const { elements } = built;
  const counts = { elements, relationships, totals };
  const record = {
    ...job.run,
    counts,
    warnings,
    steps,
    durationsMs: progress.durations(),
    ...(whole ? {} : { slice }),
  };
  await build.run(createRunSql(record, dialect), { signal });
  progress.report('post-load checks', 'Putting the graph in its place', 0.9);
  await build.publish(signal);
  return { elements, relationships, totals, warnings, steps };
}

interface StagedPlan {
  readonly elements: readonly StagedElement[];
  readonly relationships: readonly StagedRelationship[];
  readonly warnings: readonly string[];
  readonly steps: readonly StepReport[];
}

async function stagePlan(build: SourceBuild, { plan, progress, signal, slice }: SourceImportJob): Promise<StagedPlan> {
  const tasks = plan.elements.length + plan.relationships.length;
  const warnings: string[] = [];
  const steps: StepReport[] = [];
  const stage = async (name: string, query: CompiledQuery, table: string, sample?: number): Promise<LoadResult> => {
    progress.report('data pull', name, steps.length / tasks, 0);
    const started = performance.now();
    const loaded = await build
      .stage(query, table, { signal, ...(sample === undefined ? {} : { sample }) })
      .catch((error: unknown) => {
        throw new QueryFailure(error, query, name);
      });
    steps.push({ name: table, durationMs: Math.round(performance.now() - started), rows: loaded.sourceRows });
    progress.report('data pull', name, steps.length / tasks, loaded.sourceRows);
    return loaded;
  };
  for (const element of plan.elements) {
    const { query, activityName } = element;
    const columns = await build.columnsOf(query, { signal }).catch((error: unknown) => {
      throw new QueryFailure(error, query, activityName);
    });
    checkTimeColumns(element, columns);
    if (!build.readsTextTimes) refuseTextTimes(element, columns);
  }
  const elements: StagedElement[] = [];
  for (const element of plan.elements) {
    const loaded = await stage(element.activityName, element.query, element.table, slice.sample);
    elements.push(stagedElement(element, loaded));
  }
  const relationships: StagedRelationship[] = [];
  for (const relationship of plan.relationships) {
    const loaded = await stage(relationship.name, relationship.query, relationship.table);
    relationships.push({ plan: relationship, loaded });
  }
  if (slice.sample === undefined) {
    for (const element of elements) {
      const load = (query: CompiledQuery, table: string) => build.stage(query, table, { signal });
      const warning = await multiplicationWarning(build, load, element, signal);
      if (warning !== undefined) warnings.push(warning);
    }
  }
  return { elements, relationships, warnings, steps };
}

function refuseTextTimes({ activityName, query, element }: ElementPlan, columns: readonly QueryColumn[]): void {
  const { roles, columns: names } = query;
  for (const role of ['startTimestamp', 'changeTimestamp'] as const) {
    const name = roles[role];
    if (name === undefined || columns[names.indexOf(name)]?.sense !== 'text') continue;
    const range = element[role]?.range;
    throw new ImportError(
      'type-mismatch',
      `${name} of "${activityName}" is text: reading times from text inside the source needs PostgreSQL 16.`,
      {
        remedy: 'Choose a column with timestamps or dates, or use engine: embedded.',
        ...(range ? { range } : {}),
      },
    );
  }
}
