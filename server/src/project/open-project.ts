import { dirname, join } from 'node:path';
import type { Catalog, UndescribedObject } from '../catalog/catalog.ts';
import type { Connector, DescribeOptions } from '../connectors/connector.ts';
import type {
  Authorize,
  ConnectorContext,
  NetworkSettings,
  SecretReader,
  TokenStore,
} from '../connectors/connector-context.ts';
import { createConnector } from '../connectors/create-connector.ts';
import type { PermitUses } from '../connectors/permit-use.ts';
import { SourceError } from '../connectors/source-error.ts';
import { unknownTopLevelName } from '../connectors/unknown-setting.ts';
import type { DataSource, DataSources } from '../model/data-sources.ts';
import { dataSourcesRead } from '../model/data-sources-used.ts';
import { notAllowed, reachesSources, withoutReach } from './without-reach.ts';
import { withoutWrites, writesInSources } from './without-writes.ts';
import { nearestName } from '../model/nearest-name.ts';
import { parseDataSources } from '../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import { readCachedCatalog, writeCachedCatalog } from './catalog-file.ts';
import { defaultWorkspaceFolder, findSourcesAbove, findSourcesFile, sourcesFileNames } from './find-sources.ts';
import { readGraphText } from './parse-in-slices.ts';
import { readTextFile } from './read-text-file.ts';

/** A file with its effective text: unsaved, or from disk. */
export interface GraphFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** A text that was parsed already. */
interface ReadVersion {
  readonly text: string;
  readonly parsed: ParsedEntityGraph;
}

/** The data sources file of a graph. */
export interface SourcesFile extends GraphFile {
  readonly sources: DataSources;
  readonly problems: readonly Problem[];
}

/** Access to the environment of a project: unsaved texts, secret storage, environment variables. */
export interface ProjectContext {
  /** Unsaved text of an open document, or undefined to read the disk. */
  readonly openText?: (path: string) => string | undefined;
  /** The latest version of an open graph; use it before the next await, because a newer one changes it. */
  readonly openGraph?: (path: string) => Promise<ReadVersion | undefined>;
  /** The data sources file of a graph if already loaded; it is then not read again. */
  readonly foundSources?: (path: string) => GraphFile | undefined;
  readonly readSecret: SecretReader;
  /** Asks for consent before a value of the settings is sent. */
  readonly permitUses: PermitUses;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The editor's proxy and certificate settings, read when a connection is made. */
  readonly readNetwork?: (() => Promise<NetworkSettings | undefined>) | undefined;
  /** Storage of login tokens. */
  readonly tokens?: TokenStore;
  /** Starts a browser login when a token is needed. */
  readonly authorize?: Authorize;
  /** Outermost workspace folder of a file, where the search for sources stops. */
  readonly workspaceFolderOf?: ((path: string) => string | undefined) | undefined;
}

/** A graph file with its source, ready for queries. */
export interface Project {
  readonly file: GraphFile;
  readonly parsed: ParsedEntityGraph;
  readonly sourcesFile: SourcesFile;
  readonly source: DataSource;
}

/** `.entity-graph/` beside the sources file. */
export function stateFolderOf(sourcesPath: string): string {
  return join(dirname(sourcesPath), '.entity-graph');
}

/** Reads a file, unsaved text first. Rejects with `file-missing`. */
export async function readGraphFile(path: string, projectContext: ProjectContext): Promise<GraphFile> {
  return { path, text: projectContext.openText?.(path) ?? (await readTextFile(path)) };
}

/** The parsed sources file of a graph file; undefined when there is none. */
export async function findSources(path: string, projectContext: ProjectContext): Promise<SourcesFile | undefined> {
  const known = projectContext.foundSources?.(path);
  if (known) return { ...known, ...parseDataSources(known.text) };
  const found = await findSourcesFile(path, await workspaceFolderOf(path, projectContext));
  return found === undefined ? undefined : readSourcesFile(found, projectContext);
}

/** A sources file above the workspace folder of a graph that has none; it does not apply. */
export async function sourcesAbove(path: string, projectContext: ProjectContext): Promise<string | undefined> {
  return findSourcesAbove(await workspaceFolderOf(path, projectContext));
}

/** The outermost workspace folder of a file; on the command line the option's value, or the git root. */
export async function workspaceFolderOf(path: string, projectContext: ProjectContext): Promise<string> {
  return projectContext.workspaceFolderOf?.(path) ?? (await defaultWorkspaceFolder(path, process.cwd()));
}

/** Reads and parses one sources file. Rejects with `file-missing`. */
export async function readSourcesFile(path: string, projectContext: ProjectContext): Promise<SourcesFile> {
  const { text } = await readGraphFile(path, projectContext);
  return { path, text, ...parseDataSources(text) };
}

/** Resolves a graph's data source. Rejects with a `SourceError` that names the file to fix. */
export async function openProject(file: GraphFile, projectContext: ProjectContext): Promise<Project> {
  const parsed = await readGraphText(file.text);
  const sourcesFile = await findSources(file.path, projectContext);
  return projectOf(file, parsed, sourcesFile, sourcesFile ? undefined : await sourcesAbove(file.path, projectContext));
}

/**
 * Opens the project of loaded files. Throws a `SourceError` that names the file to correct.
 * @param above a sources file that is above the workspace folder, if none applies
 */
export function projectOf(
  file: GraphFile,
  parsed: ParsedEntityGraph,
  sourcesFile: SourcesFile | undefined,
  above?: string,
): Project {
  if (!sourcesFile) {
    const found =
      above === undefined
        ? `No ${sourcesFileNames[0]} was found beside ${file.path} or above it.`
        : `No ${sourcesFileNames[0]} applies to ${file.path}: ${above} is above the workspace folder, where the search ends.`;
    throw new SourceError('source-config', found, {
      remedy:
        above === undefined
          ? 'Create one that describes the data source.'
          : 'Open its folder, too; on the command line, name it with --workspace.',
      file: file.path,
    });
  }
  return { file, parsed, sourcesFile, source: sourceOf(parsed, sourcesFile) };
}

function sourceOf(parsed: ParsedEntityGraph, sourcesFile: SourcesFile): DataSource {
  const name = parsed.graph.dataSource?.value;
  if (name === undefined) {
    throw new SourceError('source-config', 'The entity graph names no data source.', {
      remedy: `Set dataSource to a name from ${sourcesFile.path}.`,
    });
  }
  return findSource(sourcesFile, name);
}

/** The source of this name. Rejects with `source-config`, with the most similar name in its remedy. */
export function findSource(sourcesFile: SourcesFile, name: string): DataSource {
  const source = sourcesFile.sources.sources.find((candidate) => candidate.name.value === name);
  if (source) return source;
  const names = sourcesFile.sources.sources.map((candidate) => candidate.name.value);
  const nearest = nearestName(name, names);
  throw new SourceError('source-config', `Data source ${name} is not configured in ${sourcesFile.path}.`, {
    remedy: nearest === undefined ? `It has: ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`,
    file: sourcesFile.path,
  });
}

/** Opens the connector of a source; the caller closes it. */
export async function connectorOf(
  sourcesFile: SourcesFile,
  source: DataSource,
  projectContext: ProjectContext,
): Promise<Connector> {
  refuseUnknownNames(sourcesFile);
  const connector = await createConnector(source, await settingsContext(sourcesFile, projectContext));
  if (!reachesSources(projectContext)) return withoutReach(connector, source.name.value);
  return writesInSources(projectContext) ? connector : withoutWrites(connector, source.name.value);
}

/** A setting beside `dataSources` would have no effect, without a word. */
function refuseUnknownNames({ path, text, sources: { names } }: SourcesFile): void {
  const found = unknownTopLevelName(names.map(({ value }) => value));
  if (!found) return;
  const { name, known } = found;
  const start = names.find(({ value }) => value === name)?.range.start ?? 0;
  throw new SourceError('source-config', `${name} is not known in files of data sources.`, {
    file: path,
    line: text.slice(0, start).split('\n').length,
    remedy: `At the top of the file are ${known.join(' and ')}; settings belong to a data source.`,
  });
}

/** The environment for connections to the sources of a file. Rejects with `not-allowed`. */
export async function connectorContext(
  sourcesFile: Pick<SourcesFile, 'path'>,
  projectContext: ProjectContext,
): Promise<ConnectorContext> {
  if (!reachesSources(projectContext)) throw notAllowed(sourcesFile.path);
  return settingsContext(sourcesFile, projectContext);
}

/** The same, for what only reads settings. */
export async function settingsContext(
  sourcesFile: Pick<SourcesFile, 'path'>,
  { readSecret, permitUses, environment, readNetwork, tokens, authorize, workspaceFolderOf }: ProjectContext,
): Promise<ConnectorContext> {
  const network = await readNetwork?.();
  return {
    folder: dirname(sourcesFile.path),
    sourcesFile: sourcesFile.path,
    workspaceFolder: workspaceFolderOf?.(sourcesFile.path) ?? dirname(sourcesFile.path),
    permitUses,
    stateFolder: stateFolderOf(sourcesFile.path),
    readSecret,
    environment,
    network,
    tokens,
    authorize,
  };
}

/**
 * Reads a source's catalog and caches it.
 * @param options With `mayReuse`, the cached catalog is returned if the source reports no changes, and without asking it
 * if it was read since `requestedAt` (milliseconds since 1970).
 */
export async function describeSource(
  sourcesFile: SourcesFile,
  source: DataSource,
  connector: Connector,
  { environment }: Pick<ProjectContext, 'environment'>,
  { requestedAt, ...options }: Omit<DescribeOptions, 'known'> & { readonly requestedAt?: number | undefined } = {},
): Promise<Catalog> {
  const known = await cachedCatalog(sourcesFile, source, { environment });
  const isCurrent = requestedAt !== undefined && known !== undefined && Date.parse(known.readAt) >= requestedAt;
  if (options.mayReuse && isCurrent) return known;
  const catalog = await connector.describe({ ...options, known });
  // Prefers the cached description of an object to the failure of its server.
  const isLess = unreachedObjects(catalog, known).length > 0;
  if (!isLess) await writeCachedCatalog(stateFolderOf(sourcesFile.path), source, environment, catalog);
  return catalog;
}

/** Objects that a catalog lacks only because their server cannot be reached, although they are known. */
export function unreachedObjects(
  { undescribed = [] }: Pick<Catalog, 'undescribed'>,
  known: Catalog | undefined,
): readonly UndescribedObject[] {
  const names = new Set(known?.objects.map(({ name }) => name));
  return undescribed.filter(({ name, isUnreachable }) => isUnreachable === true && names.has(name));
}

/** The data sources whose rows a graph reads: that of the file first if it is used. Throws `source-config` for an unknown one. */
export function sourcesRead({
  parsed,
  sourcesFile,
  source,
}: Pick<Project, 'parsed' | 'sourcesFile' | 'source'>): readonly [DataSource, ...DataSource[]] {
  const [first, ...others] = dataSourcesRead(parsed.graph).map((name) => findSource(sourcesFile, name));
  return first ? [first, ...others] : [source];
}

/** The cached catalog, without contacting the source. */
export function cachedCatalog(
  sourcesFile: SourcesFile,
  source: DataSource,
  { environment }: Pick<ProjectContext, 'environment'>,
): Promise<Catalog | undefined> {
  return readCachedCatalog(stateFolderOf(sourcesFile.path), source, environment);
}
