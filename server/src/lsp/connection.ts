import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CodeActionKind,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type FileEvent,
  type InitializeParams,
  type InitializeResult,
  InlayHintRefreshRequest,
  MessageType,
  ShowMessageNotification,
  type ShowMessageParams,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { version } from '../../../package.json';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import type { ClientNotifications, LanguageNotifications } from '../../../protocol/requests/notifications.ts';
import { type DuckDbClient, createDuckDbClient } from '../engine/duckdb-client.ts';
import { createGraphClient } from '../engine/graph-client.ts';
import { sourcesFileNames } from '../project/find-sources.ts';
import { isEntityFile } from '../project/list-entity-files.ts';
import type { ProjectContext } from '../project/open-project.ts';
import { lockedTokenStore } from '../project/locked-token-store.ts';
import type { Services } from '../services.ts';
import { type ClientRequest, clientTokens, createBrowserLogins } from './sources/browser-logins.ts';
import { type AskSql, createBackgroundValidator } from '../sql/background-validator.ts';
import { type ClientAbilities, noAbilities, readClientAbilities } from './client-abilities.ts';
import { defaultClientSettings, readClientSettings, readNetworkSettings } from './client-settings.ts';
import { createValidatedGraphs } from './diagnostics/validated-graphs.ts';
import { createDiagnostics } from './diagnostics/diagnostics.ts';
import { createDocumentProblems } from './diagnostics/document-problems.ts';
import { fileNameOfUri, pathOfUri } from './file-uri.ts';
import { createTestContexts } from './diagnostics/test-contexts.ts';
import { createGraphContexts } from './diagnostics/graph-contexts.ts';
import { createKnownReferences } from './sources/known-references.ts';
import { completionTriggers } from './features/completion.ts';
import { createKnownSettings } from './known-settings.ts';
import type { LanguageServer } from './language-server.ts';
import { type OpenDocument, createOpenDocuments } from './documents/open-documents.ts';
import { createOpeningGate } from './documents/opening-gate.ts';
import { semanticTokensLegend } from './features/semantic-tokens.ts';
import { createExtensionClient } from './extension-client.ts';
import { createFollowedGraphs, graphKnowledge } from './requests/followed-graphs.ts';
import { registerFeatures } from './features/register-features.ts';
import { runInBackground } from './request-guard.ts';
import { createMemoryRelease } from './release-memory.ts';
import { type SecretRequest, createSecrets } from './sources/secrets.ts';
import { createSourceCatalogs } from './sources/source-catalogs.ts';
import { createSourceUses } from './sources/source-uses.ts';
import { type UsePermissions, askByMessage, clientPermissions, editorPermissions } from './sources/use-permissions.ts';
import { createWatchedFiles } from './sources/watched-files.ts';
import { warmUp } from './warm-up.ts';
import { createWorkspaceFolders } from './workspace-folders.ts';

/** Debounce of file changes before graphs look up their sources files. */
const sourcesDelayMs = 200;

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
  const ownClient = createExtensionClient(connection, log);
  const askClient: SecretRequest = (params) => (client.extended ? ownClient('entityGraph/secret', params) : undefined);
  const ownPermissions = clientPermissions((params) => ownClient('entityGraph/allowSecret', params));
  const messagePermissions = editorPermissions({
    allowedOrigins: () => client.allowedOrigins,
    ask: (message, buttons) => askByMessage(connection, message, buttons),
    onAllowed: () => background(() => contexts.secretsChanged()),
  });
  const permissions: UsePermissions = {
    async refused(uses, mayAsk) {
      if (!trusted) return uses;
      return (client.extended ? ownPermissions : messagePermissions).refused(uses, mayAsk);
    },
  };
  const secrets = createSecrets({ request: askClient, permissions, environment: process.env });
  const askForLogin: ClientRequest = (method, params) => (client.extended ? ownClient(method, params) : undefined);
  const project: ProjectContext = {
    openText: (path) => documents.textOf(path),
    openGraph: (path) => documents.graphAt(path),
    readSecret: secrets.read,
    permitUses: secrets.permit,
    tokens: lockedTokenStore(clientTokens(askForLogin)),
    readNetwork: async () => (client.configuration ? readNetworkSettings(connection) : undefined),
    environment: process.env,
    workspaceFolderOf: (path) => folders.of(path),
  };
  const logins = createBrowserLogins(askForLogin, project);
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
    problems: createDocumentProblems({ documents, contexts, tests, graphs: validatedGraphs, catalogs, uses }),
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
  let renames = Promise.resolve();
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
    renamesFollowed: () => renames.catch(() => undefined),
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

  const searching = createDebouncer(sourcesDelayMs, () => {
    tests.sourcesChanged();
    background(() => contexts.sourcesChanged());
  });
  const sourcesChanged = (): void => searching.schedule();

  const changedFiles = new Set<string>();
  const rereading = createDebouncer(sourcesDelayMs, () => {
    const changed = [...changedFiles];
    changedFiles.clear();
    background(() => contexts.dataFilesChanged(changed));
    background(() => tests.dataFilesChanged(changed));
  });
  function dataFilesChanged(paths: readonly string[]): void {
    for (const path of paths) changedFiles.add(path);
    rereading.schedule();
  }

  function documentChanged(document: OpenDocument): void {
    diagnostics.documentChanged(document.uri, document.cameAt);
    uses.documentChanged(document);
    references.documentChanged(document);
    if (document.kind === 'sources') return sourcesChanged();
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
    if (kind === 'sources') sourcesChanged();
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
        uses.filesChanged();
        references.filesChanged();
        sourcesChanged();
      });
    }
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const isSources = ({ uri }: FileEvent): boolean => sourcesFileNames.some((name) => fileNameOfUri(uri) === name);
    const isGraph = ({ uri }: FileEvent): boolean => isEntityFile(fileNameOfUri(uri));
    if (changes.some(isSources)) {
      sourcesChanged();
      references.filesChanged();
    }
    if (changes.some((change) => isSources(change) || isGraph(change))) uses.filesChanged();
    tests.graphsChanged(changes.filter(isGraph).map(({ uri }) => pathOfUri(uri)));
    const others = changes.filter((change) => !isSources(change) && !isGraph(change));
    if (others.length > 0) dataFilesChanged(others.flatMap(({ uri }) => pathOfUri(uri) ?? []));
  });
  connection.workspace.onDidRenameFiles(({ files }) => {
    const follow = async (): Promise<void> => {
      const { followRename } = await import('../operations/graph-files/move-state.ts');
      for (const { oldUri, newUri } of files) {
        const [from, to] = [pathOfUri(oldUri), pathOfUri(newUri)];
        const left = from === undefined || to === undefined ? [] : await followRename(from, to, project);
        for (const { file, failure } of left) {
          const message = `The import of ${basename(file)} could not go along with its new name. ${failure.message} ${failure.remedy ?? ''}`;
          const params: ShowMessageParams = { type: MessageType.Error, message: message.trimEnd() };
          await connection.sendNotification(ShowMessageNotification.type, params);
        }
      }
    };
    // Sequential, because a file may be renamed again at once.
    background(() => (renames = renames.then(follow, follow)));
  });
  connection.onNotification('entityGraph/trustChanged', (params: ClientNotifications['entityGraph/trustChanged']) => {
    trusted = params.trusted;
    sweepLeftovers();
    sourcesChanged();
  });

  connection.onNotification('entityGraph/unfollowGraph', ({ uri }: ClientNotifications['entityGraph/unfollowGraph']) =>
    followed.unfollow(uri),
  );
  connection.onNotification('entityGraph/secretsChanged', () => background(() => contexts.secretsChanged()));

  registerFeatures(connection, server, () => folders.all(), log);
  connection.listen();
}

function initializeResult(client: ClientAbilities): InitializeResult {
  const pull = { identifier: 'entity-graph', interFileDependencies: true, workspaceDiagnostics: false };
  return {
    serverInfo: { name: 'Entity Graph', version },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      completionProvider: { triggerCharacters: completionTriggers, resolveProvider: client.resolvesCompletions },
      hoverProvider: true,
      documentSymbolProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      documentHighlightProvider: true,
      renameProvider: { prepareProvider: true },
      codeActionProvider: {
        codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.Refactor, CodeActionKind.SourceFixAll],
        resolveProvider: true,
      },
      foldingRangeProvider: true,
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
      workspaceSymbolProvider: true,
      documentLinkProvider: {},
      selectionRangeProvider: true,
      semanticTokensProvider: { legend: semanticTokensLegend, full: { delta: true } },
      inlayHintProvider: true,
      linkedEditingRangeProvider: true,
      callHierarchyProvider: true,
      // Code lenses use commands of our own client.
      ...(client.extended ? { codeLensProvider: { resolveProvider: client.resolvesLenses } } : {}),
      ...(client.diagnostics === 'push' ? {} : { diagnosticProvider: pull }),
      workspace: {
        workspaceFolders: { supported: true, changeNotifications: true },
        fileOperations: {
          didRename: {
            filters: [
              { pattern: { glob: '**/*.entity.{yaml,yml,json}', matches: 'file' } },
              { pattern: { glob: '**/*', matches: 'folder' } },
            ],
          },
        },
      },
    },
  };
}

function rootFolder({ rootUri }: InitializeParams): { readonly uri: string; readonly name: string }[] {
  return rootUri ? [{ uri: rootUri, name: '' }] : [];
}

async function loadServices(project: ProjectContext, duckdb: DuckDbClient): Promise<Services> {
  const { createServices } = await import('../services.ts');
  return createServices(project, join(__dirname, 'engine.js'), duckdb.describeFiles);
}
