import type { Finding } from '../../../../protocol/findings.ts';
import type { GraphContext } from '../../language/graph-context.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { defaultWorkspaceFolder, foldersOfSources } from '../../project/find-sources.ts';
import {
  type ProjectContext,
  type SourcesFile,
  findSources,
  readSourcesFile,
  sourcesAbove,
} from '../../project/open-project.ts';
import { type FilePlace, type SourceFiles, sourceFiles } from '../../project/source-files.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { createLastFindings } from './last-findings.ts';
import { createLastImportResults, hasExpectations } from './last-import-results.ts';
import type { KnownCatalog, SourceCatalogs } from '../sources/source-catalogs.ts';

/** A graph's source with its sources file. */
export interface GraphSource {
  readonly sourcesFile: SourcesFile;
  readonly source: DataSource;
  readonly key: string;
}

/** Keeps sources and catalogs of open graphs in memory, so that a keystroke needs no I/O. */
export interface GraphContexts {
  /** No I/O. */
  of(graph: OpenGraph): GraphContext;
  /** Resolves when the sources file of a newly opened graph was searched. */
  searched(graph: OpenGraph): Promise<void>;
  /** Resolves when the results of the last import for rules and expectations of the graph are known. */
  importResultsRead(graph: OpenGraph): Promise<void>;
  /** There may have been another import. */
  imported(): void;
  /** Updates the context of a graph; resolves when its catalog is known or failed, at once without relevant changes. */
  follow(graph: OpenGraph): Promise<void>;
  /** A sources file was changed, created or deleted: all open graphs search again. */
  sourcesChanged(): Promise<void>;
  /** Files were created, deleted or changed: affected catalogs are read again. */
  dataFilesChanged(paths: readonly string[]): Promise<void>;
  /** Files outside of the workspace that open graphs depend on. */
  filePlaces(): Promise<readonly FilePlace[]>;
  /** Settings changed: sources that may be read now are read. */
  settingsChanged(): Promise<void>;
  /** Secrets were set or consent given: failed sources are tried again. */
  secretsChanged(): Promise<void>;
  /** The source of a graph in its unsaved state; undefined without one. */
  sourceOf(graph: OpenGraph): GraphSource | undefined;
  forget(uri: string): void;
}

interface GraphContextDependencies {
  readonly documents: OpenDocuments;
  readonly catalogs: SourceCatalogs;
  readonly project: ProjectContext;
  readonly isTrusted: () => boolean;
  readonly mayConnect: (uri: string) => Promise<boolean>;
  /** What is odd in the data of a store; undefined where it cannot be read. Never rejects. */
  readonly findings: (store: string, signal: AbortSignal) => Promise<readonly Finding[] | undefined>;
  readonly onChanged: (uri: string) => void;
  /** The files that a graph depends on may have changed. */
  readonly onFollowed: () => void;
}

interface Entry {
  readonly sourcesFile?: SourcesFile;
  readonly sourcesAbove?: string | undefined;
  /** The sources whose catalogs were requested. */
  readonly followed?: readonly string[];
  /** Whether the source was reachable without a prompt. */
  readonly mayConnect?: boolean;
}

// eslint-disable-next-line max-lines-per-function -- Fourteen questions and events about open graphs share the contexts, searches and followed sources of each.
export function createGraphContexts(dependencies: GraphContextDependencies): GraphContexts {
  const { documents, catalogs, project, isTrusted, mayConnect, findings, onChanged, onFollowed } = dependencies;
  const entries = new Map<string, Entry>();
  const lastImportResults = createLastImportResults();
  const lastFindings = createLastFindings({ find: findings, onChanged });
  const searches = new Map<string, Promise<void>>();
  /** By URI: the running read of the catalog of a graph's source. */
  const reads = new Map<string, Promise<void>>();
  /** By path: the last readable version of each sources file. */
  const readable = new Map<string, SourcesFile>();

  function sourceNamed(graph: OpenGraph, name: string | undefined): GraphSource | undefined {
    const sourcesFile = entries.get(graph.uri)?.sourcesFile;
    const source = sourcesFile?.sources.sources.find((candidate) => candidate.name.value === name);
    return sourcesFile && source && { sourcesFile, source, key: catalogKey(sourcesFile, source) };
  }

  function sourceOf(graph: OpenGraph): GraphSource | undefined {
    return sourceNamed(graph, graph.parsed.graph.dataSource?.value);
  }

  /** All data sources that a graph names and that are configured, that of the file first. */
  function sourcesOf(graph: OpenGraph): readonly GraphSource[] {
    return dataSourcesNamed(graph.parsed.graph).flatMap((name) => sourceNamed(graph, name) ?? []);
  }

  /** While the settings are unreadable, their last readable version applies. */
  async function lastReadable(found: SourcesFile): Promise<SourcesFile> {
    const { path } = found;
    if (found.sources.complete) readable.set(path, found);
    const known = readable.get(path);
    if (known) return known;
    const onDisk = await readSourcesFile(path, { ...project, openText: () => undefined }).catch(() => undefined);
    return onDisk?.sources.complete ? onDisk : found;
  }

  /** The previous result applies until the search has ended. An unreadable file counts as missing. */
  async function search({ uri, path }: OpenGraph): Promise<void> {
    const found = path === undefined ? undefined : await findSources(path, project).catch(() => undefined);
    const sourcesFile = found && (await lastReadable(found));
    const above = found || path === undefined ? undefined : await sourcesAbove(path, project);
    // Closed meanwhile.
    if (!documents.isOpen(uri)) return;
    entries.set(uri, sourcesFile ? { sourcesFile } : { sourcesAbove: above });
    onFollowed();
  }

  function searchAgain(graph: OpenGraph): Promise<void> {
    const running = (searches.get(graph.uri) ?? Promise.resolve()).then(() => search(graph));
    searches.set(graph.uri, running);
    return running;
  }

  const searched = (graph: OpenGraph): Promise<void> => searches.get(graph.uri) ?? searchAgain(graph);

  async function follow(graph: OpenGraph): Promise<void> {
    await searched(graph);
    const newest = documents.get(graph.uri);
    const entry = entries.get(graph.uri);
    if (newest?.kind !== 'graph' || !entry || !isTrusted()) return;
    if (entry.sourcesFile) void lastFindings.follow(newest, entry.sourcesFile);
    const { followed: before = [] } = entry;
    const all = sourcesOf(newest);
    const wanted = all.filter(({ key }) => !before.includes(key));
    if (wanted.length === 0) return reads.get(graph.uri);
    const reading = followSources(graph, entry, all, wanted).finally(() => {
      if (reads.get(graph.uri) === reading) reads.delete(graph.uri);
    });
    reads.set(graph.uri, reading);
    await reading;
  }

  /** Reads the catalogs of the wanted ones of all data sources of a graph. */
  async function followSources(
    graph: OpenGraph,
    entry: Entry,
    all: readonly GraphSource[],
    wanted: readonly GraphSource[],
  ): Promise<void> {
    // Unwatched files may have changed on disk.
    const followedElsewhere = new Set([...entries.values()].flatMap(({ followed = [] }) => followed));
    const followed = all.map(({ key }) => key);
    entries.set(graph.uri, { ...entry, followed });
    onFollowed();
    const connects = await mayConnect(graph.uri);
    const current = entries.get(graph.uri);
    if (current?.followed === followed) entries.set(graph.uri, { ...current, mayConnect: connects });
    for (const { key, sourcesFile, source } of wanted) {
      const isFirst = !followedElsewhere.has(key);
      if (isFirst && !catalogs.isLoading(key)) await catalogs.reread(key, sourcesFile, source, connects);
      await catalogs.load(key, sourcesFile, source, connects);
      onFollowed();
      onChanged(graph.uri);
    }
  }

  /** Keeps the cached catalog while the source is unreachable. */
  async function followPermission({ uri }: OpenGraph): Promise<void> {
    const before = entries.get(uri);
    const connects = await mayConnect(uri);
    const graph = await documents.whenRead(uri);
    const entry = entries.get(uri);
    // A concurrent search or edit requests its own catalog.
    if (!entry || entry !== before || entry.mayConnect === undefined || graph?.kind !== 'graph') return;
    entries.set(uri, { ...entry, mayConnect: connects });
    if (!isTrusted() || !connects || entry.mayConnect) return;
    for (const { key, sourcesFile, source } of sourcesOf(graph)) {
      await catalogs.loadMissing(key, sourcesFile, source);
      onChanged(uri);
    }
  }

  /** Retries sources that failed for lack of a secret. */
  async function followUnknown(graph: OpenGraph): Promise<void> {
    const missing = isTrusted() ? sourcesOf(graph).filter(({ key }) => !catalogs.known(key).catalog) : [];
    if (missing.length === 0 || !(await mayConnect(graph.uri))) return;
    for (const { key, sourcesFile, source } of missing) {
      await catalogs.loadMissing(key, sourcesFile, source);
      onChanged(graph.uri);
    }
  }

  async function followAgain(graph: OpenGraph): Promise<void> {
    await searchAgain(graph);
    onChanged(graph.uri);
    await follow(graph);
  }

  const openGraphs = (): Promise<readonly OpenGraph[]> => forEachGraph((graph) => Promise.resolve(graph));

  function knownOf({ key, source }: GraphSource): KnownCatalog {
    if (isTrusted()) return catalogs.known(key);
    const reason = `Trust it to read the tables of "${source.name.value}".`;
    return { unknownBecause: `Names and types are not checked, because this workspace is not trusted. ${reason}` };
  }

  /** Runs something for each open graph, including those still being parsed. */
  async function forEachGraph<T>(work: (graph: OpenGraph) => Promise<T>): Promise<readonly T[]> {
    const done = documents.files().map(async ({ uri, kind }): Promise<readonly T[]> => {
      const graph = kind === 'graph' ? await documents.whenRead(uri) : undefined;
      return graph?.kind === 'graph' ? [await work(graph)] : [];
    });
    return (await Promise.all(done)).flat();
  }

  function filesOf({ source, sourcesFile, key }: GraphSource): Promise<SourceFiles> {
    return sourceFiles(source, sourcesFile.path, project.environment, catalogs.known(key).catalog);
  }

  async function placesOf(graph: OpenGraph): Promise<readonly FilePlace[]> {
    // A path may refer to another machine, which an untrusted workspace must not contact.
    const read = isTrusted() ? await Promise.all(sourcesOf(graph).map(filesOf)) : [];
    return [...(await sourcesPlaces(graph)), ...read.flatMap(({ places }) => places)];
  }

  /** Possible paths of a sources file outside of the workspace folders. */
  async function sourcesPlaces({ path }: OpenGraph): Promise<readonly FilePlace[]> {
    if (path === undefined || project.workspaceFolderOf?.(path) !== undefined) return [];
    const folders = foldersOfSources(path, await defaultWorkspaceFolder(path, process.cwd()));
    return folders.map((folder) => ({ folder, glob: 'entity-sources.{yaml,yml,json}' }));
  }

  return {
    of(graph) {
      const sources = entries.get(graph.uri)?.sourcesFile?.sources;
      const wanted = sourceOf(graph);
      const { unknownBecause, failure } = wanted ? knownOf(wanted) : {};
      const { file, range } = failure ?? {};
      const found = sourcesOf(graph);
      const known = (source: DataSource) => {
        const each = found.find((candidate) => candidate.source === source);
        return each && knownOf(each).catalog;
      };
      const catalog = sources && combineCatalogs(graph.parsed.graph, sources, known);
      return {
        parsed: graph.parsed,
        sources,
        sourcesAbove: entries.get(graph.uri)?.sourcesAbove,
        catalog,
        catalogReading: found.map((each) => knownOf(each).reading).find((reading) => reading !== undefined),
        catalogUnknownBecause: unknownBecause,
        catalogUnknownPlace: file === undefined || !range ? undefined : { file, range },
        ...lastImportResults.known(graph.uri),
        importedFindings: lastFindings.known(graph.uri),
      };
    },
    searched,
    importResultsRead: (graph) => lastImportResults.read(graph, sourceOf(graph)?.sourcesFile),
    imported() {
      lastImportResults.outdate();
      lastFindings.outdate();
      for (const graph of documents.all()) {
        if (graph.kind !== 'graph') continue;
        if (hasExpectations(graph)) onChanged(graph.uri);
        const sourcesFile = entries.get(graph.uri)?.sourcesFile;
        if (sourcesFile && isTrusted()) void lastFindings.follow(graph, sourcesFile);
      }
    },
    follow,
    async sourcesChanged() {
      await forEachGraph(followAgain);
    },
    async dataFilesChanged(paths) {
      if (!isTrusted()) return;
      const wanted = new Map<string, { readonly found: GraphSource; readonly mayConnect: boolean }>();
      for (const graph of await openGraphs()) {
        for (const found of sourcesOf(graph)) {
          const { concerns } = await filesOf(found);
          if (!paths.some(concerns)) continue;
          const connects = (wanted.get(found.key)?.mayConnect ?? false) || (await mayConnect(graph.uri));
          wanted.set(found.key, { found, mayConnect: connects });
        }
      }
      const readAgain = [...wanted.values()].map(({ found, mayConnect: connects }) =>
        catalogs.reread(found.key, found.sourcesFile, found.source, connects),
      );
      await Promise.all(readAgain);
      // The catalog may refer to further files.
      onFollowed();
      for (const graph of await openGraphs()) {
        if (sourcesOf(graph).some(({ key }) => wanted.has(key))) onChanged(graph.uri);
      }
    },
    async filePlaces() {
      return (await forEachGraph(placesOf)).flat();
    },
    async secretsChanged() {
      await forEachGraph(followUnknown);
    },
    async settingsChanged() {
      await forEachGraph(followPermission);
    },
    sourceOf,
    forget(uri) {
      entries.delete(uri);
      lastImportResults.forget(uri);
      lastFindings.forget(uri);
      searches.delete(uri);
      reads.delete(uri);
      onFollowed();
    },
  };
}
