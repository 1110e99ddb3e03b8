import type { GraphTotals } from '../../../protocol/import-progress.ts';
import type { Connector, Pull } from '../connectors/connector.ts';
import { isSourceError } from '../connectors/source-error.ts';
import { dialectNamed } from '../dialects/index.ts';
import { graphTables, storeVersion } from '../graph-schema/graph-schema.ts';
import {
  type NamedTable,
  entityPropertiesColumns,
  entityPropertiesTable,
  namedTables,
  namedViews,
  propertiesColumns,
  propertiesTable,
} from '../graph-schema/table-names.ts';
import { elementEntityType, hasOwnEntity } from '../model/entity-graph.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import type { BuildFolder } from './build-folder.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { BuildStep } from './build/compile-build.ts';
import { type PropertyColumns, type ViewedGraph, createNamedViewsSql } from './build/named-views.ts';
import { processMapSteps } from './build/process-map-tables.ts';
import { createStoredOrderSql } from './build/process-map.ts';
import { publishStoreStep } from './build/staging-steps.ts';
import { createViewsSql } from './build/views.ts';
import { checkGraph } from './checks.ts';
import { ImportError } from './import-error.ts';
import { openStaging } from './open-staging.ts';
import type { ProgressReporter } from './progress.ts';
import type { ImportResult } from './run-import.ts';
import { type StepRunner, createStepRunner } from './step-runner.ts';

/** A graph built inside its source. */
interface FetchJob {
  readonly connector: Connector;
  readonly folder: BuildFolder;
  /** Its location in the source. */
  readonly schema: string;
  /** The run that built it: another graph may have replaced it. */
  readonly run: string;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
}

/**
 * Copies a graph from its source into the store of a build folder in one snapshot, checks it, and closes the database.
 * Rejects with a `SourceError`, an `ImportError`, the database's error, or the signal's reason.
 */
export async function fetchGraph(job: FetchJob): Promise<ImportResult> {
  const { connector, folder, signal } = job;
  const staging = await openStaging(folder);
  try {
    const pull = await connector.openPull(staging, { signal });
    try {
      return await copyGraph(staging, pull, job);
    } finally {
      await pull.close();
    }
  } finally {
    await staging.close();
  }
}

async function copyGraph(staging: BuildDatabase, pull: Pull, job: FetchJob): Promise<ImportResult> {
  const { progress, signal } = job;
  progress.report('data pull', 'Run of the import', 0);
  const run = await copyRun(staging, pull, job);
  const { elements, entities } = run.counts;
  const numbersOf = (entries: readonly unknown[]): readonly number[] => entries.map((_, index) => index + 1);
  const there = await tablesThere(staging, pull, job);
  const versioned = entities.flatMap(({ versions }, index) => (versions === undefined ? [] : [index + 1]));
  const tables = namedTables(numbersOf(elements), numbersOf(entities), versioned).filter(
    ({ name, schema, table }) => schema !== 'run' && table.isInSource && (table.isInEveryStore || there.has(name)),
  );
  const runner = createStepRunner(staging, signal);
  for (const [index, table] of tables.entries()) {
    const share = index / tables.length;
    progress.report('data pull', table.name, share, 0);
    const onRows = (read: number): void => progress.report('data pull', table.name, share, read);
    await runner.timed(
      table.name,
      () => copyTable(staging, pull, job, table, onRows),
      (rows) => ({ rows }),
    );
  }
  await fillTables(staging, runner, progress);
  const views = [...createViewsSql(duckdbBuild), ...createNamedViewsSql(await viewedGraph(staging, run.counts))];
  for (const { sql } of views) await staging.run(sql);
  progress.report('post-load checks', 'Checking the graph');
  const totals = await checkGraph(runner, {
    pulls: [],
    mayCorrelateTwice: true,
    mayLackEntity: true,
    hasEnds: true,
    isFetched: true,
    dialect: duckdbBuild,
  });
  refuseShortfall(totals, run.counts.totals);
  progress.report('post-load checks', 'Writing the graph', 0.7);
  await runner.run(publishStoreStep(duckdbBuild));
  return { ...run.counts, totals, warnings: run.warnings, steps: runner.reports };
}

/** What the copied tables are of, and their columns. */
async function viewedGraph(staging: BuildDatabase, counts: FetchedRun['counts']): Promise<ViewedGraph> {
  const [run] = await staging.query(`SELECT config FROM ${duckdbBuild.graph}.run`);
  const { graph } = parseEntityGraph(String(run?.['config'] ?? ''));
  const columns = await staging.query(
    `SELECT table_name AS name, column_name AS column, data_type AS type FROM duckdb_columns() WHERE database_name = '${duckdbBuild.graph}' ORDER BY table_name, column_index`,
  );
  const propertiesIn = (table: string, fixed: readonly string[]): PropertyColumns =>
    columns
      .filter(({ name, column }) => name === table && !fixed.includes(String(column)))
      .map(({ column, type }) => ({ name: String(column), type: String(type) }));
  return {
    dialect: duckdbBuild,
    names: namedViews({
      entityTypes: counts.entityTypes,
      elements: counts.elements.map(({ activityName }) => activityName),
    }),
    elements: graph.elements.map((element, index) => ({
      number: index + 1,
      entityType: hasOwnEntity(element) ? elementEntityType(element) : undefined,
      properties: propertiesIn(propertiesTable(index + 1), propertiesColumns),
    })),
    entities: graph.entities.map((entry, index) => ({
      number: index + 1,
      entityType: elementEntityType(entry) ?? '',
      properties: propertiesIn(entityPropertiesTable(index + 1), entityPropertiesColumns),
    })),
  };
}

/** The names of the tables in the schema of the graph. */
async function tablesThere(staging: BuildDatabase, pull: Pull, job: FetchJob): Promise<ReadonlySet<string>> {
  const { connector, signal } = job;
  const { identifiers, literals } = dialectNamed(connector.dialect);
  const path = pathOf(job);
  const list = [...path.slice(0, -1).map(identifiers.quote), 'information_schema', 'tables'].join('.');
  const sql = `SELECT CAST(table_name AS VARCHAR) AS name FROM ${list} WHERE table_schema = ${literals.quote(path.at(-1) ?? '')}`;
  const loaded = await pull.load(tableQuery(sql, connector), 'fetched_tables', { signal });
  const rows = await staging.query(`SELECT ${loaded.columns[0]?.stagedAs ?? ''} AS name FROM fetched_tables`);
  await staging.run('DROP TABLE fetched_tables');
  return new Set(rows.map(({ name }) => String(name)));
}

/** Creates the tables that the source lacks from the others. */
function fillingSteps(entityTypes: readonly string[]): readonly BuildStep[] {
  return [
    ...createStoredOrderSql(duckdbBuild).map((step) => ({ ...step, table: step.name })),
    ...processMapSteps(entityTypes, duckdbBuild, undefined),
  ];
}

async function fillTables(staging: BuildDatabase, runner: StepRunner, progress: ProgressReporter): Promise<void> {
  const types = await staging.query(`SELECT DISTINCT entity_type FROM ${duckdbBuild.graph}.entity`);
  // Without entities the map is empty too.
  const entityTypes = types.length === 0 ? [''] : types.map((row) => String(row['entity_type']));
  for (const step of fillingSteps(entityTypes)) {
    progress.report('graph build', step.title);
    await runner.create(step);
  }
}

/** Resolves to the number of rows. */
async function copyTable(
  staging: BuildDatabase,
  pull: Pull,
  job: FetchJob,
  { name, table }: NamedTable,
  onRows: (read: number) => void,
): Promise<number> {
  const { connector, signal } = job;
  // Properties keep the types of the source.
  const columns = table.isPerEntryOf ? undefined : Object.entries(table.columns);
  const { quote } = dialectNamed(connector.dialect).identifiers;
  const listed = columns?.map(([column]) => quote(column)).join(', ') ?? '*';
  const sql = `SELECT ${listed} FROM ${placeOf(job)}.${quote(name)}`;
  const staged = `fetched_${name}`;
  const loaded = await pull.load(tableQuery(sql, connector), staged, { signal, onRows });
  const selected = loaded.columns.map(({ stagedAs, name: found }, index) => {
    const [target, type] = columns?.[index] ?? [found, undefined];
    const value = type === undefined ? stagedAs : `CAST(${stagedAs} AS ${type})`;
    return `${value} AS ${quoteIdentifier(target)}`;
  });
  const order = table.sortedBy.map(quoteIdentifier).join(', ');
  await staging.run(
    `CREATE TABLE ${duckdbBuild.graph}.${quoteIdentifier(name)} AS SELECT ${selected.join(', ')} FROM ${quoteIdentifier(staged)}${order === '' ? '' : ` ORDER BY ${order}`}`,
    { signal },
  );
  await staging.run(`DROP TABLE ${quoteIdentifier(staged)}`);
  return loaded.sourceRows;
}

interface FetchedRun {
  readonly counts: Pick<ImportResult, 'elements' | 'entities' | 'relationships' | 'totals'> & {
    readonly entityTypes: readonly string[];
  };
  readonly warnings: readonly string[];
}

/** Copies the run record after verifying that it belongs to the requested graph. */
async function copyRun(staging: BuildDatabase, pull: Pull, job: FetchJob): Promise<FetchedRun> {
  const { connector, schema, run, signal } = job;
  const runColumns = Object.entries(graphTables.run.columns);
  const listed = runColumns
    .map(([name, type]) =>
      type === 'JSON' ? `CAST(${name} AS ${dialectNamed(connector.dialect).types.usual.text})` : name,
    )
    .join(', ');
  const query = tableQuery(`SELECT ${listed} FROM ${placeOf(job)}.run`, connector);
  const loaded = await pull.load(query, 'fetched_run', { signal }).catch((error: unknown) => {
    if (!isSourceError(error) || error.code !== 'object-missing') throw error;
    throw gone(`There is no graph in the schema ${schema} any more`, error);
  });
  const selected = runColumns.map(
    ([name, type], index) => `CAST(${loaded.columns[index]?.stagedAs} AS ${type}) AS ${name}`,
  );
  await staging.run(`CREATE TABLE ${duckdbBuild.graph}.run AS SELECT ${selected.join(', ')} FROM fetched_run`);
  const [row] = await staging.query(
    `SELECT id, format_version, counts::VARCHAR AS counts, warnings::VARCHAR AS warnings FROM ${duckdbBuild.graph}.run`,
  );
  if (row?.['id'] !== run) throw gone(`The graph in the schema ${schema} is that of another import`);
  if (row['format_version'] !== storeVersion)
    throw gone(`The graph in the schema ${schema} has the form of another version`);
  const counts = JSON.parse(String(row['counts'])) as FetchedRun['counts'];
  return { counts, warnings: JSON.parse(String(row['warnings'])) };
}

/** The schema with the tables, as SQL. */
function placeOf(job: FetchJob): string {
  const { quote } = dialectNamed(job.connector.dialect).identifiers;
  return pathOf(job).map(quote).join('.');
}

/** The schema with the tables, as the parts of its name. */
function pathOf({ connector, schema, run }: FetchJob): readonly string[] {
  return connector.graphPath?.({ schema, run }) ?? [schema];
}

function tableQuery(sql: string, { dialect }: Connector): CompiledQuery {
  return { dialect, sql, columns: [], dataObjects: [], fragments: [], references: [] };
}

function gone(message: string, cause?: unknown): ImportError {
  return new ImportError('graph-not-in-source', `${message}.`, { remedy: 'Import the entity graph again.', cause });
}

function refuseShortfall(arrived: GraphTotals, built: GraphTotals): void {
  const missing = (Object.keys(built) as (keyof GraphTotals)[]).find((name) => arrived[name] !== built[name]);
  if (missing === undefined) return;
  throw new ImportError(
    'check-failed',
    `The import counted ${built[missing]} ${missing}, but ${arrived[missing]} arrived.`,
    {
      remedy: 'Was the schema changed since? Import the entity graph again.',
    },
  );
}
