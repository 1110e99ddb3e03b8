import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  InlayHintRefreshRequest,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver/node';
import type { ClientNotifications, LanguageNotifications } from '../../../protocol/requests/notifications.ts';
import { type DuckDbClient, createDuckDbClient } from '../engine/duckdb-client.ts';
import { createGraphClient } from '../engine/graph-client.ts';
import type { ProjectContext } from '../project/open-project.ts';
import type { Services } from '../services.ts';
import { type AskSql, createBackgroundValidator } from '../sql/background-validator.ts';
import { type ClientAbilities, noAbilities, readClientAbilities } from './client-abilities.ts';
import { defaultClientSettings, readClientSettings } from './client-settings.ts';
import { createValidatedGraphs } from './diagnostics/validated-graphs.ts';
import { createDiagnostics } from './diagnostics/diagnostics.ts';
import { createDocumentProblems } from './diagnostics/document-problems.ts';
import { createFileChanges } from './file-changes.ts';
import { pathOfUri } from './file-uri.ts';
import { createFollowedRenames } from './followed-renames.ts';
import { initializeResult } from './initialize-result.ts';
import { createTestContexts } from './diagnostics/test-contexts.ts';
import { createGraphContexts } from './diagnostics/graph-contexts.ts';
import { createClientProject } from './sources/client-project.ts';
import { createKnownReferences } from './sources/known-references.ts';
import { createKnownSettings } from './known-settings.ts';
import type { LanguageServer } from './language-server.ts';
import { type OpenDocument, createOpenDocuments } from './documents/open-documents.ts';
import { createOpeningGate } from './documents/opening-gate.ts';
import { createFollowedGraphs, graphKnowledge } from './requests/followed-graphs.ts';
import { registerFeatures } from './features/register-features.ts';
import { runInBackground } from './request-guard.ts';
import { createMemoryRelease } from './release-memory.ts';
import { createSourceCatalogs } from './sources/source-catalogs.ts';
import { createSourceUses } from './sources/source-uses.ts';
import { createWatchedFiles } from './sources/watched-files.ts';
import { warmUp } from './warm-up.ts';
import { createWorkspaceFolders } from './workspace-folders.ts';

/** Delay after the start, in which editors open files and ask for lists. */
const warmUpAfterMs = 2_000;

/** Serves one client until `exit`. */
export function serve(connection: Connection): void {
  let client: ClientAbilities = noAbilities;
  let trusted = false;
  const log = (message: string): void => connection.console.error(message);
  const background = (work: () => Promise<void>): void => runInBackground(work, log);

  const hintsChanged = (): void => {
    if (client.refreshesHints) background(() => connection.sendRequest(InlayHintRefreshRequest.type));
  };

  const folders = createWorkspaceFolders();
  const documents = createOpenDocuments(connection, log);
  const opening = createOpeningGate();
  const { project, secrets, logins } = createClientProject({
    connection,
    documents,
    folders,
    abilities: () => client,
    isTrusted: () => trusted,
    onAllowed: () => background(() => contexts.secretsChanged()),
    log,
  });
  const duckdbClient = createDuckDbClient(join(__dirname, 'duckdb.js'));
  const graphs = createGraphClient(join(__dirname, 'graph.js'));
  let loaded: Promise<Services> | undefined;
  const services = (): Promise<Services> => (loaded ??= loadServices(project, duckdbClient));
  const settings: LanguageServer['settings'] = async (uri) =>
    client.configuration ? readClientSettings(connection, uri) : defaultClientSettings;
  const knownSettings = createKnownSettings(settings, () => client.tellsSettings);
  const catalogs = createSourceCatalogs({
    services,
    environment: project.environment,
    secretsAreKnown: (sourcesFile, source) => secrets.areKnown(sourcesFile, source),
    onChanged(path) {
      tests.catalogChanged(path);
      for (const { uri, kind, path: open } of documents.all())
        if (kind === 'sources' && open === path) diagnostics.contextChanged(uri);
    },
    onState(key, path, dataSource, state) {
      const graphs: string[] = [];
      const besides: string[] = [];
      for (const document of documents.all()) {
        const main = document.kind === 'graph' ? contexts.sourceOf(document) : undefined;
        if (main?.key === key) graphs.push(document.uri);
        else if (main?.sourcesFile.path === path) besides.push(document.uri);
      }
      const uri = pathToFileURL(path).href;
      notify('entityGraph/catalogChanged', { uri, dataSource, graphs, besides, state });
    },
  });
  const contexts = createGraphContexts({
    documents,
    catalogs,
    project,
    isTrusted: () => trusted,
    mayConnect: async (uri) => (await settings(uri)).readCatalogInBackground,
    onChanged(uri) {
      diagnostics.contextChanged(uri);
      followed.knowledgeChanged(uri);
      hintsChanged();
    },
    onFollowed: () => watched.update(),
  });
  const tests = createTestContexts({
    documents,
    catalogs,
    project,
    background,
    isTrusted: () => trusted,
    mayConnect: async (uri) => (await settings(uri)).readCatalogInBackground,
    onChanged: (uri) => diagnostics.contextChanged(uri),
    onFollowed: () => watched.update(),
  });
  const watched = createWatchedFiles({
    folders,
    background,
    abilities: () => client,
    places: async () => [...(await contexts.filePlaces()), ...(await tests.filePlaces())],
    register: (watchers) => connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }),
  });
  const askSql: AskSql = async (question) => {
    await opening.allPassed;
    return duckdbClient.askSql(question);
  };
  const duckdb = createBackgroundValidator(askSql, () => {
    for (const { uri, kind } of documents.all()) if (kind === 'graph') diagnostics.contextChanged(uri);
    followed.knowledgeChanged();
  });
  const uses = createSourceUses({
    documents,
    project,
    background,
    onChanged: (uri) => diagnostics.contextChanged(uri),
  });
  const references = createKnownReferences({ documents, project, background, folders: () => folders.all() });
  const validatedGraphs = createValidatedGraphs({ documents, contexts, duckdb });
  const diagnostics = createDiagnostics({
    problems: createDocumentProblems({
      documents,
      contexts,
      tests,
      graphs: validatedGraphs,
      catalogs,
      uses,
      forms: () => client.forms,
    }),
    connection,
    documents,
    opening,
    graphs: validatedGraphs,
    duckdb,
    log,
    mode: () => client.diagnostics,
  });

  const notify = <M extends keyof LanguageNotifications>(method: M, params: LanguageNotifications[M]): void => {
    if (client.extended) background(() => connection.sendNotification(method, params));
  };
  const followed = createFollowedGraphs({
    documents,
    background,
    announce: (changed) => notify('entityGraph/graphChanged', changed),
    knowledgeOf: (uri) => graphKnowledge(uri, validatedGraphs, contexts),
  });
  const renames = createFollowedRenames({ connection, project, background });
  const server: LanguageServer = {
    documents,
    contexts,
    tests,
    catalogs,
    diagnostics,
    validatedGraphs,
    followed,
    secrets,
    logins,
    project,
    settings,
    knownSettings,
    services,
    graphs,
    references,
    duckdbValidator: duckdb.validator,
    isTrusted: () => trusted,
    abilities: () => client,
    renamesFollowed: () => renames.followed(),
    countsChanged() {
      if (client.refreshesLenses) background(() => connection.sendRequest(CodeLensRefreshRequest.type));
      hintsChanged();
      contexts.imported();
      followed.knowledgeChanged();
    },
    reportImport: (uri, progress) => notify('entityGraph/importProgress', { uri, progress }),
    reporting: (progressToken) => (message) => {
      if (progressToken !== undefined) notify('entityGraph/requestProgress', { progressToken, message });
    },
    tell: (message) =>
      background(() =>
        connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message }),
      ),
  };

  const fileChanges = createFileChanges({ contexts, tests, uses, references, background });

  function documentChanged(document: OpenDocument): void {
    diagnostics.documentChanged(document.uri, document.cameAt);
    uses.documentChanged(document);
    references.documentChanged(document);
    if (document.kind === 'sources') return fileChanges.sourcesChanged();
    if (document.kind === 'tests') return tests.follow(document);
    tests.graphsChanged([document.path]);
    followed.changed(document);
    background(async () => {
      await opening.allPassed;
      await contexts.follow(document);
    });
  }

  const memory = createMemoryRelease();
  documents.onChanged((document) => {
    if (document.isNew) memory.opened(document.text);
    else memory.changed(document.text);
    // Without a refresh, the first response is the only one until the next change.
    if (document.isNew && document.kind === 'graph' && client.diagnostics !== 'pull without refresh')
      opening.opened(document.uri, document.text);
    documentChanged(document);
  });
  documents.onClosed((uri, kind) => {
    diagnostics.closed(uri);
    knownSettings.forget(uri);
    contexts.forget(uri);
    if (kind === 'tests') tests.forget(uri);
    // Unsaved changes of a graph are discarded with it.
    if (kind === 'graph') tests.graphsChanged([pathOfUri(uri)]);
    followed.unfollow(uri);
    uses.documentClosed(uri);
    // Unsaved changes of a sources file are discarded with it.
    if (kind === 'sources') fileChanges.sourcesChanged();
  });

  /** Temporary files of imports killed with an earlier server or command line. */
  function sweepLeftovers(): void {
    if (!trusted) return;
    background(async () => {
      const { sweepLeftovers: sweep } = await import('../operations/imports/sweep-leftovers.ts');
      await sweep(folders.all());
    });
  }

  connection.onInitialize((params) => {
    client = readClientAbilities(params);
    trusted = client.trusted;
    folders.change(params.workspaceFolders ?? rootFolder(params), []);
    return initializeResult(client);
  });
  const hasFiles = (): boolean => documents.files().length > 0;
  connection.onInitialized(() => {
    sweepLeftovers();
    setTimeout(() => background(async () => void (await warmUp(() => !hasFiles()))), warmUpAfterMs).unref();
    watched.start();
    if (client.tellsSettings) {
      background(async () => {
        await connection.client.register(DidChangeConfigurationNotification.type, { section: 'entityGraph' });
      });
    }
    // Some clients send changes without registration.
    connection.onDidChangeConfiguration(() => {
      knownSettings.changed();
      hintsChanged();
      background(() => contexts.settingsChanged());
    });
    if (client.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        folders.change(added, removed);
        sweepLeftovers();
        fileChanges.foldersChanged();
      });
    }
  });
  connection.onDidChangeWatchedFiles(({ changes }) => fileChanges.filesChanged(changes));
  connection.workspace.onDidRenameFiles((params) => renames.renamed(params.files));
  connection.onNotification('entityGraph/trustChanged', (params: ClientNotifications['entityGraph/trustChanged']) => {
    trusted = params.trusted;
    sweepLeftovers();
    fileChanges.sourcesChanged();
  });

  connection.onNotification('entityGraph/unfollowGraph', ({ uri }: ClientNotifications['entityGraph/unfollowGraph']) =>
    followed.unfollow(uri),
  );
  connection.onNotification('entityGraph/secretsChanged', () => background(() => contexts.secretsChanged()));

  registerFeatures(connection, server, () => folders.all(), log);
  connection.listen();
}

function rootFolder({ rootUri }: InitializeParams): { readonly uri: string; readonly name: string }[] {
  return rootUri ? [{ uri: rootUri, name: '' }] : [];
}

async function loadServices(project: ProjectContext, duckdb: DuckDbClient): Promise<Services> {
  const { createServices } = await import('../services.ts');
  return createServices(project, join(__dirname, 'engine.js'), duckdb.describeFiles);
}
