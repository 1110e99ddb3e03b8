import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DidChangeWatchedFilesNotification } from 'vscode-languageserver/node';
import { createGraphClient } from '../engine/graph-client.ts';
import { createDuckDbClient } from '../engine/duckdb-client.ts';
import type { Services } from '../services.ts';
import type { Client } from './client.ts';
import { type ClientSettings, defaultClientSettings, readClientSettings } from './client-settings.ts';
import { type GraphContexts, createGraphContexts } from './diagnostics/graph-contexts.ts';
import { createTestContexts } from './diagnostics/test-contexts.ts';
import { type OpenDocuments, createOpenDocuments } from './documents/open-documents.ts';
import { createFileChanges } from './file-changes.ts';
import { createKnownSettings } from './known-settings.ts';
import { createClientProject } from './sources/client-project.ts';
import { createKnownReferences } from './sources/known-references.ts';
import { type CatalogDependencies, createSourceCatalogs } from './sources/source-catalogs.ts';
import { createSourceUses } from './sources/source-uses.ts';
import { createWatchedFiles } from './sources/watched-files.ts';
import { createWorkspaceFolders } from './workspace-folders.ts';

/** Who must hear of new knowledge. */
export interface KnowledgeChanges {
  /** Names, types or results of imports that a graph is validated with. */
  graphChanged(uri: string): void;
  /** The same of another file. */
  fileChanged(uri: string): void;
}

/** All that the server knows of open documents, their folders and data sources; answers need no I/O. */
export type Knowledge = ReturnType<typeof createKnowledge>;

export function createKnowledge(client: Client, { graphChanged, fileChanged }: KnowledgeChanges) {
  const { connection, log, background, isTrusted } = client;
  const folders = createWorkspaceFolders();
  const documents = createOpenDocuments(connection, log);
  const { project, secrets, logins } = createClientProject({
    connection,
    documents,
    folders,
    abilities: client.abilities,
    isTrusted,
    onAllowed: () => background(() => contexts.secretsChanged()),
    log,
  });
  const duckdb = createDuckDbClient(join(__dirname, 'duckdb.js'));
  const graphs = createGraphClient(join(__dirname, 'graph.js'));
  let loaded: Promise<Services> | undefined;
  const loadServices = async (): Promise<Services> => {
    const { createServices } = await import('../services.ts');
    return createServices(project, join(__dirname, 'engine.js'), duckdb.describeFiles);
  };
  const services = (): Promise<Services> => (loaded ??= loadServices());
  const settings = async (uri: string): Promise<ClientSettings> =>
    client.abilities().configuration ? readClientSettings(connection, uri) : defaultClientSettings;
  const catalogs = createSourceCatalogs({
    services,
    environment: project.environment,
    secretsAreKnown: (sourcesFile, source) => secrets.areKnown(sourcesFile, source),
    onChanged(path) {
      tests.catalogChanged(path);
      for (const { uri, kind, path: open } of documents.all())
        if (kind === 'sources' && open === path) fileChanged(uri);
    },
    onState: (...state) => tellCatalogState(client, documents, contexts, ...state),
  });
  const followed = {
    documents,
    catalogs,
    project,
    isTrusted,
    mayConnect: async (uri: string) => (await settings(uri)).readCatalogInBackground,
    onFollowed: () => watched.update(),
  };
  const contexts = createGraphContexts({
    ...followed,
    async findings(store, signal) {
      const answer = await graphs.ask(store, 'findings', {}, signal);
      return answer.ok ? answer.value.findings : undefined;
    },
    onChanged: graphChanged,
  });
  const tests = createTestContexts({ ...followed, background, onChanged: fileChanged });
  const watched = createWatchedFiles({
    folders,
    background,
    abilities: client.abilities,
    places: async () => [...(await contexts.filePlaces()), ...(await tests.filePlaces())],
    register: (watchers) => connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }),
  });
  const uses = createSourceUses({ documents, project, background, onChanged: fileChanged });
  const references = createKnownReferences({ documents, project, background, folders: () => folders.all() });

  return {
    folders,
    documents,
    project,
    secrets,
    logins,
    duckdb,
    graphs,
    services,
    settings,
    knownSettings: createKnownSettings(settings, () => client.abilities().tellsSettings),
    catalogs,
    contexts,
    tests,
    watched,
    uses,
    references,
    fileChanges: createFileChanges({ contexts, tests, uses, references, background }),
  };
}

/** The state of the catalog of a data source is shown with the graphs whose main source it is, and beside others. */
function tellCatalogState(
  client: Client,
  documents: OpenDocuments,
  contexts: GraphContexts,
  ...[key, path, dataSource, state]: Parameters<CatalogDependencies['onState']>
): void {
  const graphs: string[] = [];
  const besides: string[] = [];
  for (const document of documents.all()) {
    const main = document.kind === 'graph' ? contexts.sourceOf(document) : undefined;
    if (main?.key === key) graphs.push(document.uri);
    else if (main?.sourcesFile.path === path) besides.push(document.uri);
  }
  const uri = pathToFileURL(path).href;
  client.notify('entityGraph/catalogChanged', { uri, dataSource, graphs, besides, state });
}
