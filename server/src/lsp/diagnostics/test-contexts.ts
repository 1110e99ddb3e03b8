import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createDebouncer } from '../../../../protocol/debouncer.ts';
import type { TestedGraph } from '../../graph-tests/tested-graph.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { Problem } from '../../model/problem.ts';
import type { OpenedSource, testedSource } from '../../operations/graph-tests/tested-source.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { isEntityFile } from '../../project/list-entity-files.ts';
import { type Project, type ProjectContext, sourcesRead } from '../../project/open-project.ts';
import { type FilePlace, sourceFiles } from '../../project/source-files.ts';
import type { OpenDocuments, OpenTests } from '../documents/open-documents.ts';
import type { SourceCatalogs } from '../sources/source-catalogs.ts';

/** What an open file of tests is checked against. */
interface TestContext {
  /** Absent while it is not known. */
  readonly tested?: TestedGraph;
  readonly project?: Project;
  /** Why the graph cannot be opened. */
  readonly problems: readonly Problem[];
  /** The entity graphs beside the file. */
  readonly graphFiles: readonly string[];
}

/** Keeps the graphs and catalogs of open files of tests in memory, so that a keystroke needs no I/O. */
export interface TestContexts {
  /** No I/O. */
  of(document: OpenTests): Promise<TestContext>;
  /** Resolves when the graph of a newly opened file was searched. Never rejects. */
  searched(document: OpenTests): Promise<void>;
  /** The file was opened or changed. */
  follow(document: OpenTests): void;
  /** Graphs were edited, created, deleted or closed. */
  graphsChanged(paths: readonly (string | undefined)[]): void;
  /** Data sources files changed: all graphs are opened again. */
  sourcesChanged(): void;
  /** The catalog of a data source in the file at this path changed. */
  catalogChanged(sourcesPath: string): void;
  /** Files were created, deleted or changed: affected catalogs are read again. */
  dataFilesChanged(paths: readonly string[]): Promise<void>;
  /** The files that the data sources of tested graphs read. */
  filePlaces(): Promise<readonly FilePlace[]>;
  forget(uri: string): void;
}

interface TestContextDependencies {
  readonly documents: OpenDocuments;
  readonly catalogs: SourceCatalogs;
  readonly project: ProjectContext;
  readonly isTrusted: () => boolean;
  readonly mayConnect: (uri: string) => Promise<boolean>;
  readonly background: (work: () => Promise<void>) => void;
  readonly onChanged: (uri: string) => void;
  /** The files that tests depend on may have changed. */
  readonly onFollowed: () => void;
}

interface Entry {
  /** As written in the file of the tests. */
  readonly named: string | undefined;
  readonly project?: Project | undefined;
  readonly error?: unknown;
  readonly graphFiles: readonly string[];
  /** Built for the catalogs that were known. */
  readonly sources: Map<DataSource, OpenedSource>;
}

/** Debounce of changes of graphs before they are parsed again for their tests. */
const debounceMs = 200;

// eslint-disable-next-line max-lines-per-function -- A search for the graph of a test, its catalogs and its files changes what all answers read.
export function createTestContexts(dependencies: TestContextDependencies): TestContexts {
  const { documents, catalogs, project: projectContext, isTrusted, mayConnect, onChanged, onFollowed } = dependencies;
  const entries = new Map<string, Entry>();
  const searches = new Map<string, Promise<void>>();
  const outdated = new Set<string>();
  const searching = createDebouncer(debounceMs, () => {
    const uris = [...outdated];
    outdated.clear();
    for (const uri of uris) dependencies.background(() => searchAgain(uri).then(() => onChanged(uri)));
  });

  const openTests = (): readonly OpenTests[] => documents.all().filter((each) => each.kind === 'tests');

  function searchAgain(uri: string): Promise<void> {
    const running = (searches.get(uri) ?? Promise.resolve()).then(() => search(uri));
    searches.set(uri, running);
    return running;
  }

  /** The previous result applies until the search has ended. */
  async function search(uri: string): Promise<void> {
    const document = documents.get(uri);
    if (document?.kind !== 'tests') return;
    const { path, parsed } = document;
    const named = parsed.graph?.value;
    const found = path === undefined ? {} : await openProject(path, named);
    const graphFiles = path === undefined ? [] : await graphsBeside(path);
    const connects = await mayConnect(uri);
    // Closed meanwhile.
    if (!documents.isOpen(uri)) return;
    entries.set(uri, { named, graphFiles, sources: new Map(), ...found });
    onFollowed();
    if (!found.project || !isTrusted()) return;
    const { project } = found;
    const loads = sourcesOf(project).map((source) =>
      catalogs.load(catalogKey(project.sourcesFile, source), project.sourcesFile, source, connects),
    );
    dependencies.background(async () => {
      await Promise.all(loads);
      onFollowed();
      onChanged(uri);
    });
  }

  async function openProject(path: string, named: string | undefined): Promise<Pick<Entry, 'project' | 'error'>> {
    if (named === undefined) return {};
    try {
      const { projectUnderTest } = await import('../../operations/graph-tests/open-tested-graph.ts');
      const project = await projectUnderTest(path, named, projectContext);
      sourcesRead(project);
      return { project };
    } catch (error) {
      return { error };
    }
  }

  function outdate(documentsOf: readonly OpenTests[]): void {
    for (const { uri } of documentsOf) outdated.add(uri);
    if (outdated.size > 0) searching.schedule();
  }

  function openedSource(entry: Entry, project: Project, source: DataSource, make: MakeSource): OpenedSource {
    const key = catalogKey(project.sourcesFile, source);
    const { catalog } = isTrusted() ? catalogs.known(key) : {};
    const isUnread = !catalog && (!isTrusted() || catalogs.isLoading(key));
    const before = entry.sources.get(source);
    if (before && before.known === catalog && before.isUnread === isUnread) return before;
    const opened = { ...make(project.parsed.graph, source, catalog), isUnread };
    entry.sources.set(source, opened);
    return opened;
  }

  return {
    async of(document) {
      const { testedSource: make } = await import('../../operations/graph-tests/tested-source.ts');
      const { testedGraph } = await import('../../graph-tests/tested-graph.ts');
      const { graphProblem } = await import('../../operations/graph-tests/problems-of-tests.ts');
      const entry = entries.get(document.uri);
      const graphFiles = entry?.graphFiles ?? [];
      const { parsed } = document;
      if (!entry || entry.named !== parsed.graph?.value) return { problems: [], graphFiles };
      const { project, error } = entry;
      if (!project) return { problems: error === undefined ? [] : [graphProblem(error, parsed)], graphFiles };
      const all = sourcesOf(project);
      const [main, ...others] = all.map((source) => openedSource(entry, project, source, make));
      if (!main) return { project, problems: [], graphFiles };
      return {
        project,
        problems: [],
        graphFiles,
        tested: testedGraph(parsed, project.parsed.graph, [main, ...others]),
      };
    },
    searched: ({ uri }) => searches.get(uri) ?? searchAgain(uri),
    follow(document) {
      const { uri, parsed } = document;
      const entry = entries.get(uri);
      if (!entry && !searches.has(uri)) dependencies.background(() => searchAgain(uri));
      else if (entry && entry.named !== parsed.graph?.value) outdate([document]);
    },
    graphsChanged(paths) {
      outdate(
        openTests().filter(({ path, parsed }) => {
          const graph = path !== undefined && parsed.graph && resolve(dirname(path), parsed.graph.value);
          return graph !== undefined && graph !== false && paths.includes(graph);
        }),
      );
    },
    sourcesChanged: () => outdate(openTests()),
    catalogChanged(sourcesPath) {
      for (const [uri, { project }] of entries) if (project?.sourcesFile.path === sourcesPath) onChanged(uri);
    },
    async dataFilesChanged(paths) {
      if (!isTrusted()) return;
      for (const [uri, { project }] of entries) {
        if (!project) continue;
        const { sourcesFile } = project;
        for (const source of sourcesOf(project)) {
          const key = catalogKey(sourcesFile, source);
          const files = await filesOf(project, source);
          if (paths.some(files.concerns)) await catalogs.reread(key, sourcesFile, source, await mayConnect(uri));
        }
      }
    },
    async filePlaces() {
      if (!isTrusted()) return [];
      const files = [...entries.values()].flatMap(({ project }) =>
        project ? sourcesOf(project).map((source) => filesOf(project, source)) : [],
      );
      return (await Promise.all(files)).flatMap(({ places }) => places);
    },
    forget(uri) {
      entries.delete(uri);
      searches.delete(uri);
      outdated.delete(uri);
      onFollowed();
    },
  };

  function filesOf({ sourcesFile }: Project, source: DataSource): ReturnType<typeof sourceFiles> {
    const { catalog } = catalogs.known(catalogKey(sourcesFile, source));
    return sourceFiles(source, sourcesFile.path, projectContext.environment, catalog);
  }
}

type MakeSource = typeof testedSource;

function sourcesOf(project: Project): readonly DataSource[] {
  return sourcesRead(project);
}

/** An unreadable folder has none. */
async function graphsBeside(path: string): Promise<readonly string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter(isEntityFile).sort();
}
