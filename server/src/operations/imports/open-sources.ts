import type { Catalog } from '../../catalog/catalog.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { Connector, DescribeOptions } from '../../connectors/connector.ts';
import { rowsIdentity } from '../../connectors/rows-identity.ts';
import { isSourceDown } from '../../connectors/source-down.ts';
import { SourceError } from '../../connectors/source-error.ts';
import { DataSourceFailure, ofDataSource } from '../../import/data-source-failure.ts';
import type { ImportSource, ImportSources } from '../../import/import-source.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import {
  type Project,
  type ProjectContext,
  cachedCatalog,
  settingsContext,
  connectorOf,
  describeSource,
  sourcesRead,
  unreachedObjects,
} from '../../project/open-project.ts';

/** The data sources of a graph, connected. */
export interface OpenedSources {
  readonly sources: ImportSources;
  readonly catalog: GraphCatalog;
  /** The parts of `catalog`, by the names of their data sources. */
  readonly catalogs: ReadonlyMap<string, Catalog>;
  close(): Promise<void>;
}

interface OpenSourcesOptions extends Omit<DescribeOptions, 'known'> {
  /** Describes a source that cannot be reached by its cached catalog, instead of failing. */
  readonly usesKeptRows?: boolean;
  /** Contacts no source, as if none could be reached. */
  readonly isOffline?: boolean;
}

/**
 * Connects to all data sources whose rows a graph reads, and reads their catalogs. Rejects with a `DataSourceFailure`,
 * after which no connection is open.
 */
export async function openSources(
  project: Project,
  projectContext: ProjectContext,
  { usesKeptRows = false, isOffline = false, ...options }: OpenSourcesOptions,
  onSource: (name: string) => Promise<void> = () => Promise.resolve(),
): Promise<OpenedSources> {
  const opened: Connector[] = [];
  const catalogs = new Map<string, Catalog>();
  const close = async (): Promise<void> => {
    for (const connector of opened) await connector.close();
  };
  const read = sourcesRead(project);
  const isOneOfSeveral = read.length > 1;
  const connect = async (source: DataSource): Promise<ImportSource> => {
    const { sourcesFile } = project;
    const name = source.name.value;
    const connector = await connectorOf(sourcesFile, source, projectContext);
    opened.push(connector);
    const settings = await rowsIdentity(source, await settingsContext(sourcesFile, projectContext));
    const found = { name, connector, settings, keepsRows: keepsRows(source, projectContext) };
    await onSource(name);
    try {
      if (isOffline) throw new SourceError('source-unreachable', `${name} is not contacted.`);
      const catalog = await describeSource(sourcesFile, source, connector, projectContext, options);
      const [unreached] = usesKeptRows
        ? unreachedObjects(catalog, await cachedCatalog(sourcesFile, source, projectContext))
        : [];
      if (unreached) throw new SourceError('source-unreachable', unreached.reason);
      catalogs.set(name, catalog);
      return { ...found, warnings: catalog.unusedSettings?.map(({ message }) => message) };
    } catch (error) {
      if (!usesKeptRows || !isSourceDown(error)) throw error;
      const catalog = await cachedCatalog(sourcesFile, source, projectContext);
      if (!catalog) throw neverReached(error, name, isOneOfSeveral);
      catalogs.set(name, catalog);
      return { ...found, down: error };
    }
  };
  const open = (source: DataSource): Promise<ImportSource> =>
    connect(source).catch((error: unknown) => {
      throw ofDataSource(error, source.name.value, isOneOfSeveral);
    });
  try {
    const [main, ...others] = read;
    const sources: [ImportSource, ...ImportSource[]] = [await open(main)];
    for (const source of others) sources.push(await open(source));
    const catalog = combineCatalogs(project.parsed.graph, project.sourcesFile.sources, ({ name }) =>
      catalogs.get(name.value),
    );
    if (!catalog) throw new Error('A graph reads a data source that it does not name.');
    return { sources, catalog, catalogs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `incremental: false` turns the row cache off. It may be a variable; the connector has refused other values. */
function keepsRows({ settings: { incremental } }: DataSource, { environment }: ProjectContext): boolean {
  if (typeof incremental !== 'string') return incremental !== false;
  return incremental.replaceAll(/\$\{env:([^}]*)\}/g, (_, name: string) => environment[name.trim()] ?? '') !== 'false';
}

function neverReached(
  { code, message, details }: SourceError,
  name: string,
  isOneOfSeveral: boolean,
): DataSourceFailure {
  const remedy = `No rows of ${name} with these settings are kept: import once when it can be reached.`;
  const reason = new SourceError(code, message, { ...details, remedy });
  return new DataSourceFailure(name, reason, { isOneOfSeveral, lacksKeptRows: true });
}
