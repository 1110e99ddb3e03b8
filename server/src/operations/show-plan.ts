import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportPlanView, PlanStepView } from '../../../protocol/import-plan.ts';
import type { Connector, Pull } from '../connectors/connector.ts';
import { duckdbBuild } from '../import/build/build-dialect.ts';
import { compileBuild } from '../import/build/compile-build.ts';
import { stagedElement } from '../import/build/staged-element.ts';
import { graphChecks } from '../import/checks.ts';
import type { ImportPlan } from '../import/plan-import.ts';
import { QueryFailure } from '../import/query-failure.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import {
  type GraphFile,
  type ProjectSurroundings,
  connectorOf,
  describeSource,
  openProject,
} from '../project/open-project.ts';
import { createBuildDatabase } from '../store/duckdb-store.ts';
import { toImportFailure } from './import-failure.ts';
import { validPlan } from './import-plan.ts';
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
      return await embeddedPlan(validPlan(project, catalog), connector, signal);
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
    try {
      const pull = await connector.openPull(staging, { signal });
      try {
        return { engine: 'embedded', steps: await planSteps(plan, connector, pull, signal) };
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

async function planSteps(
  plan: ImportPlan,
  connector: Connector,
  pull: Pull,
  signal: AbortSignal,
): Promise<readonly PlanStepView[]> {
  const pulls: PlanStepView[] = [];
  const columnsOf = async (subject: string, query: CompiledQuery, table: string) => {
    try {
      const parts = await connector.steps(query, { kind: 'import' });
      pulls.push({ name: table, title: `Rows of ${subject}`, phase: 'data pull', parts: parts.map(shownPart) });
      return { sourceRows: 0, warnings: [], columns: await pull.columnsOf(query, { signal }) };
    } catch (error) {
      throw new QueryFailure(error, query, subject);
    }
  };
  const elements = [];
  for (const element of plan.elements) {
    elements.push(stagedElement(element, await columnsOf(element.activityName, element.query, element.table)));
  }
  const relationships = [];
  for (const relationship of plan.relationships) {
    const { name, query, table } = relationship;
    relationships.push({ plan: relationship, loaded: await columnsOf(name, query, table) });
  }
  const { timeZone, hasRowOrder } = connector;
  const build = compileBuild({ dialect: duckdbBuild, elements, relationships, timeZone, hasRowOrder });
  const part = (title: string, text: string) => ({ kind: 'sql', dialect: 'duckdb', title, text }) as const;
  return [
    ...pulls,
    ...build.map(({ name, title, sql }): PlanStepView => ({
      name,
      title,
      phase: 'graph build',
      parts: [part(title, sql)],
    })),
    {
      name: 'checks',
      title: 'Checks, each of which must count nothing',
      phase: 'post-load checks',
      parts: graphChecks(duckdbBuild.graph).map(({ name, sql }) => part(name, sql)),
    },
  ];
}

function shownPart({ kind, dialect, title, text }: PlanStepView['parts'][number]): PlanStepView['parts'][number] {
  return { kind, dialect, title, text };
}
