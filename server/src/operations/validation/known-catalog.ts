import type { Catalog } from '../../catalog/catalog.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import { incompleteBecause } from '../../language/catalog-knowledge.ts';
import type { Connector } from '../../connectors/connector.ts';
import { type SourceError, isSourceError } from '../../connectors/source-error.ts';
import { notAllowed, reachesSources } from '../../project/without-reach.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import {
  type ProjectContext,
  type SourcesFile,
  cachedCatalog,
  connectorOf,
  describeSource,
} from '../../project/open-project.ts';

/** The catalogs of a graph as far as they are known, and the connections by which they were read. */
export interface KnownCatalog {
  /** Undefined while none of its data sources is known. */
  readonly catalog: GraphCatalog | undefined;
  /** Why names and types are not known, and settings without effect. */
  readonly notes: readonly string[];
  readonly connections: readonly { readonly name: string; readonly connection: Connector }[];
  /** Closes the connections. */
  close(): Promise<void>;
}

interface KnownCatalogOptions {
  /** Reads the catalogs from the data sources; otherwise those of local files, and cached ones of the others. */
  readonly online: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The catalogs of all data sources that a graph names. Rejects if one cannot be read and `online` is set. */
export async function openKnownCatalog(
  parsed: ParsedEntityGraph,
  sourcesFile: SourcesFile | undefined,
  projectContext: ProjectContext,
  options: KnownCatalogOptions,
): Promise<KnownCatalog> {
  const notes: string[] = [];
  const connections: { name: string; connection: Connector }[] = [];
  const found = new Map<DataSource, Catalog>();
  const close = async (): Promise<void> => {
    for (const { connection } of connections) await connection.close();
  };
  try {
    for (const name of sourcesFile ? dataSourcesNamed(parsed.graph) : []) {
      const source = sourcesFile?.sources.sources.find((each) => each.name.value === name);
      if (!sourcesFile || !source) continue;
      const connection = await connect(sourcesFile, source, projectContext, options);
      if (connection && !isSourceError(connection)) connections.push({ name, connection });
      const known = await catalogFor(sourcesFile, source, connection, projectContext, options);
      if (known.catalog) found.set(source, known.catalog);
      notes.push(...known.notes);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const catalog = sourcesFile && combineCatalogs(parsed.graph, sourcesFile.sources, (source) => found.get(source));
  const unchecked = catalog && incompleteBecause(parsed.graph, catalog);
  if (unchecked !== undefined) notes.push(unchecked);
  return { catalog, notes, connections, close };
}

interface FoundCatalog {
  readonly catalog?: Catalog;
  readonly notes: readonly string[];
}

/** The source if it may be contacted: with `online`, or local files; else undefined, or the reason. */
export async function connect(
  sourcesFile: SourcesFile,
  source: DataSource,
  projectContext: ProjectContext,
  { online }: KnownCatalogOptions,
): Promise<Connector | SourceError | undefined> {
  if (online && !reachesSources(projectContext)) throw notAllowed(source.name.value);
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
  { online, signal }: KnownCatalogOptions,
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
