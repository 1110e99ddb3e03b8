import type { ImportOutcome } from '../../../../protocol/import-progress.ts';
import type { FindingsAnswer } from '../../../../protocol/findings.ts';
import type { LanguageRequests } from '../../../../protocol/language-requests.ts';
import type { Failure, Outcome } from '../../../../protocol/query-results.ts';
import type { GraphStatusView } from '../../../../protocol/requests/graph-requests.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { type GraphFile, type SourcesFile, readGraphFile } from '../../project/open-project.ts';
import { openGraph } from '../documents/open-documents.ts';
import { compareTexts, comparedRows, stopComparing } from './compare-texts.ts';
import { createCanvasRequests } from './canvas-requests.ts';
import { diskPath, pathOfUri } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import { createLifecycleRequests } from './lifecycle-requests.ts';
import { createPlatformRequests } from './platform-requests.ts';
import { createQueryRequests } from './query-requests.ts';
import { readGraph } from './read-graph.ts';
import { unlessAborted } from '../request-guard.ts';
import type * as storedGraphModule from '../../operations/stored-graphs/stored-graph.ts';
import type { GraphRequests } from './request-handlers.ts';
import { createSourceRequests } from './source-requests.ts';
import { createTestRequests } from './test-requests.ts';
import { operateOnFile, refreshCatalog, untrusted } from './source-operations.ts';

export function createGraphRequests(server: LanguageServer, folders: () => readonly string[]): GraphRequests {
  /** The graph of the last import, and the previous one. */
  const bothGraphs = (file: GraphFile, { storedGraphs }: typeof storedGraphModule) =>
    storedGraphs(file, server.project);
  return {
    ...createCanvasRequests(server, folders),
    ...createLifecycleRequests(server, folders),
    ...createSourceRequests(server, folders),
    ...createPlatformRequests(server),
    ...createTestRequests(server, folders),
    ...createQueryRequests(server),
    ...savedFilterRequests(server),
    async 'entityGraph/graphView'({ uri, follow }, signal) {
      if (follow) server.followed.follow(uri);
      if (server.documents.isOpen(uri)) return server.followed.viewOf(uri, signal);
      const { toGraphView } = await import('../../language/to-graph-view.ts');
      const graph = await readGraph(server, uri);
      return graph ? toGraphView(graph.parsed, { uri, version: graph.version }) : null;
    },
    'entityGraph/graphDiff': ({ uri }, signal) =>
      ofStored(server, uri, bothGraphs, (stores, file) => server.graphs.diff(stores, file, signal)),
    'entityGraph/changedRows': ({ uri, ...of }, signal) =>
      ofStored(server, uri, bothGraphs, (stores, file) => server.graphs.changedRows({ stores, file, of }, signal)),
    'entityGraph/changedMap': ({ uri, entityType, words }, signal) =>
      ofStored(server, uri, bothGraphs, (stores) => server.graphs.changedMap({ stores, entityType, words }, signal)),
    'entityGraph/eventGraph': ({ uri, question, params }, signal) =>
      ofStored(
        server,
        uri,
        (file, { storedGraph }) => storedGraph(file, server.project),
        async (store, file) => {
          const asked = { ...(params as object), text: file.text };
          // The view pairs each question with its parameters.
          const answer = await server.graphs.ask(store, question, asked as never, signal);
          return question === 'findings' ? withFixes(server, uri, file, answer as Outcome<FindingsAnswer>) : answer;
        },
      ),
    'entityGraph/exportGraph': ({ uri, form, output, guardFormulas = false, entityType }, signal) =>
      ofStored(
        server,
        uri,
        async (file, { storedGraph }) => ({
          store: await storedGraph(file, server.project),
          output: diskPath(output),
        }),
        (found, file) => server.graphs.export({ ...found, file, form, guardFormulas, entityType }, signal),
      ),
    'entityGraph/importPlan'({ uri, prompt, progressToken }, signal) {
      const onStep = server.reporting(progressToken);
      return operateOnFile(server, uri, async (file) => (await server.services()).importPlan(file, signal, onStep), {
        signal,
        prompt,
        afterReading: true,
        onStep,
      });
    },
    'entityGraph/compareTexts': (params, signal) => compareTexts(server, params, signal),
    'entityGraph/comparedRows': (params, signal) => comparedRows(server, params, signal),
    'entityGraph/stopComparing': ({ uri }) => stopComparing(server, uri),
    'entityGraph/import': (params, signal) => importGraph(server, params, signal),
    'entityGraph/refreshCatalog': ({ uri, progressToken }, signal) =>
      refreshCatalog(server, uri, signal, server.reporting(progressToken)),
    async 'entityGraph/namedQueries'({ uri }) {
      const { listNamedQueries } = await import('../../operations/stored-graphs/named-queries.ts');
      const { toOutcome } = await import('../../operations/operation-error.ts');
      return toOutcome(() => listNamedQueries(diskPath(uri), server.project));
    },
    'entityGraph/status': ({ uri }, signal) => statusOf(server, uri, signal),
  };
}

/** Adds the edits that mend each finding, of a file that is open and as it was imported. */
async function withFixes(
  server: LanguageServer,
  uri: string,
  { path }: GraphFile,
  answer: Outcome<FindingsAnswer>,
): Promise<Outcome<FindingsAnswer>> {
  const graph = openGraph(server.documents, uri);
  const sourcesFile = graph && server.contexts.sourceOf(graph)?.sourcesFile;
  if (!answer.ok || !sourcesFile) return answer;
  const { importedStore } = await import('../../operations/imports/imported-counts.ts');
  const { currentFindings, importedFindings } = await import('../../language/imported-findings.ts');
  const { findingFixes } = await import('../../language/finding-fixes.ts');
  const imported = await importedStore(path, sourcesFile).catch(() => undefined);
  if (!imported) return answer;
  const { findings, ...others } = answer.value;
  const { parsed, sources, catalog } = server.contexts.of(graph);
  const current = new Set(currentFindings(parsed, importedFindings(imported.text, findings)));
  const fixed = findings.map((finding) =>
    current.has(finding)
      ? { ...finding, fixes: findingFixes(finding, { graph: parsed.graph, sources, catalog }) }
      : finding,
  );
  return { ok: true, value: { ...others, findings: fixed } };
}

function savedFilterRequests(
  server: LanguageServer,
): Pick<GraphRequests, 'entityGraph/savedFilters' | 'entityGraph/saveFilter'> {
  return {
    async 'entityGraph/savedFilters'({ uri }) {
      const { loadFilters } = await import('../../operations/graph-files/saved-filters.ts');
      const { toOutcome } = await import('../../operations/operation-error.ts');
      return toOutcome(() => loadFilters(diskPath(uri), server.project));
    },
    async 'entityGraph/saveFilter'({ uri, ...saved }) {
      const { saveFilter } = await import('../../operations/graph-files/saved-filters.ts');
      const { toOutcome } = await import('../../operations/operation-error.ts');
      return toOutcome(() => saveFilter(diskPath(uri), saved, server.project));
    },
  };
}

/** Finds what is stored of a file's graph, and uses it. */
async function ofStored<Found, T>(
  server: LanguageServer,
  uri: string,
  find: (file: GraphFile, stored: typeof storedGraphModule) => Promise<Found>,
  use: (found: Found, file: GraphFile) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  const { toOutcome } = await import('../../operations/operation-error.ts');
  const stored = await import('../../operations/stored-graphs/stored-graph.ts');
  const outcome = await toOutcome(async () => {
    const file = await readGraphFile(diskPath(uri), server.project);
    return { file, found: await find(file, stored) };
  });
  return outcome.ok ? use(outcome.value.found, outcome.value.file) : outcome;
}

async function importGraph(
  server: LanguageServer,
  { uri, request }: LanguageRequests['entityGraph/import']['params'],
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const run = async (file: GraphFile, sourcesFile: SourcesFile | undefined): Promise<Outcome<ImportOutcome>> => {
    const services = await server.services();
    const onProgress = (progress: Parameters<typeof server.reportImport>[1]): void =>
      server.reportImport(uri, progress);
    const value = await services.importGraph(file, { request, onProgress, signal, sourcesFile });
    if ('error' in value && sourcesFile) proposeType(server, sourcesFile, value.error);
    return { ok: true, value };
  };
  const outcome = await operateOnFile(server, uri, run, { signal });
  server.countsChanged();
  if (outcome.ok) return outcome.value;
  const { error } = outcome;
  return { status: error.code === 'cancelled' ? 'cancelled before it began' : 'refused', error };
}

async function statusOf(server: LanguageServer, uri: string, signal: AbortSignal): Promise<GraphStatusView | null> {
  const path = pathOfUri(uri);
  if (path === undefined) return null;
  const { problemsSent } = server.documents.problemsPriority;
  if (problemsSent) await unlessAborted(problemsSent, signal);
  const { describeEntity } = await import('../../operations/graph-files/list-entities.ts');
  try {
    const row = await describeEntity(path, {
      workspaceFolderOf: server.project.workspaceFolderOf,
      openText: server.project.openText,
      openGraph: server.project.openGraph,
    });
    const { status, progress, hasFailed, imported, modifiedSinceImport, keptRows, slice, problem } = row;
    const more = {
      ...(hasFailed && { hasFailed }),
      ...(keptRows ? { keptRows } : {}),
      ...(slice ? { slice } : {}),
      ...(problem ? { problem } : {}),
    };
    return { status, progress, imported, modifiedSinceImport, ...more };
  } catch {
    // Unsaved or deleted: it has no status.
    return null;
  }
}

/** Shows the type that a failed import proposes in the data sources file, with a quick fix. */
function proposeType({ catalogs }: LanguageServer, sourcesFile: SourcesFile, { message, proposedType }: Failure): void {
  const source = sourcesFile.sources.sources.find(({ name }) => name.value === proposedType?.dataSource);
  if (!source || !proposedType) return;
  catalogs.propose(catalogKey(sourcesFile, source), sourcesFile, {
    ...proposedType,
    message: `The last import failed. ${message}`,
  });
}
