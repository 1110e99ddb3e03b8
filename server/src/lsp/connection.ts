import { type Connection, DidChangeConfigurationNotification, type InitializeParams } from 'vscode-languageserver/node';
import type { ClientNotifications } from '../../../protocol/requests/notifications.ts';
import { type Answers, createAnswers } from './answers.ts';
import { type Client, createClient } from './client.ts';
import { registerFeatures } from './features/register-features.ts';
import { followDocuments } from './follow-documents.ts';
import { type FollowedRenames, createFollowedRenames } from './followed-renames.ts';
import { initializeResult } from './initialize-result.ts';
import { type Knowledge, createKnowledge } from './knowledge.ts';
import { createKeptComparisons } from './kept-comparisons.ts';
import type { LanguageServer } from './language-server.ts';
import { warmUp } from './warm-up.ts';

/** Delay after the start, in which editors open files and ask for lists. */
const warmUpAfterMs = 2_000;

/** Serves one client until `exit`. */
export function serve(connection: Connection): void {
  const client = createClient(connection);
  const knowledge = createKnowledge(client, {
    graphChanged: (uri) => answers.changes.graphChanged(uri),
    fileChanged: (uri) => answers.changes.fileChanged(uri),
  });
  const answers: Answers = createAnswers(client, knowledge);
  const renames = createFollowedRenames({ connection, project: knowledge.project, background: client.background });
  followDocuments(client, knowledge, answers);
  followClient(client, knowledge, answers, renames);
  const server = languageServer(client, knowledge, answers, renames);
  registerFeatures(connection, server, () => knowledge.folders.all(), client.log);
  connection.listen();
}

/** All that requests are answered with. */
function languageServer(
  client: Client,
  knowledge: Knowledge,
  answers: Answers,
  renames: FollowedRenames,
): LanguageServer {
  return {
    ...knowledge,
    ...answers,
    comparisons: createKeptComparisons(knowledge.documents),
    isTrusted: client.isTrusted,
    abilities: client.abilities,
    tell: client.tell,
    renamesFollowed: () => renames.followed(),
    lensesChanged: () => client.lensesChanged(),
    countsChanged() {
      client.lensesChanged();
      client.hintsChanged();
      knowledge.contexts.imported();
      answers.followed.knowledgeChanged();
    },
    reportImport: (uri, progress) => client.notify('entityGraph/importProgress', { uri, progress }),
    reporting: (progressToken) => (message) => {
      if (progressToken !== undefined) client.notify('entityGraph/requestProgress', { progressToken, message });
    },
  };
}

/** Follows the client from its first message on: settings, folders, files, trust and secrets. */
function followClient(client: Client, knowledge: Knowledge, { followed }: Answers, renames: FollowedRenames): void {
  const { connection, background } = client;
  const { folders, documents, contexts, fileChanges, knownSettings } = knowledge;

  /** Temporary files of imports killed with an earlier server or command line. */
  function sweepLeftovers(): void {
    if (!client.isTrusted()) return;
    background(async () => {
      const { sweepLeftovers: sweep } = await import('../operations/imports/sweep-leftovers.ts');
      await sweep(folders.all());
    });
  }

  connection.onInitialize((params) => {
    const abilities = client.initialized(params);
    folders.change(params.workspaceFolders ?? rootFolder(params), []);
    return initializeResult(abilities);
  });
  const hasFiles = (): boolean => documents.files().length > 0;
  connection.onInitialized(() => {
    const { tellsSettings, workspaceFolders } = client.abilities();
    sweepLeftovers();
    setTimeout(() => background(async () => void (await warmUp(() => !hasFiles()))), warmUpAfterMs).unref();
    knowledge.watched.start();
    if (tellsSettings) {
      background(async () => {
        await connection.client.register(DidChangeConfigurationNotification.type, { section: 'entityGraph' });
      });
    }
    // Some clients send changes without registration.
    connection.onDidChangeConfiguration(() => {
      knownSettings.changed();
      client.hintsChanged();
      background(() => contexts.settingsChanged());
    });
    if (workspaceFolders) {
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
    client.trustChanged(params.trusted);
    sweepLeftovers();
    fileChanges.sourcesChanged();
  });
  connection.onNotification('entityGraph/unfollowGraph', ({ uri }: ClientNotifications['entityGraph/unfollowGraph']) =>
    followed.unfollow(uri),
  );
  connection.onNotification('entityGraph/secretsChanged', () => background(() => contexts.secretsChanged()));
}

function rootFolder({ rootUri }: InitializeParams): { readonly uri: string; readonly name: string }[] {
  return rootUri ? [{ uri: rootUri, name: '' }] : [];
}
