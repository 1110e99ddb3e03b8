import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { GraphTotals } from '../../../../protocol/import-progress.ts';
import type { BuiltTable } from '../../import/build/compile-build.ts';
import { createBuildFolder, emptyBuild, runId } from '../../import/build-folder.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ImportJob, ImportWithoutFiles } from '../../import/import-job.ts';
import type { ImportSources } from '../../import/import-source.ts';
import type { ProgressReporter } from '../../import/progress.ts';
import { runImport } from '../../import/run-import.ts';
import { storeTables } from '../../process-rules/judged-graph-tables.ts';
import { type ImportPlan, type PlannedPull, planImport, plannedPulls } from '../../import/plan-import.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { jointQuery } from '../../query/joint-query.ts';
import { type GraphFile, type Project, type ProjectContext, openProject } from '../../project/open-project.ts';
import { statePaths } from '../../state/state-folder.ts';
import { placeOfFile } from '../graph-files/entity-files.ts';
import type { EntityPlace } from '../imports/entity-place.ts';
import { builtGraphTables } from '../imports/built-graph-tables.ts';
import { firstMistake, refuseUnreadable, validPlan } from '../imports/import-plan.ts';
import { judgeStore, measureStore } from '../imports/judge-store.ts';
import { type OpenedSources, openSources } from '../imports/open-sources.ts';
import { runVersions } from '../imports/run-versions.ts';
import { OperationError } from '../operation-error.ts';
import { publishedStore } from './published-store.ts';
import type { SharedRead } from './shared-read.ts';

interface TextBuild {
  readonly projectContext: ProjectContext;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  /** A temporary folder of this build. */
  readonly folder: string;
  readonly shared: SharedRead;
  /** The rows of earlier builds, which are looked up before those of the last import. */
  readonly rows: readonly string[];
  /** Contacts no data source. */
  readonly isOffline: boolean;
  /** Other texts that will be built, whose rows are read in the same snapshots. */
  readonly others: (catalogs: ReadonlyMap<string, Catalog>) => Promise<readonly Project[]>;
}

/** A graph that is not published. */
export interface BuiltText {
  /** Absolute path. */
  readonly store: string;
  /** The file of the rows that were read, for the next build. */
  readonly rows: string | undefined;
  readonly totals: GraphTotals;
  /** What is known of its data sources, by name. */
  readonly catalogs: ReadonlyMap<string, Catalog>;
}

/** What is compared, and what rules and measures read. */
const comparedTables: ReadonlySet<BuiltTable> = new Set<BuiltTable>([
  ...(['entity', 'event', 'service_time', 'properties_<n>', 'entity_values_<n>', 'entity_properties_<n>'] as const),
  ...(['relation', 'event_entity', 'directly_follows', 'process_map'] as const),
]);

/** The graph of a base, which may be that of the last import. */
export type BuiltBase = Pick<BuiltText, 'store' | 'rows' | 'catalogs'>;

/**
 * Builds a text of an entity graph in a temporary folder, as an import would. Takes no lock, publishes nothing and notes
 * no state. Rejects like `runImport`, and with `fetch-first`.
 */
export function buildText(file: GraphFile, build: TextBuild): Promise<BuiltText> {
  return withText(file, build, (text) => buildOpened(text, build));
}

/** As `buildText`, but takes the graph of the last import as it is, if that is of this text and of unchanged rows. */
export function buildBase(file: GraphFile, build: TextBuild): Promise<BuiltBase> {
  return withText(file, build, async (text) => {
    const store = await publishedStore(text, build);
    return store === undefined ? buildOpened(text, build) : { store, rows: undefined, catalogs: text.opened.catalogs };
  });
}

/** A text with connected data sources. */
interface OpenedText {
  readonly file: GraphFile;
  readonly place: EntityPlace | undefined;
  readonly opened: OpenedSources;
  readonly job: ImportWithoutFiles;
}

async function withText<T>(file: GraphFile, build: TextBuild, use: (text: OpenedText) => Promise<T>): Promise<T> {
  const { projectContext, progress, signal, shared, isOffline } = build;
  refuseUnreadable(file);
  const project = await openProject(file, projectContext);
  const mistake = firstMistake(file, project.parsed, project.sourcesFile);
  if (mistake) throw mistake;
  if (project.parsed.graph.import.engine === 'source') throw builtInSource(file);
  const place = await placeOfFile(file.path, projectContext);
  const onProgress = (message: string): void => progress.report('schema discovery', message, 0.5);
  const opened = await openSources(
    project,
    projectContext,
    { signal, onProgress, mayReuse: true, usesKeptRows: isOffline, isOffline },
    async (name) => progress.report('schema discovery', `Reading the tables of ${name}`),
  );
  try {
    progress.report('validation', 'Checking the entity graph');
    const plan = validPlan(project, opened.catalog);
    const started = new Date();
    const [first, ...others] = opened.sources;
    const sources: ImportSources = isOffline
      ? opened.sources
      : [shared.source(first), ...others.map((source) => shared.source(source))];
    const run = {
      id: runId(started, randomBytes(2).toString('hex')),
      entity: place?.entity ?? file.path,
      config: file.text,
      configHash: createHash('sha256').update(file.text).digest('hex'),
      dataSource: project.source.name.value,
      started: started.toISOString(),
      versions: runVersions,
    };
    return await use({
      file,
      place,
      opened,
      job: { plan, sources, request: { kind: 'build' }, progress, signal, run },
    });
  } finally {
    await opened.close();
  }
}

async function buildOpened(text: OpenedText, build: TextBuild): Promise<BuiltText> {
  const { file, place, opened, job } = text;
  const { progress, signal, folder: path, rows: earlier, shared } = build;
  const folder = await createBuildFolder(path, job.run.id);
  const kept = place ? statePaths.rows(place.stateFolder, place.entity) : join(path, 'none');
  const [rowCache = kept, ...moreRows] = [...earlier, kept];
  const readsAhead = await planAhead(text, build);
  const whole: ImportJob = { ...job, tables: comparedTables, folder, rowCache, moreRows };
  const { hasRows, source, totals } = await runImport({ ...whole, readsAhead }).catch(async (error: unknown) => {
    signal.throwIfAborted();
    if (!shared.hasFailed) throw error;
    // Each query alone says what is wrong with it, and the others can be read.
    await emptyBuild(folder);
    return runImport(whole);
  });
  const tables = builtGraphTables(source, storeTables);
  await judgeStore(file, folder.store, progress, signal, tables);
  await measureStore(file, folder.store, progress, signal, tables);
  return { store: folder.store, rows: hasRows ? folder.rows : undefined, totals, catalogs: opened.catalogs };
}

/**
 * The queries of other texts that no build has read yet. Where they read the same rows as this text, with another
 * condition or other columns, they are read in one.
 */
async function planAhead(
  { opened, job: { plan } }: OpenedText,
  { others, shared, isOffline }: TextBuild,
): Promise<readonly PlannedPull[]> {
  if (isOffline) return [];
  const plans = (await others(opened.catalogs)).flatMap(({ parsed, sourcesFile }): readonly ImportPlan[] => {
    const catalog = combineCatalogs(parsed.graph, sourcesFile.sources, ({ name }) => opened.catalogs.get(name.value));
    const planned = catalog && planImport(parsed.graph, catalog);
    return planned && 'plan' in planned ? [planned.plan] : [];
  });
  const keyOf = ({ dataSource, query }: PlannedPull): string => JSON.stringify([dataSource, query.sql]);
  const own = new Set(plannedPulls(plan).map(keyOf));
  const ahead = new Map(plans.flatMap(plannedPulls).map((pull) => [keyOf(pull), pull]));
  const added = [...ahead].flatMap(([key, pull]) =>
    own.has(key) || shared.hasAsked(pull.dataSource, pull.query) ? [] : [pull],
  );
  const wanted = new Set(added.map(({ query }) => query.sql));
  for (const rows of rowsOf(plan)) {
    const same = plans.flatMap(rowsOf).filter(({ id, query }) => id === rows.id && wanted.has(query.sql));
    const joint = jointQuery([rows.query, ...new Map(same.map(({ query }) => [query.sql, query])).values()]);
    if (joint) shared.join(rows.dataSource, joint);
  }
  return added.map((pull, index) => ({ ...pull, table: `ahead_${index + 1}` }));
}

/** The queries of the rows of elements and entries of `entities`, and what is the same in other texts. */
function rowsOf({ elements, entities }: ImportPlan) {
  return [
    ...elements.map(({ activityName, dataSource, query }) => ({ name: activityName, dataSource, query })),
    ...entities.map(({ name, dataSource, query }) => ({ name, dataSource, query })),
  ].map((each) => ({ ...each, id: JSON.stringify([each.query.kind, each.name, each.dataSource]) }));
}

function builtInSource(file: GraphFile): OperationError {
  return new OperationError({
    code: 'fetch-first',
    message: `The graph of ${file.path} is built inside its data source (engine: source), where its effect cannot be compared.`,
    file: file.path,
    remedy:
      'Import it and fetch it before and after the edit, then compare both: entity-graph fetch, entity-graph diff.',
  });
}
