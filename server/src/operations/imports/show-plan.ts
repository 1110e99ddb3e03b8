import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportPlanView, PlanStepView } from '../../../../protocol/import-plan.ts';
import type { Connector, StagedColumn } from '../../connectors/connector.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import { type BuildDialect, duckdbBuild, sourceBuildDialect } from '../../import/build/build-dialect.ts';
import { type BuildStep, compileBuild } from '../../import/build/compile-build.ts';
import { correlatingRelationships, mayCorrelateTwice } from '../../import/build/correlations.ts';
import {
  elementCountsStep,
  eventCountsStep,
  timeOutOfRangeStep,
  noTimeStep,
  pairsStep,
} from '../../import/build/count-steps.ts';
import { eventsWithoutEntityStep, noListStep, unmatchedKeysStep } from '../../import/build/link-counts.ts';
import { masterDataCountsStep } from '../../import/build/master-data-counts.ts';
import { type StagedMasterData, stagedMasterData } from '../../import/build/master-data.ts';
import type { StatementsStep } from '../../import/build/plan-statement.ts';
import { runStep } from '../../import/build/run-record.ts';
import { compileDistribution } from '../../import/build/distribute-tables.ts';
import { type StagedElement, stagedElement } from '../../import/build/staged-element.ts';
import { fullCompressionStep, keepOrderStep, publishStoreStep, stagingStep } from '../../import/build/staging-steps.ts';
import { checksStep, timeRangeStep } from '../../import/checks.ts';
import { sharedKeysStep } from '../../import/shared-keys.ts';
import { keepRowsStep, openRowCacheStep, unchangedStep } from '../../import/row-cache.ts';
import { baseRowsStep } from '../../import/multiplied-rows.ts';
import { countStagedRowsSql } from '../../import/pull-plan.ts';
import { type ImportPlan, mayLackEntity, plannedPulls } from '../../import/plan-import.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import {
  type GraphFile,
  type Project,
  type ProjectContext,
  connectorOf,
  describeSource,
  openProject,
} from '../../project/open-project.ts';
import type { GraphOwner } from '../../connectors/source-build.ts';
import { readStatus } from '../../state/status-file.ts';
import { statePaths } from '../../state/state-folder.ts';
import { createBuildDatabase } from '../../store/duckdb-store.ts';
import { toImportFailure } from './import-failure.ts';
import { entityPlace } from './entity-place.ts';
import { graphOwner } from './graphs-in-sources.ts';
import { sourceSchema, validPlan } from './import-plan.ts';
import { OperationError } from '../operation-error.ts';

/**
 * Every statement and request of an import without executing them. The source is asked for its tables and the columns
 * of each query. Rejects with an `OperationError`.
 */
export async function showImportPlan(
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  try {
    const project = await openProject(file, projectContext);
    const connector = await connectorOf(project.sourcesFile, project.source, projectContext);
    try {
      const catalog = await describeSource(project.sourcesFile, project.source, connector, { signal, mayReuse: true });
      const plan = validPlan(project, catalog);
      const schema = sourceSchema(project, connector);
      return schema !== undefined && connector.openBuild
        ? await sourcePlan(
            plan,
            connector,
            await connector.openBuild({ schema, owner: await ownerOf(project), signal, readOnly: true }),
            signal,
          )
        : await embeddedPlan(plan, connector, await hasRowCache(project), signal);
    } finally {
      await connector.close();
    }
  } catch (error) {
    throw error instanceof OperationError ? error : new OperationError(toImportFailure(error, file, signal), error);
  }
}

/** Staging depends on the columns of a query, so an empty database is opened to determine them. */
async function embeddedPlan(
  plan: ImportPlan,
  connector: Connector,
  hasRowCache: boolean,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'entity-graph-plan-'));
  try {
    const staging = await createBuildDatabase({ path: ':memory:', temporaryFolder });
    const pulled = plannedPulls(plan);
    const [queries, tables] = [pulled.map(({ query }) => query), pulled.map(({ table }) => table)];
    const identities = plan.elements.filter(({ identity }) => identity?.query).map(({ table }) => `${table}_identity`);
    const { timeZone, hasRowOrder } = connector;
    const unchanged = connector.unchangedSteps?.(queries);
    try {
      const pull = await connector.openPull(staging, { signal });
      try {
        const steps = await planSteps(plan, {
          dialect: duckdbBuild,
          connector,
          columnsOf: (query) => pull.columnsOf(query, { signal }),
          pullParts: async (query, table) => [
            ...(await connector.steps(query, { kind: 'import', queries, table }, { signal })),
            { kind: 'sql', dialect: 'duckdb', title: 'What has arrived', text: countStagedRowsSql(table) },
          ],
          opening: [
            stagingStep(duckdbBuild, { timeZone, hasRowOrder }),
            ...(hasRowCache ? [openRowCacheStep(tables)] : []),
            ...(unchanged ? [unchangedStep(unchanged)] : []),
          ],
          staged: [...(hasRowOrder ? [] : [keepOrderStep]), fullCompressionStep],
          publishing: [publishStoreStep(duckdbBuild), ...(unchanged ? [keepRowsStep(tables, identities)] : [])],
        });
        return { engine: 'embedded', steps };
      } finally {
        await pull.close();
      }
    } finally {
      await staging.close();
    }
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

async function hasRowCache({ file, sourcesFile }: Project): Promise<boolean> {
  const place = entityPlace(file, sourcesFile);
  return (await stat(statePaths.rows(place.stateFolder, place.entity)).catch(() => undefined)) !== undefined;
}

async function ownerOf({ file, sourcesFile }: Project): Promise<GraphOwner> {
  const place = entityPlace(file, sourcesFile);
  return graphOwner(place, await readStatus(place.stateFolder, place.entity));
}

/** Statements inside the source, which is not changed. */
async function sourcePlan(
  plan: ImportPlan,
  connector: Connector,
  build: SourceBuild,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  try {
    const steps = await planSteps(plan, {
      dialect: sourceBuildDialect(connector.dialect, build.sideSchema, build.abilities),
      connector,
      columnsOf: (query) => build.columnsOf(query, { signal }),
      pullParts: (query, table) => build.stageSteps(query, table, { signal }),
      opening: [build.opening],
      staged: [],
      publishing: [build.publishing],
    });
    return { engine: 'source', steps };
  } finally {
    await build.close();
  }
}

interface PlannedEngine {
  readonly dialect: BuildDialect;
  readonly connector: Connector;
  columnsOf(query: CompiledQuery): Promise<readonly StagedColumn[]>;
  pullParts(query: CompiledQuery, table: string): Promise<PlanStepView['parts']>;
  /** Statements before the first row. */
  readonly opening: readonly StatementsStep[];
  /** Statements after the last row. */
  readonly staged: readonly StatementsStep[];
  /** Statements that publish the graph. */
  readonly publishing: readonly StatementsStep[];
}

async function planSteps(plan: ImportPlan, engine: PlannedEngine): Promise<readonly PlanStepView[]> {
  const { dialect, connector, opening, staged, publishing } = engine;
  const part = (title: string, text: string) => ({ kind: 'sql', dialect: dialect.name, title, text }) as const;
  const pulls: PlanStepView[] = [];
  const partsOf = async (subject: string, query: CompiledQuery, table: string): Promise<PlanStepView['parts']> =>
    (await engine.pullParts(query, table).catch(failedFor(query, subject))).map(shownPart);
  const describe = async (subject: string, query: CompiledQuery, table: string) => {
    const parts = await partsOf(subject, query, table);
    pulls.push({ name: table, title: `Rows of ${subject}`, phase: 'data pull', parts });
    const columns = await engine.columnsOf(query).catch(failedFor(query, subject));
    return { sourceRows: 0, warnings: [], columns };
  };
  const place = { dialect, timeZone: connector.timeZone };
  const elements: StagedElement[] = [];
  for (const element of plan.elements) {
    const { activityName, query, table } = element;
    const described = stagedElement(element, await describe(activityName, query, table));
    elements.push(described);
    const base = baseRowsStep(described, place);
    if (!base) continue;
    const parts = base.query ? await partsOf(activityName, base.query, base.name) : [];
    const title = `Rows of the data object of ${activityName}, which its joins may multiply`;
    pulls.push({ name: base.name, title, phase: 'data pull', parts: [...parts, part('Their number', base.sql)] });
  }
  const entities: StagedMasterData[] = [];
  for (const entry of plan.entities) {
    entities.push(stagedMasterData(entry, await describe(entry.name, entry.query, entry.table)));
  }
  const relationships = [];
  for (const relationship of plan.relationships) {
    const { name, query, table } = relationship;
    relationships.push({ plan: relationship, loaded: await describe(name, query, table) });
  }
  const build = compileBuild({
    ...place,
    elements,
    entities,
    relationships,
    paths: plan.paths,
    hasRowOrder: connector.hasRowOrder,
  });
  const created =
    (phase: PlanStepView['phase']) =>
    ({ name, title, sql }: BuildStep): PlanStepView => ({ name, title, phase, parts: [part(title, sql)] });
  const stated =
    (phase: PlanStepView['phase']) =>
    ({ name, title, statements }: StatementsStep): PlanStepView => {
      const parts = statements.map((each) => ({
        ...part(each.title, each.sql),
        dialect: each.dialect ?? dialect.name,
      }));
      return { name, title, phase, parts };
    };
  const checked = {
    dialect,
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(relationships, plan.paths), elements),
    mayLackEntity: mayLackEntity(plan),
  };
  const counted = { elements, entities };
  const unmatched = unmatchedKeysStep(counted, { ...place, hasRowOrder: connector.hasRowOrder });
  return [
    ...opening.map(stated('data pull')),
    ...pulls,
    ...staged.map(stated('graph build')),
    ...elements
      .flatMap((element) => [noTimeStep(element, place), noListStep(element, place)])
      .filter((step) => step !== undefined)
      .map(stated('graph build')),
    ...entities
      .map((entry) => timeOutOfRangeStep(entry, place))
      .filter((step) => step !== undefined)
      .map(stated('graph build')),
    ...build.map(created('graph build')),
    ...[
      eventCountsStep(dialect),
      ...elements.map((element) => elementCountsStep(element, counted, place)),
      ...entities.map((entry) => masterDataCountsStep(entry, dialect)),
      ...[unmatched, eventsWithoutEntityStep(elements, dialect)].filter((step) => step !== undefined),
    ].map(stated('graph build')),
    ...[
      checksStep(checked),
      pairsStep(dialect),
      timeRangeStep(dialect, new Date()),
      ...[sharedKeysStep(plan, dialect)].filter((step) => step !== undefined),
    ].map(stated('post-load checks')),
    ...compileDistribution(counted, dialect).map(created('post-load checks')),
    ...[runStep(dialect), ...publishing].map(stated('post-load checks')),
  ];
}

function failedFor(query: CompiledQuery, subject: string): (error: unknown) => never {
  return (error) => {
    throw new QueryFailure(error, query, subject);
  };
}

function shownPart({ kind, dialect, title, text }: PlanStepView['parts'][number]): PlanStepView['parts'][number] {
  return { kind, dialect, title, text };
}
