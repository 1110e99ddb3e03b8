import { pathToFileURL } from 'node:url';
import type { FileGraphView } from '../../../../protocol/first-draft.ts';
import type { LanguageRequests } from '../../../../protocol/language-requests.ts';
import type { EntityView, lifecycleRequests } from '../../../../protocol/requests/lifecycle-requests.ts';
import type { Outcome } from '../../../../protocol/query-results.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { type ProjectContext, type SourcesFile, findSources } from '../../project/open-project.ts';
import { createGitReader } from '../../project/committed-definitions.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { dataObjectsView } from './catalog-views.ts';
import { diskPath, pathOfUri } from '../file-uri.ts';
import type { EntityCache, EntityRow } from '../../operations/graph-files/list-entities.ts';
import type { Handlers } from './request-handlers.ts';
import type { LanguageServer } from '../language-server.ts';
import type { KnownGraphFacts } from '../../operations/graph-files/known-graph-facts.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { prepareSource, untrusted } from './source-operations.ts';

/** Lifecycle of entity graphs: the operations of the command line for the editor. */
export function createLifecycleRequests(
  server: LanguageServer,
  folders: () => readonly string[],
): Handlers<typeof lifecycleRequests> {
  return { ...listRequests(server, folders), ...fileRequests(server), ...sourceRequests(server) };
}

type LifecycleHandlers = Handlers<typeof lifecycleRequests>;

/** The list of all graphs, which remembers what it has read. */
function listRequests(
  server: LanguageServer,
  folders: () => readonly string[],
): Pick<LifecycleHandlers, 'entityGraph/entities'> {
  const { project } = server;
  const memory: EntityCache = new Map();
  const known = new Map<string, KnownGraphFacts>();
  const git = createGitReader();
  return {
    async 'entityGraph/entities'() {
      const { listEntities } = await import('../../operations/graph-files/list-entities.ts');
      // Listing recognises renames by text, which may be ambiguous, so announced renames are handled first.
      await server.renamesFollowed();
      const { openText, openGraph } = project;
      const { createKnownGraphFacts } = await import('../../operations/graph-files/known-graph-facts.ts');
      const knownIn = (folder: string): KnownGraphFacts => {
        const facts = known.get(folder) ?? createKnownGraphFacts(folder, __filename);
        known.set(folder, facts);
        return facts;
      };
      const { toFailure } = await import('../../operations/operation-error.ts');
      const unreadable: { readonly file: string; readonly error: unknown }[] = [];
      const listed = folders().map(async (folder) => {
        try {
          const listing = await listEntities(folder, {
            workspaceFolderOf: (file) => project.workspaceFolderOf?.(file) ?? folder,
            memory,
            known: knownIn(folder),
            openText,
            openGraph,
            git: server.isTrusted() ? git : undefined,
            isReadOnly: !server.isTrusted(),
          });
          unreadable.push(...listing.unreadable);
          return listing.rows;
        } catch (error) {
          unreadable.push({ file: folder, error });
          return [];
        }
      });
      const rows = (await Promise.all(listed)).flat();
      return {
        entities: byUri(rows.map(entityView)),
        unreadable: byUri(unreadable.map(({ file, error }) => ({ uri: uriOf(file), error: toFailure(error) }))),
      };
    },
  };
}

/** Requests about files, which reach no data source. */
function fileRequests({
  project,
}: LanguageServer): Pick<
  LifecycleHandlers,
  | 'entityGraph/importedText'
  | 'entityGraph/copy'
  | 'entityGraph/previewDelete'
  | 'entityGraph/exportConfiguration'
  | 'entityGraph/importConfigurations'
  | 'entityGraph/saveFile'
  | 'entityGraph/newEmptyGraph'
> {
  return {
    'entityGraph/importedText': ({ uri }) =>
      onFile(uri, async (path) => {
        const { importedText } = await import('../../operations/graph-files/reset-graph.ts');
        return { text: await importedText(path, project) };
      }),
    'entityGraph/copy': ({ uri, target }) =>
      onFile(uri, async (path) => {
        const { copyGraph } = await import('../../operations/graph-files/copy-graph.ts');
        return copyGraph(path, diskPath(target), project);
      }),
    'entityGraph/previewDelete': ({ uri }) =>
      onFile(uri, async (path) => {
        const { previewDelete } = await import('../../operations/graph-files/delete-graph.ts');
        const { paths, inSources } = await previewDelete(path, project);
        return { paths, inSources: inSources.map(({ dataSource, schema }) => ({ dataSource, schema })) };
      }),
    'entityGraph/exportConfiguration': ({ uri, target, format }) =>
      onFile(uri, async (path) => {
        const { exportConfiguration } = await import('../../operations/graph-files/export-configuration.ts');
        return exportConfiguration(path, diskPath(target), format, project);
      }),
    'entityGraph/importConfigurations': ({ files, texts, folder, existing }) =>
      onFile(folder, async (path) => {
        const { importConfigurations } = await import('../../operations/graph-files/import-configurations.ts');
        const paths = files.flatMap((file) => pathOfUri(file) ?? []);
        return importConfigurations(paths, path, project, { existing, texts });
      }),
    'entityGraph/saveFile': ({ target, base64 }) =>
      onFile(target, async (path) => {
        const { saveFile } = await import('../../operations/graph-files/save-file.ts');
        await saveFile(path, Buffer.from(base64, 'base64'));
        return null;
      }),
    'entityGraph/newEmptyGraph': ({ target, ...graph }) =>
      onFile(target, async (output) => {
        const { newEmptyGraph } = await import('../../operations/graph-files/new-graph.ts');
        await newEmptyGraph(output, graph, project);
        return null;
      }),
  };
}

/** Requests that may reach a data source: not in an untrusted workspace. */
function sourceRequests(
  server: LanguageServer,
): Pick<
  LifecycleHandlers,
  | 'entityGraph/delete'
  | 'entityGraph/objectsFor'
  | 'entityGraph/graphOfFile'
  | 'entityGraph/answersInText'
  | 'entityGraph/newGraph'
> {
  const { project } = server;
  return {
    async 'entityGraph/delete'({ uri, dropTables = false }, signal) {
      if (dropTables && !server.isTrusted()) return { ok: false, error: untrusted };
      return onFile(
        uri,
        async (path) => {
          const { deleteGraph, previewDelete } = await import('../../operations/graph-files/delete-graph.ts');
          if (dropTables) {
            const { inSources } = await previewDelete(path, project);
            for (const name of new Set(inSources.map(({ dataSource }) => dataSource))) {
              const { sourcesFile, source } = await sourceFor(path, name, project);
              await prepareSource(server, sourcesFile, source, signal);
            }
          }
          return deleteGraph(path, project, { dropTables, signal });
        },
        signal,
      );
    },
    async 'entityGraph/objectsFor'({ uri, dataSource, progressToken }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      return onFile(
        uri,
        async (path) => {
          const { sourcesFile, source } = await sourceFor(path, dataSource, project);
          const key = catalogKey(sourcesFile, source);
          await server.catalogs.reload(key, sourcesFile, source);
          const { catalog } = server.catalogs.known(key);
          if (catalog) return dataObjectsView(catalog);
          await prepareSource(server, sourcesFile, source, signal);
          const read = (): Promise<Catalog> => server.catalogs.refresh(key, sourcesFile, source, signal);
          return dataObjectsView(await server.catalogs.withSteps(key, server.reporting(progressToken), read));
        },
        signal,
      );
    },
    'entityGraph/graphOfFile': (params, signal) => draftOfFile(server, params, signal),
    async 'entityGraph/answersInText'({ text, answers }) {
      const { answersInText } = await import('../../draft/answers-in-text.ts');
      return answersInText(text, answers);
    },
    async 'entityGraph/newGraph'({ target, dataSource, progressToken, answers, ...graph }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      return onFile(
        target,
        async (output) => {
          const { newGraph, newGraphOrQuestion } = await import('../../operations/graph-files/new-graph.ts');
          const { sourcesFile, source } = await sourceFor(output, dataSource, project);
          await prepareSource(server, sourcesFile, source, signal);
          for (const further of graph.furtherSources ?? []) {
            const { source: other } = await sourceFor(output, further.dataSource, project);
            await prepareSource(server, sourcesFile, other, signal);
          }
          const onProgress = server.reporting(progressToken);
          const options = { ...graph, output, signal, onProgress };
          if (answers) return newGraphOrQuestion(sourcesFile, dataSource, { ...options, answers }, project);
          const { chosen, leftOut } = await newGraph(sourcesFile, dataSource, options, project);
          return { kind: 'written' as const, chosen, leftOut };
        },
        signal,
      );
    },
  };
}

async function draftOfFile(
  server: LanguageServer,
  { file, graph, progressToken, ...wishes }: LanguageRequests['entityGraph/graphOfFile']['params'],
  signal: AbortSignal,
): Promise<Outcome<FileGraphView>> {
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  return onFile(
    file,
    async (path) => {
      const { graphOfFile } = await import('../../operations/graph-files/graph-of-file.ts');
      const earlier = graph === undefined ? undefined : diskPath(graph);
      const options = { ...wishes, graph: earlier, signal, onProgress: server.reporting(progressToken) };
      const outcome = await graphOfFile(path, options, server.project);
      if (outcome.kind === 'exists') return { kind: 'exists', graphs: outcome.graphs.map(uriOf) };
      const { path: sourcesPath, ...texts } = outcome.sources;
      return { ...outcome, graph: uriOf(outcome.graph), sources: { uri: uriOf(sourcesPath), ...texts } };
    },
    signal,
  );
}

/** Runs an operation on the path of a URI; failures become messages. */
async function onFile<T>(
  uri: string,
  operation: (path: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  const { OperationError, toOutcome } = await import('../../operations/operation-error.ts');
  return toOutcome(async () => {
    const path = pathOfUri(uri);
    if (path !== undefined) return operation(path);
    throw new OperationError({
      code: 'file-not-saved',
      message: 'This is not a file on disk.',
      remedy: 'Save it first.',
    });
  }, signal);
}

/** Rejects with `source-config` when no such source applies to the file. */
async function sourceFor(
  path: string,
  dataSource: string,
  project: ProjectContext,
): Promise<{ sourcesFile: SourcesFile; source: DataSource }> {
  const sourcesFile = await findSources(path, project);
  const source = sourcesFile?.sources.sources.find(({ name }) => name.value === dataSource);
  if (sourcesFile && source) return { sourcesFile, source };
  const { OperationError } = await import('../../operations/operation-error.ts');
  throw new OperationError({
    code: 'source-config',
    message: `The data source ${dataSource} is not configured.`,
  });
}

function entityView({ file, sourcesFile, ...row }: EntityRow): EntityView {
  return { uri: uriOf(file), sourcesUri: sourcesFile === null ? null : uriOf(sourcesFile), ...row };
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Workspace folders may be nested. */
function byUri<View extends { readonly uri: string }>(views: readonly View[]): readonly View[] {
  return [...new Map(views.map((view) => [view.uri, view])).values()];
}
