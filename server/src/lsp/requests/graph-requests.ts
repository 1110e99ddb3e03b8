import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import type { ImportOutcome } from '../../../../protocol/import-progress.ts';
import type { LanguageRequests } from '../../../../protocol/language-requests.ts';
import type { Failure, Outcome } from '../../../../protocol/query-results.ts';
import type { Services } from '../../services.ts';
import type { GraphStatusView } from '../../../../protocol/requests/graph-requests.ts';
import type { QueryTargetView } from '../../../../protocol/requests/query-requests.ts';
import type { Reported } from '../../../../protocol/shapes/request-shape.ts';
import { endsText } from '../../../../protocol/relationship-name.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { type GraphFile, type SourcesFile, readGraphFile } from '../../project/open-project.ts';
import { masterDataName, relationshipName } from '../../model/entity-graph.ts';
import { createLineIndex } from '../../model/line-index.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { createCanvasRequests, draftedFile, placedInDraft } from './canvas-requests.ts';
import { diskPath, pathOfUri } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import { createLifecycleRequests } from './lifecycle-requests.ts';
import { createPlatformRequests } from './platform-requests.ts';
import { readGraph } from './read-graph.ts';
import { unlessAborted } from '../request-guard.ts';
import type * as storedGraphModule from '../../operations/stored-graphs/stored-graph.ts';
import type { GraphRequests } from './request-handlers.ts';
import { createSourceRequests } from './source-requests.ts';
import { createTestRequests } from './test-requests.ts';
import { operateOnFile, refreshCatalog, untrusted } from './source-operations.ts';

interface QueryConditions {
  readonly limit?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly requestedAt: number;
  readonly onProgress: (step: string) => void;
}

export function createGraphRequests(server: LanguageServer, folders: () => readonly string[]): GraphRequests {
  return {
    ...createCanvasRequests(server),
    ...createLifecycleRequests(server, folders),
    ...createSourceRequests(server, folders),
    ...createPlatformRequests(server),
    ...createTestRequests(server, folders),
    async 'entityGraph/graphView'({ uri, follow }, signal) {
      if (follow) server.followed.follow(uri);
      if (server.documents.isOpen(uri)) return server.followed.viewOf(uri, signal);
      const { toGraphView } = await import('../../language/to-graph-view.ts');
      const graph = await readGraph(server, uri);
      return graph ? toGraphView(graph.parsed, { uri, version: graph.version }) : null;
    },
    async 'entityGraph/queryTargets'({ uri }) {
      const graph = await readGraph(server, uri);
      return graph ? queryTargets(graph.parsed) : [];
    },
    'entityGraph/showQuery': ({ target, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, { timeoutMs: _, ...conditions }) =>
        services.showQuery(file, target, { signal, ...conditions }),
      ),
    'entityGraph/testQuery': ({ target, limit, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, conditions) =>
        services.testQuery(file, target, { signal, ...conditions, limit: limit ?? conditions.limit }),
      ),
    'entityGraph/previewJoin': ({ name, limit, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, conditions) =>
        services.previewJoin(file, name, { signal, ...conditions, limit: limit ?? conditions.limit }),
      ),
    'entityGraph/countJoin': ({ name, ...params }, signal) =>
      queryDraft(server, params, signal, (services, file, conditions) =>
        services.countJoin(file, name, { signal, ...conditions }),
      ),
    'entityGraph/graphDiff': ({ uri }, signal) =>
      ofStored(
        server,
        uri,
        (file, { storedGraphs }) => storedGraphs(file, server.project),
        (stores, file) => server.graphs.diff(stores, file, signal),
      ),
    'entityGraph/eventGraph': ({ uri, question, params }, signal) =>
      ofStored(
        server,
        uri,
        (file, { storedGraph }) => storedGraph(file, server.project),
        (store, { text }) => {
          const isOfText = question === 'rules' || question === 'rule' || question === 'suggestRules';
          const asked = isOfText ? { ...(params as object), text } : params;
          // The view pairs each question with its parameters.
          return server.graphs.ask(store, question, asked as never, signal);
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
        prompt,
        afterReading: signal,
        onStep,
      });
    },
    'entityGraph/import': (params, signal) => importGraph(server, params, signal),
    'entityGraph/refreshCatalog': ({ uri, progressToken }, signal) =>
      refreshCatalog(server, uri, signal, server.reporting(progressToken)),
    'entityGraph/status': ({ uri }, signal) => statusOf(server, uri, signal),
  };
}

/** Runs a query of the file after applying an intent. */
async function queryDraft<T>(
  server: LanguageServer,
  { uri, draft, progressToken }: { readonly uri: string; readonly draft?: CanvasIntent | undefined } & Reported,
  signal: AbortSignal,
  query: (services: Services, file: GraphFile, conditions: QueryConditions) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const requestedAt = Date.now();
  const onProgress = server.reporting(progressToken);
  const { previewRows, queryTimeoutMs } = await server.settings(uri);
  const queryFile = async (file: GraphFile): Promise<Outcome<T>> => {
    const services = await server.services();
    const drafted = await draftedFile(file, draft);
    if (!drafted.ok) return drafted;
    const outcome = await query(services, drafted.value, {
      requestedAt,
      onProgress,
      limit: previewRows,
      timeoutMs: queryTimeoutMs,
    });
    return placedInDraft(outcome, drafted.value, draft);
  };
  return operateOnFile(server, uri, queryFile, { afterReading: signal, onStep: onProgress });
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
  const outcome = await operateOnFile(server, uri, async (file, sourcesFile) => {
    const services = await server.services();
    const onProgress = (progress: Parameters<typeof server.reportImport>[1]): void =>
      server.reportImport(uri, progress);
    const value = await services.importGraph(file, { request, onProgress, signal, sourcesFile });
    if ('error' in value && sourcesFile) proposeType(server, sourcesFile, value.error);
    return { ok: true, value } as const;
  });
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

/** In file order; elements without an activity name cannot be addressed. */
function queryTargets({ graph, yaml }: ParsedEntityGraph): readonly QueryTargetView[] {
  const lines = createLineIndex(yaml.text);
  const elements = graph.elements.flatMap((element): QueryTargetView[] => {
    const name = element.activityName?.value;
    if (name === undefined) return [];
    const description = element.dataObject?.value ?? '';
    return [{ target: { kind: 'element', name }, label: name, description, range: lines.range(element.range) }];
  });
  const relationships = graph.relationships.map((relationship): QueryTargetView => {
    const name = relationshipName(relationship);
    const ends = endsText(relationship.source?.value, relationship.target?.value);
    return {
      target: { kind: 'relationship', name },
      label: name,
      description: relationship.name ? ends : '',
      range: lines.range(relationship.range),
    };
  });
  const entities = graph.entities.flatMap((entry): QueryTargetView[] => {
    const name = masterDataName(entry);
    if (name === undefined) return [];
    const description = entry.dataObject?.value ?? '';
    return [{ target: { kind: 'entities', name }, label: name, description, range: lines.range(entry.range) }];
  });
  return [...elements, ...entities, ...relationships];
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
