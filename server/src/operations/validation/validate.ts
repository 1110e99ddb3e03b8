import { basename, resolve } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Connector } from '../../connectors/connector.ts';
import { type SourceError, isSourceError } from '../../connectors/source-error.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { createEntryCache } from '../../language/checks/entry-cache.ts';
import { withCatalogAge } from '../../language/catalog-knowledge.ts';
import { type GraphValidation, validateDataSources, validateInTime } from '../../language/validation/validate-graph.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { isTestFile } from '../../project/list-entity-files.ts';
import { problemsOfTests } from '../graph-tests/problems-of-tests.ts';
import { findSourceUses } from '../../project/find-source-uses.ts';
import { sourcesFileNames } from '../../project/find-sources.ts';
import {
  type ProjectContext,
  type SourcesFile,
  cachedCatalog,
  connectorOf,
  describeSource,
  findSources,
  sourcesAbove,
  readGraphFile,
} from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { createTimeSlices } from '../../project/time-slices.ts';
import { sqlValidatorsOf } from '../../sql/sql-validator-of.ts';
import { checkOnline } from './check-online.ts';
import { openDuckDbValidator } from './duckdb-validator.ts';

export interface ValidatedFile {
  readonly path: string;
  readonly text: string;
  readonly problems: readonly Problem[];
  /** What could not be validated and why, and settings of its data sources without effect; no problems of the file. */
  readonly notes: readonly string[];
}

/**
 * Diagnostics of one entity graph, sources file or file of tests on disk. `online` reads the catalog from the source; otherwise the
 * cached catalog is used, and local files are read. Rejects when `signal` is aborted.
 */
export async function validateFile(
  path: string,
  projectContext: ProjectContext,
  options: { readonly online: boolean; readonly signal?: AbortSignal | undefined },
): Promise<ValidatedFile> {
  const file = await readGraphFile(path, projectContext);
  if ((sourcesFileNames as readonly string[]).includes(basename(path))) {
    const usedSources = await findSourceUses(resolve(path), projectContext);
    const { catalogs, notes } = await catalogsOf(resolve(path), file.text, projectContext, options);
    return { ...file, problems: validateDataSources({ text: file.text, usedSources, catalogs }), notes };
  }
  if (isTestFile(path)) return { ...file, problems: await problemsOfTests(file, projectContext), notes: [] };
  const sourcesFile = await findSources(path, projectContext);
  const parsed = await readGraphText(file.text);
  options.signal?.throwIfAborted();
  const source = sourceOf(parsed, sourcesFile);
  const connection = source && sourcesFile ? await connect(sourcesFile, source, projectContext, options) : undefined;
  const opened: Connector[] = connection && !isSourceError(connection) ? [connection] : [];
  try {
    const found =
      source && sourcesFile
        ? await catalogFor(sourcesFile, source, connection, projectContext, options)
        : { notes: [] };
    const others = sourcesFile
      ? await otherSources(parsed, sourcesFile, projectContext, options, opened)
      : new Map<string, OtherSource>();
    const catalog =
      sourcesFile &&
      combineCatalogs(parsed.graph, sourcesFile.sources, (each) =>
        each === source ? found.catalog : others.get(each.name.value)?.catalog,
      );
    const above = sourcesFile ? undefined : await sourcesAbove(path, projectContext);
    const problems = await diagnosed(file.text, parsed, { sourcesFile, above, catalog }, options.signal);
    const asked: Problem[] = [];
    if (options.online && catalog) {
      const names = [source?.name.value ?? '', ...others.keys()];
      const connections = [connection, ...[...others.values()].map((each) => each.connection)];
      for (const [index, each] of connections.entries()) {
        if (!each || isSourceError(each)) continue;
        asked.push(...(await checkOnline(parsed, catalog, names[index] ?? '', each, problems, options)));
      }
    }
    const notes = [...found.notes, ...[...others.values()].flatMap((each) => each.notes)];
    return { ...file, problems: withCatalogAge(merged(problems, asked), catalog, Date.now()), notes };
  } finally {
    for (const each of opened) await each.close();
  }
}

/** With `online`, the catalogs of the data sources of a file that can be read, by name, and why the others cannot. */
async function catalogsOf(
  path: string,
  text: string,
  projectContext: ProjectContext,
  options: ValidateOptions,
): Promise<{ readonly catalogs: ReadonlyMap<string, Catalog>; readonly notes: readonly string[] }> {
  const catalogs = new Map<string, Catalog>();
  const notes: string[] = [];
  if (!options.online) return { catalogs, notes };
  const sourcesFile = { path, text, ...parseDataSources(text) };
  for (const source of sourcesFile.sources.sources) {
    options.signal?.throwIfAborted();
    const connection = await connect(sourcesFile, source, projectContext, { ...options, online: true }).catch(
      unlessSourceError,
    );
    if (!connection) continue;
    if (isSourceError(connection)) {
      notes.push(`${source.name.value} was not read: ${connection.message}`);
      continue;
    }
    try {
      const { signal } = options;
      catalogs.set(
        source.name.value,
        await describeSource(sourcesFile, source, connection, projectContext, { signal, mayReuse: true }),
      );
    } catch (error) {
      notes.push(`${source.name.value} was not read: ${unlessSourceError(error).message}`);
    } finally {
      await connection.close();
    }
  }
  return { catalogs, notes };
}

/** Throws what is none. */
function unlessSourceError(error: unknown): SourceError {
  if (isSourceError(error)) return error;
  throw error;
}

/** A data source that a graph names besides that of the file. Its connection, if it was opened, is closed by the caller. */
interface OtherSource extends FoundCatalog {
  readonly connection: Connector | SourceError | undefined;
}

/** The data sources that a graph names besides that of the file, by name. @param opened gets their connections */
async function otherSources(
  parsed: ParsedEntityGraph,
  sourcesFile: SourcesFile,
  projectContext: ProjectContext,
  options: ValidateOptions,
  opened: Connector[],
): Promise<ReadonlyMap<string, OtherSource>> {
  const found = new Map<string, OtherSource>();
  for (const name of dataSourcesNamed(parsed.graph)) {
    const source = sourcesFile.sources.sources.find((each) => each.name.value === name);
    if (!source || name === parsed.graph.dataSource?.value) continue;
    const connection = await connect(sourcesFile, source, projectContext, options);
    if (connection && !isSourceError(connection)) opened.push(connection);
    const known = await catalogFor(sourcesFile, source, connection, projectContext, options);
    found.set(name, { ...known, connection });
  }
  return found;
}

/** The server's result replaces uncertain problems at the same position, and certain ones are not repeated. */
function merged(problems: readonly Problem[], asked: readonly Problem[]): readonly Problem[] {
  const isIn = (list: readonly Problem[], { range }: Problem): boolean =>
    list.some((each) => each.range.start === range.start);
  const certain = problems.filter(({ severity }) => severity === 'error');
  const unsure = problems.filter((each) => each.severity !== 'error' && !isIn(asked, each));
  const added = asked.filter((each) => !isIn(certain, each));
  return [...certain, ...unsure, ...added].toSorted((left, right) => left.range.start - right.range.start);
}

function sourceOf(parsed: ParsedEntityGraph, sourcesFile: SourcesFile | undefined): DataSource | undefined {
  const name = parsed.graph.dataSource?.value;
  return sourcesFile?.sources.sources.find((candidate) => candidate.name.value === name);
}

/** What is known of the data sources of a graph. */
interface KnownSources {
  readonly sourcesFile: SourcesFile | undefined;
  /** If none applies, one above the workspace folder. */
  readonly above: string | undefined;
  readonly catalog: Catalog | undefined;
}

/** Rules that wait for DuckDB's parser run again when it has answered. */
async function diagnosed(
  text: string,
  parsed: ParsedEntityGraph,
  { sourcesFile, above, catalog }: KnownSources,
  signal: AbortSignal | undefined,
): Promise<readonly Problem[]> {
  const sources = sourcesFile?.sources;
  const known = { text, parsed, sources, sourcesAbove: above, catalog };
  const sql = openDuckDbValidator(signal);
  try {
    const validators = await sqlValidatorsOf(parsed.graph, sources, sql.validator);
    let problems = await validated({ ...known, ...validators }, signal);
    // A result may need another round: first the syntax, then names.
    while (sql.isPending()) {
      await sql.answered();
      signal?.throwIfAborted();
      problems = await validated({ ...known, ...validators }, signal);
    }
    return problems;
  } finally {
    await sql.close();
  }
}

/** Validates a large graph in time slices, between which a signal ends it. */
async function validated(graph: GraphValidation, signal: AbortSignal | undefined): Promise<readonly Problem[]> {
  const [slices, memo] = [createTimeSlices(), createEntryCache()];
  for (;;) {
    const problems = validateInTime({ ...graph, memo }, slices);
    if (problems) return problems;
    await slices.pause();
    signal?.throwIfAborted();
  }
}

interface FoundCatalog {
  readonly catalog?: Catalog;
  readonly notes: readonly string[];
}

type ValidateOptions = Parameters<typeof validateFile>[2];

/** The source if it may be contacted: with `online`, or local files; else undefined, or the reason. */
async function connect(
  sourcesFile: SourcesFile,
  source: DataSource,
  projectContext: ProjectContext,
  { online }: ValidateOptions,
): Promise<Connector | SourceError | undefined> {
  if (!online && !sourceKind(source.kind?.value)?.capabilities.isAtHand) return undefined;
  try {
    return await connectorOf(sourcesFile, source, projectContext);
  } catch (error) {
    if (online || !isSourceError(error)) throw error;
    return error;
  }
}

async function catalogFor(
  sourcesFile: SourcesFile,
  source: DataSource,
  connection: Connector | SourceError | undefined,
  projectContext: ProjectContext,
  { online, signal }: ValidateOptions,
): Promise<FoundCatalog> {
  if (!connection) {
    const catalog = await cachedCatalog(sourcesFile, source, projectContext);
    if (catalog) return { catalog, notes: [] };
    return {
      notes: [`Columns of ${source.name.value} are not known yet: run with --online to check names and types.`],
    };
  }
  try {
    if (isSourceError(connection)) throw connection;
    const options = { signal, mayReuse: true };
    const catalog = await describeSource(sourcesFile, source, connection, projectContext, options);
    return { catalog, notes: (catalog.unusedSettings ?? []).map(({ message }) => message) };
  } catch (error) {
    if (online || !isSourceError(error)) throw error;
    return { notes: [`Names and types were not checked: ${error.message}`] };
  }
}
