import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportPlanView, PlanStepView } from '../../../protocol/import-plan.ts';
import type { Connector, StagedColumn } from '../connectors/connector.ts';
import type { SourceBuild } from '../connectors/source-build.ts';
import { type BuildDialect, duckdbBuild, postgresqlBuild } from '../import/build/build-dialect.ts';
import { type BuildStep, compileBuild } from '../import/build/compile-build.ts';
import { compileSpread } from '../import/build/spread.ts';
import { stagedElement } from '../import/build/staged-element.ts';
import { graphChecks } from '../import/checks.ts';
import type { ImportPlan } from '../import/plan-import.ts';
import { QueryFailure } from '../import/query-failure.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import {
  type GraphFile,
  type Project,
  type ProjectSurroundings,
  connectorOf,
  describeSource,
  openProject,
} from '../project/open-project.ts';
import type { GraphOwner } from '../connectors/source-build.ts';
import { readStatus } from '../state/status-file.ts';
import { createBuildDatabase } from '../store/duckdb-store.ts';
import { toImportFailure } from './import-failure.ts';
import { entityPlace } from './entity-place.ts';
import { graphOwner } from './graphs-in-sources.ts';
import { sourceSchema, validPlan } from './import-plan.ts';
import { OperationError } from './operation-error.ts';

/**
 * Every statement and request of an import as it would run now, none of them executed. The source is asked for its tables
 * and for the columns of each query. Rejects with an `OperationError`.
 */
export async function showImportPlan(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  try {
    const project = await openProject(file, surroundings);
    const connector = await connectorOf(project.sourcesFile, project.source, surroundings);
    try {
      const catalog = await describeSource(project.sourcesFile, project.source, connector, { signal });
      const plan = validPlan(project, catalog);
      const schema = sourceSchema(project, connector);
      return schema !== undefined && connector.openBuild
        ? await sourcePlan(
            plan,
            connector,
            await connector.openBuild({ schema, owner: await ownerOf(project), signal, readOnly: true }),
            signal,
          )
        : await embeddedPlan(plan, connector, signal);
    } finally {
      await connector.close();
    }
  } catch (error) {
    throw error instanceof OperationError ? error : new OperationError(toImportFailure(error, file, signal), error);
  }
}

/** What the columns of a query are decides how its rows are staged: a database that stays empty is opened to ask for them. */
async function embeddedPlan(plan: ImportPlan, connector: Connector, signal: AbortSignal): Promise<ImportPlanView> {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'entity-graph-plan-'));
  try {
    const staging = await createBuildDatabase({ path: ':memory:', temporaryFolder });
    const queries = [...plan.elements, ...plan.relationships].map(({ query }) => query);
    try {
      const pull = await connector.openPull(staging, { signal });
      try {
        const steps = await planSteps(plan, {
          dialect: duckdbBuild,
          connector,
          columnsOf: (query) => pull.columnsOf(query, { signal }),
          pullParts: (query) => connector.steps(query, { kind: 'import', queries }),
          publishing: [],
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

async function ownerOf({ file, sourcesFile }: Project): Promise<GraphOwner> {
  const place = entityPlace(file, sourcesFile);
  return graphOwner(place, await readStatus(place.stateFolder, place.entity));
}

/** Inside the source all is one transaction, which this one leaves without having changed anything. */
async function sourcePlan(
  plan: ImportPlan,
  connector: Connector,
  build: SourceBuild,
  signal: AbortSignal,
): Promise<ImportPlanView> {
  try {
    const steps = await planSteps(plan, {
      dialect: postgresqlBuild(build.sideSchema, build.nodes),
      connector,
      columnsOf: (query) => build.columnsOf(query, { signal }),
      pullParts: async (query, table) => [await build.stageStep(query, table, { signal })],
      publishing: build.publishSteps,
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
  /** Statements that put the graph in its place. */
  readonly publishing: readonly string[];
}

async function planSteps(plan: ImportPlan, engine: PlannedEngine): Promise<readonly PlanStepView[]> {
  const { dialect, connector, publishing } = engine;
  const pulls: PlanStepView[] = [];
  const describe = async (subject: string, query: CompiledQuery, table: string) => {
    try {
      const parts = (await engine.pullParts(query, table)).map(shownPart);
      pulls.push({ name: table, title: `Rows of ${subject}`, phase: 'data pull', parts });
      return { sourceRows: 0, warnings: [], columns: await engine.columnsOf(query) };
    } catch (error) {
      throw new QueryFailure(error, query, subject);
    }
  };
  const elements = [];
  for (const element of plan.elements) {
    elements.push(stagedElement(element, await describe(element.activityName, element.query, element.table)));
  }
  const relationships = [];
  for (const relationship of plan.relationships) {
    const { name, query, table } = relationship;
    relationships.push({ plan: relationship, loaded: await describe(name, query, table) });
  }
  const { timeZone, hasRowOrder } = connector;
  const build = compileBuild({ dialect, elements, relationships, timeZone, hasRowOrder });
  const part = (title: string, text: string) => ({ kind: 'sql', dialect: dialect.name, title, text }) as const;
  const stepView =
    (phase: PlanStepView['phase']) =>
    ({ name, title, sql }: BuildStep): PlanStepView => ({ name, title, phase, parts: [part(title, sql)] });
  return [
    ...pulls,
    ...build.map(stepView('graph build')),
    {
      name: 'checks',
      title: 'Checks, each of which must count nothing',
      phase: 'post-load checks',
      parts: graphChecks(dialect).map(({ name, sql }) => part(name, sql)),
    },
    ...compileSpread(elements, dialect).map(stepView('post-load checks')),
    ...(publishing.length > 0
      ? [
          {
            name: 'publish',
            title: 'Puts the graph in its place',
            phase: 'post-load checks',
            parts: publishing.map((sql) => part('Executed', sql)),
          } as const,
        ]
      : []),
  ];
}

function shownPart({ kind, dialect, title, text }: PlanStepView['parts'][number]): PlanStepView['parts'][number] {
  return { kind, dialect, title, text };
}
