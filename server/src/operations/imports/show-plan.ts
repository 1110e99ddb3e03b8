import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportPlanView, PlanStepView } from '../../../../protocol/import-plan.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { Connector, Pull, StagedColumn } from '../../connectors/connector.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import { type BuildDialect, duckdbBuild, sourceBuildDialect } from '../../import/build/build-dialect.ts';
import type { BuildSource } from '../../import/build/build-source.ts';
import { type BuildStep, compileBuild } from '../../import/build/compile-build.ts';
import { correlatingRelationships, mayCorrelateTwice } from '../../import/build/correlations.ts';
import {
  elementCountsStep,
  eventCountsStep,
  entityTimesStep,
  noTimeStep,
  pairsStep,
} from '../../import/build/count-steps.ts';
import { expectationsStep, expectedRows } from '../../import/build/expectation-counts.ts';
import { datesBeforeTimesStep } from '../../import/build/dates-before-times.ts';
import { eventsWithoutEntityStep, noListStep, unmatchedKeysStep } from '../../import/build/link-counts.ts';
import { masterDataCountsStep } from '../../import/build/master-data-counts.ts';
import { type StagedMasterData, stagedMasterData } from '../../import/build/master-data.ts';
import type { StatementsStep } from '../../import/build/plan-statement.ts';
import { runStep } from '../../import/build/run-record.ts';
import { type StagedElement, stagedElement } from '../../import/build/staged-element.ts';
import { compressTextsStep, keepOrderStep, publishStoreStep, stagingStep } from '../../import/build/staging-steps.ts';
import { checksStep, timeRangeStep } from '../../import/checks.ts';
import { sharedKeysStep } from '../../import/shared-keys.ts';
import { lateEventsStep } from '../../import/late-events.ts';
import { cacheRowsStep, openRowCacheStep, unchangedStep } from '../../import/row-cache/row-cache-steps.ts';
import { baseRowsStep } from '../../import/multiplied-rows.ts';
import { countStagedRowsSql, inZone } from '../../import/pull-plan.ts';
import { type ImportSources, commonRows } from '../../import/import-source.ts';
import { type StagedEnd, joinEndsStep, joinedPairs } from '../../import/join-ends.ts';
import { graphRelations } from '../../import/run-source-import.ts';
import { plannedReads } from '../../import/planned-reads.ts';
import { type ImportPlan, type PlannedPull, mayLackEntity, plannedPulls } from '../../import/plan-import.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import { type GraphFile, type Project, type ProjectContext, openProject } from '../../project/open-project.ts';
import type { GraphOwner } from '../../connectors/source-build.ts';
import { readStatus } from '../../state/status-file.ts';
import { statePaths } from '../../state/state-folder.ts';
import { openOnSharedStaging } from '../../store/shared-staging.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { createBuildDatabase } from '../../store/duckdb-store.ts';
import { toImportFailure } from './import-failure.ts';
import { entityPlace } from './entity-place.ts';
import { graphOwner } from './graphs-in-sources.ts';
import { openSources } from './open-sources.ts';
import { sourceSchema, validPlan } from './import-plan.ts';
import { sourceRulesSteps, storeRulesSteps } from './rules-step.ts';
import { OperationError } from '../operation-error.ts';

/**
 * Every statement and request of an import without executing them. The source is asked for its tables and the columns
 * of each query. Rejects with an `OperationError`.
 */
export async function showImportPlan(
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
  onProgress?: (step: string) => void,
): Promise<ImportPlanView> {
  try {
    const project = await openProject(file, projectContext);
    const { sources, catalog, close } = await openSources(project, projectContext, {
      signal,
      mayReuse: true,
      onProgress,
    });
    const [{ connector }] = sources;
    try {
      const plan = validPlan(project, catalog);
      const { rules } = project.parsed.graph;
      const schema = sourceSchema(project, connector);
      return schema !== undefined && connector.openBuild
        ? await sourcePlan(
            plan,
            rules,
            connector,
            await connector.openBuild({ schema, owner: await ownerOf(project), signal, readOnly: true }),
            signal,
          )
        : await embeddedPlan(plan, rules, sources, catalog, await hasRowCache(project), signal);
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof OperationError ? error : new OperationError(toImportFailure(error, file, signal), error);
  }
}

/** Staging depends on the columns of a query, so an empty database is opened to determine them. */
async function embeddedPlan(
  plan: ImportPlan,
  rules: readonly ProcessRule[],
  sources: ImportSources,
  catalog: GraphCatalog,
  hasRowCache: boolean,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'entity-graph-plan-'));
  try {
    const staging = await createBuildDatabase({ path: ':memory:', temporaryFolder });
    const pulled = plannedPulls(plan);
    const tables = pulled.map(({ table }) => table);
    const queriesOf = (name: string): readonly CompiledQuery[] =>
      pulled.flatMap(({ dataSource, query }) => (dataSource === name ? [query] : []));
    const identities = plan.elements.filter(({ identity }) => identity?.query).map(({ table }) => `${table}_identity`);
    const common = commonRows(sources);
    const known = sources.flatMap(({ name, connector }) => connector.unchangedSteps?.(queriesOf(name)) ?? []);
    const unchanged = sources.some(({ connector }) => connector.unchangedSteps) ? known : undefined;
    const connectorNamed = (name: string): Connector => {
      const found = sources.find((source) => source.name === name);
      if (!found) throw new Error(`The data source ${name} was not opened.`);
      return found.connector;
    };
    const pulls = new Map<string, Pull>();
    try {
      try {
        const open = async (on: StagingDatabase): Promise<void> => {
          for (const { name, connector } of sources) pulls.set(name, await connector.openPull(on, { signal }));
        };
        await (sources.length === 1 ? open(staging) : openOnSharedStaging(staging, open));
        const steps = await planSteps(plan, {
          dialect: duckdbBuild,
          ...common,
          zoneOf: (name) => connectorNamed(name).timeZone,
          columnsOf: async (query, name) => (await pulls.get(name)?.columnsOf(query, { signal })) ?? [],
          pullParts: async (query, table, name) => [
            ...(await connectorNamed(name).steps(
              query,
              { kind: 'import', queries: queriesOf(name), table },
              { signal },
            )),
            { kind: 'sql', dialect: 'duckdb', title: 'What has arrived', text: countStagedRowsSql(table) },
          ],
          opening: [
            stagingStep(duckdbBuild, common),
            ...(hasRowCache ? [openRowCacheStep(tables)] : []),
            ...(unchanged ? [unchangedStep(unchanged)] : []),
          ],
          staged: [compressTextsStep, ...(common.hasRowOrder ? [] : [keepOrderStep])],
          publishing: (source) => [
            publishStoreStep(duckdbBuild),
            ...(unchanged || sources.length > 1 ? [cacheRowsStep(tables, identities)] : []),
            ...storeRulesSteps(rules, source),
          ],
        });
        const amounts = sources.length > 1 ? { dataSources: plannedReads(plan, sources, catalog) } : {};
        return { engine: 'embedded', ...amounts, steps };
      } finally {
        for (const pull of pulls.values()) await pull.close();
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

/**
 * Statements inside the source, which is not changed.
 * @param rules by which the import judges the graph
 */
async function sourcePlan(
  plan: ImportPlan,
  rules: readonly ProcessRule[],
  connector: Connector,
  build: SourceBuild,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  try {
    const steps = await planSteps(plan, {
      dialect: sourceBuildDialect(connector.dialect, build.side),
      timeZone: connector.timeZone,
      hasRowOrder: connector.hasRowOrder,
      zoneOf: () => connector.timeZone,
      columnsOf: (query) => build.columnsOf(query, { signal }),
      pullParts: (query, table) => build.stageSteps(query, table, { signal }),
      opening: [build.opening],
      staged: [],
      publishing: (source) => [
        ...sourceRulesSteps(rules, source, build),
        build.publishing(graphRelations(plan, rules.length > 0)),
      ],
    });
    return { engine: 'source', steps };
  } finally {
    await build.close();
  }
}

interface PlannedEngine {
  readonly dialect: BuildDialect;
  readonly timeZone: string;
  readonly hasRowOrder: boolean;
  /** The time zone of a data source. */
  zoneOf(dataSource: string): string;
  columnsOf(query: CompiledQuery, dataSource: string): Promise<readonly StagedColumn[]>;
  pullParts(query: CompiledQuery, table: string, dataSource: string): Promise<PlanStepView['parts']>;
  /** Statements before the first row. */
  readonly opening: readonly StatementsStep[];
  /** Statements after the last row of a graph. */
  readonly staged: readonly StatementsStep[];
  /** Statements that judge and publish the graph. */
  publishing(source: BuildSource): readonly StatementsStep[];
}

async function planSteps(plan: ImportPlan, engine: PlannedEngine): Promise<readonly PlanStepView[]> {
  const { dialect, timeZone, hasRowOrder, opening } = engine;
  const part = (title: string, text: string) => ({ kind: 'sql', dialect: dialect.name, title, text }) as const;
  const stated =
    (phase: PlanStepView['phase']) =>
    ({ name, title, statements }: StatementsStep): PlanStepView => {
      const parts = statements.map((each) => ({
        ...part(each.title, each.sql),
        dialect: each.dialect ?? dialect.name,
      }));
      return { name, title, phase, parts };
    };
  const pulls: PlanStepView[] = [];
  const partsOf = async ({ name, query, table, dataSource }: PlannedPull): Promise<PlanStepView['parts']> =>
    (await engine.pullParts(query, table, dataSource).catch(failedFor(query, name))).map(shownPart);
  const describe = async (planned: PlannedPull) => {
    const { name, query, table, dataSource } = planned;
    pulls.push({ name: table, title: `Rows of ${name}`, phase: 'data pull', parts: await partsOf(planned) });
    const columns = await engine.columnsOf(query, dataSource).catch(failedFor(query, name));
    const loaded = { sourceRows: 0, warnings: [], columns };
    return inZone(loaded, engine.zoneOf(dataSource), timeZone);
  };
  const place = { dialect, timeZone };
  const elements: StagedElement[] = [];
  for (const element of plan.elements) {
    const { activityName, dataSource, query, table } = element;
    const described = stagedElement(element, await describe({ name: activityName, dataSource, query, table }));
    elements.push(described);
    const base = baseRowsStep(described, place);
    if (!base) continue;
    const parts = base.query
      ? await partsOf({ name: activityName, dataSource, query: base.query, table: base.name })
      : [];
    const title = `Rows of the data object of ${activityName}, which its joins may multiply`;
    pulls.push({ name: base.name, title, phase: 'data pull', parts: [...parts, part('Their number', base.sql)] });
  }
  const entities: StagedMasterData[] = [];
  for (const entry of plan.entities) {
    entities.push(stagedMasterData(entry, await describe(entry)));
  }
  const relationships = [];
  for (const relationship of plan.relationships) {
    const { name, dataSource, query, table } = relationship;
    if (dataSource !== undefined) {
      relationships.push({ plan: relationship, loaded: await describe({ name, dataSource, query, table }) });
      continue;
    }
    const ends: StagedEnd[] = [];
    for (const end of query.ends ?? []) {
      ends.push({
        end,
        loaded: await describe({ name, dataSource: end.dataSource, query: end.query, table: end.table }),
      });
    }
    pulls.push(stated('data pull')(joinEndsStep(relationship, ends, place)));
    relationships.push({ plan: relationship, loaded: joinedPairs(relationship, 0) });
  }
  const source = { ...place, elements, entities, relationships, paths: plan.paths, hasRowOrder };
  const build = compileBuild(source);
  const created =
    (phase: PlanStepView['phase']) =>
    ({ name, title, sql, count }: BuildStep): PlanStepView => {
      const counted = count === undefined ? [] : [part('Number of its rows', count)];
      return { name, title, phase, parts: [part(title, sql), ...counted] };
    };
  const checked = {
    dialect,
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(relationships, plan.paths), elements),
    mayLackEntity: mayLackEntity(plan),
  };
  const counted = { elements, entities };
  const unmatched = unmatchedKeysStep(counted, { ...place, hasRowOrder });
  return [
    ...opening.map(stated('data pull')),
    ...pulls,
    ...engine.staged.map(stated('graph build')),
    ...elements
      .flatMap((element) => [noTimeStep(element, place), noListStep(element, place)])
      .filter((step) => step !== undefined)
      .map(stated('graph build')),
    ...entities
      .map((entry) => entityTimesStep(entry, place))
      .filter((step) => step !== undefined)
      .map(stated('graph build')),
    ...build.map(created('graph build')),
    ...[
      eventCountsStep(dialect),
      ...elements.map((element) => elementCountsStep(element, counted, place)),
      ...entities.map((entry) => masterDataCountsStep(entry, place)),
      ...expectedRows(elements, entities).map((rows) => expectationsStep(rows, place)),
      ...[unmatched, eventsWithoutEntityStep(elements, dialect), datesBeforeTimesStep(elements, dialect)].filter(
        (step) => step !== undefined,
      ),
    ].map(stated('graph build')),
    ...[
      checksStep(checked),
      ...(relationships.length + plan.paths.length > 0 ? [pairsStep(dialect)] : []),
      timeRangeStep(dialect, new Date()),
      ...[sharedKeysStep(plan, dialect), lateEventsStep(plan, dialect)].filter((step) => step !== undefined),
    ].map(stated('post-load checks')),
    ...[runStep(dialect), ...engine.publishing(source)].map(stated('post-load checks')),
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
