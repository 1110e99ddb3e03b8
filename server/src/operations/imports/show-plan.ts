import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportPlanView, PlanStepView } from '../../../../protocol/import-plan.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { Connector, Pull } from '../../connectors/connector.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import { duckdbBuild, sourceBuildDialect } from '../../import/build/build-dialect.ts';
import { compressTextsStep, keepOrderStep, publishStoreStep, stagingStep } from '../../import/build/staging-steps.ts';
import { cacheRowsStep, openRowCacheStep, unchangedStep } from '../../import/row-cache/row-cache-steps.ts';
import { countStagedRowsSql } from '../../import/pulling.ts';
import { type ImportSources, commonRows } from '../../import/import-source.ts';
import type { FoundTables } from '../../graph-schema/table-names.ts';
import { graphRelations } from '../../import/run-source-import.ts';
import { guardText } from '../../import/guards.ts';
import { lastWholeCounts } from '../../state/entity-status.ts';
import { plannedReads } from '../../import/planned-reads.ts';
import { type ImportPlan, plannedPulls } from '../../import/plan-import.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
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
import { planSteps } from './plan-steps.ts';
import { refuseUnreadable, sourceSchema, validPlan } from './import-plan.ts';
import { sourceMeasuresSteps, storeMeasuresSteps } from './measures-step.ts';
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
    refuseUnreadable(file);
    const project = await openProject(file, projectContext);
    const { sources, catalog, close } = await openSources(project, projectContext, {
      signal,
      mayReuse: true,
      onProgress,
    });
    const [{ connector }] = sources;
    try {
      const plan = validPlan(project, catalog);
      const { graph } = project.parsed;
      const schema = sourceSchema(project, connector);
      const view =
        schema !== undefined && connector.openBuild
          ? await sourcePlan(
              plan,
              graph,
              connector,
              await connector.openBuild({ schema, owner: await ownerOf(project), signal, readOnly: true }),
              signal,
            )
          : await embeddedPlan(plan, graph, sources, catalog, await hasRowCache(project), signal);
      return await withGuards(view, project);
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof OperationError ? error : new OperationError(toImportFailure(error, file, signal), error);
  }
}

/** Guards are judged after all counts, before the graph is published. */
async function withGuards(view: ImportPlanView, { file, sourcesFile, parsed }: Project): Promise<ImportPlanView> {
  const { guards } = parsed.graph;
  if (guards.length === 0) return view;
  const place = entityPlace(file, sourcesFile);
  const before = lastWholeCounts(await readStatus(place.stateFolder, place.entity));
  const text = guards.map((guard) => `-- ${guardText(guard, before)}`).join('\n');
  const title = 'What the import may lose at most';
  const guarding: PlanStepView = {
    name: 'guards',
    title,
    phase: 'post-load checks',
    parts: [{ kind: 'sql', dialect: view.steps[0]?.parts[0]?.dialect ?? 'duckdb', title, text }],
  };
  const at = view.steps.findIndex(({ name }) => name === 'run');
  return { ...view, steps: view.steps.toSpliced(at < 0 ? view.steps.length : at, 0, guarding) };
}

/** What of a file judges and measures the built graph. */
type JudgingTexts = Pick<EntityGraph, 'rules' | 'measures'>;

function foundTablesOf({ rules, measures }: JudgingTexts): readonly FoundTables[] {
  return [...(rules.length > 0 ? ['rules' as const] : []), ...(measures.length > 0 ? ['measures' as const] : [])];
}

/** Staging depends on the columns of a query, so an empty database is opened to determine them. */
async function embeddedPlan(
  plan: ImportPlan,
  { rules, measures }: JudgingTexts,
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
            ...storeMeasuresSteps(measures, source),
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
 * @param texts by which the import judges and measures the graph
 */
async function sourcePlan(
  plan: ImportPlan,
  { rules, measures }: JudgingTexts,
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
        ...sourceMeasuresSteps(measures, source, build),
        build.publishing(graphRelations(plan, foundTablesOf({ rules, measures }))),
      ],
    });
    return { engine: 'source', steps };
  } finally {
    await build.close();
  }
}
