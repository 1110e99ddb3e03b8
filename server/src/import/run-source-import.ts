import { timeRoles } from '../../../protocol/fields/element.ts';
import { type ImportNote, noteText } from '../../../protocol/import-notes.ts';
import { entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import type { Connector, LoadResult, QueryColumn } from '../connectors/connector.ts';
import { type GraphOwner, type SourceBuild, abilityWarnings } from '../connectors/source-build.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { buildGraph } from './build-graph.ts';
import { type BuildDialect, sourceBuildDialect } from './build/build-dialect.ts';
import type { BuildSource } from './build/build-source.ts';
import type { StagedRelationship } from './build/correlations.ts';
import { runStep } from './build/run-record.ts';
import { type StagedMasterData, stagedMasterData } from './build/master-data.ts';
import { type StagedElement, stagedElement } from './build/staged-element.ts';
import { checkTimeColumns, checkValidFrom } from './check-time-columns.ts';
import { checkGraph, timeRangeNotes } from './checks.ts';
import { applyGuards } from './guards.ts';
import { countPairs } from './count-pairs.ts';
import { ImportError } from './import-error.ts';
import { isWhole, sliceOf } from './import-slice.ts';
import type { ImportJob } from './import-job.ts';
import { viewsNamed } from './build/compile-build.ts';
import { type FoundTables, relationsInSource } from '../graph-schema/table-names.ts';
import { baseRowsStep, multiplicationNote } from './multiplied-rows.ts';
import { type ElementPlan, type ImportPlan, type MasterDataPlan, hasEnds, mayLackEntity } from './plan-import.ts';
import { inZone } from './pulling.ts';
import { QueryFailure } from './query-failure.ts';
import type { ImportResult } from './run-import.ts';
import { type StepRunner, createStepRunner } from './step-runner.ts';

/** Input of an import inside its source. */
interface SourceImportJob extends Omit<ImportJob, 'folder' | 'rowCache' | 'isRowCacheCopied' | 'sources'> {
  readonly connector: Connector;
  /** The schema of the graph. */
  readonly schema: string;
  readonly owner: GraphOwner;
  /** The steps that judge and measure the built graph before it is published. */
  readonly judging: readonly JudgingStep[];
  /** Records that the graph may be published from now on. Rejects if it must not be. */
  readonly beforePublishing: () => Promise<void>;
}

export interface JudgingStep {
  readonly name: FoundTables;
  /** For the progress. */
  readonly label: string;
  run(build: SourceBuild, source: BuildSource): Promise<void>;
}

/**
 * Stages, builds, checks and publishes a graph inside its source, without changes on failure. Rejects with a
 * `SourceError`, an `ImportError` or the signal's reason.
 */
export async function runSourceImport(job: SourceImportJob, openBuild: OpenBuild): Promise<ImportResult> {
  const { signal, schema, owner, progress } = job;
  progress.report('data pull', 'Connecting to the data source');
  const opening = performance.now();
  const build = await openBuild({ schema, owner, signal, run: job.run.id });
  const opened = { name: build.opening.name, durationMs: Math.round(performance.now() - opening) };
  try {
    return await buildInSource(build, createStepRunner(build, signal, [opened]), job);
  } finally {
    await build.close();
  }
}

export type OpenBuild = NonNullable<Connector['openBuild']>;

async function buildInSource(build: SourceBuild, runner: StepRunner, job: SourceImportJob): Promise<ImportResult> {
  const { progress, signal, request, plan, connector } = job;
  const [whole, slice] = [isWhole(request), sliceOf(request)];
  const dialect = sourceBuildDialect(connector.dialect, build.side);
  const staged = await stagePlan(build, runner, job, dialect);
  const { timeZone, hasRowOrder } = connector;
  const place = { dialect, timeZone, hasRowOrder };
  const built = await buildGraph(runner, { ...job, ...staged, ...place, slice });
  progress.report('post-load checks', 'Checking the graph');
  const totals = await checkGraph(runner, {
    pulls: [],
    mayCorrelateTwice: built.mayCorrelateTwice,
    mayLackEntity: mayLackEntity(plan),
    hasEnds: hasEnds(plan),
    dialect,
    expectedEvents: whole ? built.expectedEvents : undefined,
  });
  const relationships = await countPairs(runner, plan, dialect, { ...built, isWhole: whole });
  const guarded = applyGuards(job.guards, { ...built, relationships });
  const started = new Date(job.run.started);
  const judging = whole ? job.judging : [];
  const notes = [
    ...[...build.warnings, ...abilityWarnings(build.abilities)].map((warning): ImportNote => [warning]),
    ...staged.notes,
    ...built.notes,
    ...(await timeRangeNotes(runner, dialect, started)),
    ...guarded.notes,
  ];
  const warnings = notes.map(noteText);
  const { elements, entities } = built;
  const expected = built.expectations && { expectations: built.expectations };
  const record = {
    ...job.run,
    counts: {
      elements,
      entities,
      relationships,
      totals,
      ...expected,
      ...(guarded.accepted.length > 0 && { acceptedGuards: guarded.accepted }),
      entityTypes: entityTypesInOrder(job.plan.elements, job.plan.entities),
      notes,
    },
    warnings,
    steps: runner.reports,
    durationsMs: progress.durations(),
    ...(whole ? {} : { slice }),
  };
  await runner.run(runStep(dialect, record));
  for (const { name, label, run } of judging) {
    progress.report('post-load checks', label, 0.8);
    await runner.timed(name, () => run(build, { ...staged, ...place, paths: plan.paths }));
  }
  progress.reportPublication();
  const relations = graphRelations(
    plan,
    judging.map(({ name }) => name),
  );
  await job.beforePublishing();
  await runner.timed(build.publishing(relations).name, () => build.publish(relations, signal));
  const guards = guarded.broken.length > 0 && { guards: guarded.broken };
  return { elements, entities, relationships, totals, ...expected, ...guards, warnings, notes, steps: runner.reports };
}

/** The tables and views of the graph of a plan, as built inside its source. */
export function graphRelations(
  plan: Pick<ImportPlan, 'elements' | 'entities'>,
  found: readonly FoundTables[],
): readonly string[] {
  const { elements, entities } = plan;
  const numbersOf = (entries: readonly { readonly number: number }[]): readonly number[] =>
    entries.map(({ number }) => number);
  const versioned = entities.filter(({ entry }) => entry.validFrom);
  return relationsInSource({
    elements: numbersOf(elements),
    entities: numbersOf(entities),
    versioned: numbersOf(versioned),
    found,
    hasEnds: hasEnds(plan),
    views: viewsNamed(plan),
  });
}

interface StagedPlan {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly relationships: readonly StagedRelationship[];
  readonly notes: readonly ImportNote[];
}

async function stagePlan(
  build: SourceBuild,
  runner: StepRunner,
  job: SourceImportJob,
  dialect: BuildDialect,
): Promise<StagedPlan> {
  const { plan, progress, signal, request } = job;
  const tasks = plan.elements.length + plan.entities.length + plan.relationships.length;
  const notes: ImportNote[] = [];
  const place = { dialect, timeZone: job.connector.timeZone };
  let done = 0;
  const stage = async (name: string, query: CompiledQuery, table: string, sample?: number): Promise<LoadResult> => {
    progress.report('data pull', name, done / tasks, 0);
    const stageTable = () =>
      build.stage(query, table, { signal, sample }).catch((error: unknown) => {
        throw new QueryFailure(error, query, name);
      });
    const loaded = await runner.timed(table, stageTable, ({ sourceRows }) => ({ rows: sourceRows }));
    done += 1;
    progress.report('data pull', name, done / tasks, loaded.sourceRows);
    return inZone(loaded, query, place.timeZone, place.timeZone);
  };
  for (const element of plan.elements) {
    const { query, activityName } = element;
    const columns = await build.columnsOf(query, { signal }).catch((error: unknown) => {
      throw new QueryFailure(error, query, activityName);
    });
    checkTimeColumns(element, columns);
    const { textTimes } = build.abilities;
    if (textTimes !== true) {
      refuseTextTimes(element, columns, textTimes.need);
      refuseTextLists(element, columns, textTimes.need);
    }
  }
  for (const entry of plan.entities.filter(({ entry: { validFrom } }) => validFrom)) {
    const columns = await build.columnsOf(entry.query, { signal }).catch((error: unknown) => {
      throw new QueryFailure(error, entry.query, entry.name);
    });
    checkValidFrom(entry, columns);
    const { textTimes } = build.abilities;
    if (textTimes !== true) refuseTextValidFrom(entry, columns, textTimes.need);
  }
  const elements: StagedElement[] = [];
  for (const element of plan.elements) {
    const loaded = await stage(element.activityName, element.query, element.table, request.sample);
    const staged = stagedElement(element, loaded);
    elements.push(staged);
    // A sample cannot be compared with all rows.
    const step = request.sample === undefined ? baseRowsStep(staged, place) : undefined;
    if (!step) continue;
    const load = (query: CompiledQuery, table: string) => build.stage(query, table, { signal });
    const note = await runner.timed(step.name, () =>
      multiplicationNote(build, load, staged, step, signal, sliceOf(request)),
    );
    if (note) notes.push(note);
  }
  const entities: StagedMasterData[] = [];
  for (const entry of plan.entities) {
    entities.push(stagedMasterData(entry, await stage(entry.name, entry.query, entry.table, request.sample)));
  }
  const relationships: StagedRelationship[] = [];
  for (const relationship of plan.relationships) {
    const loaded = await stage(relationship.name, relationship.query, relationship.table);
    relationships.push({ plan: relationship, loaded });
  }
  return { elements, entities, relationships, notes };
}

function refuseTextTimes(
  { activityName, query, element }: ElementPlan,
  columns: readonly QueryColumn[],
  need: string,
): void {
  const { roles, columns: names } = query;
  for (const role of timeRoles) {
    const name = roles[role];
    if (name === undefined || columns[names.indexOf(name)]?.sense !== 'text') continue;
    throw textTime(`${name} of "${activityName}"`, need, element[role]?.range);
  }
}

function refuseTextValidFrom(
  { name, query, entry }: MasterDataPlan,
  columns: readonly QueryColumn[],
  need: string,
): void {
  const { validFrom } = query.roles;
  if (validFrom === undefined || columns[query.columns.indexOf(validFrom)]?.sense !== 'text') return;
  throw textTime(`${validFrom} of "${name}"`, need, entry.validFrom?.range);
}

function textTime(subject: string, need: string, range: SourceRange | undefined): ImportError {
  return new ImportError(
    'type-mismatch',
    `${subject} is text: reading times from text inside the source needs ${need}.`,
    {
      remedy: 'Choose a column with timestamps or dates, or use engine: embedded.',
      range,
    },
  );
}

/** Rejects lists in text columns on servers without an SQL test for valid JSON. */
function refuseTextLists(
  { activityName, query, correlatesWith }: ElementPlan,
  columns: readonly QueryColumn[],
  need: string,
): void {
  for (const [index, { list, correlation }] of correlatesWith.entries()) {
    const [name] = query.roles.correlatesWith?.[index] ?? [];
    if (list?.kind !== 'each' || name === undefined) continue;
    if (columns[query.columns.indexOf(name)]?.sense === 'json') continue;
    throw new ImportError(
      'type-mismatch',
      `${name} of "${activityName}" is text: reading lists from text inside the source needs ${need}.`,
      {
        remedy: 'Choose a column with arrays or JSON, use separator, or use engine: embedded.',
        range: (correlation.each ?? correlation).range,
      },
    );
  }
}
