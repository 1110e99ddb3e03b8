import { type Disposable, type ExtensionContext, type LogOutputChannel, Uri, workspace } from 'vscode';
import {
  type CancellationToken,
  type DocumentFilter,
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import type {
  ClientNotifications,
  ClientRequests,
  InitializationOptions,
  LanguageNotifications,
  RequestMethod,
  RequestParams,
  RequestResult,
} from '../../protocol/language-requests.ts';
import { createNotificationListeners } from './notification-listeners.ts';
import { createOpenQuestions } from './open-questions.ts';
import { createTraceChannel } from './trace-channel.ts';

/** The language server as seen by the extension, typed by the shared protocol. */
export interface GraphLanguage extends Disposable {
  /** Resolves when the server is ready; rejects when it cannot be started. */
  start(): Promise<void>;
  /** Waits for the server first. Cancelling the token cancels the request. */
  request<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
    token?: CancellationToken,
  ): Promise<RequestResult<M>>;
  notify<M extends keyof ClientNotifications>(method: M, params: ClientNotifications[M]): Promise<void>;
  /** Resolves when no question of the server, such as for a secret, is open. */
  answered(): Promise<void>;
  onNotification<M extends keyof LanguageNotifications>(
    method: M,
    listener: (params: LanguageNotifications[M]) => void,
  ): Disposable;
}

/** Handlers of server requests. */
export type ClientAnswers = {
  readonly [M in keyof ClientRequests]: (params: ClientRequests[M]['params']) => Promise<ClientRequests[M]['result']>;
};

export function createGraphLanguage(
  context: ExtensionContext,
  log: LogOutputChannel,
  answers: ClientAnswers,
): GraphLanguage {
  const module = Uri.joinPath(context.extensionUri, 'server/dist/main.js').fsPath;
  // Limits V8's young generation, which would otherwise take 32 MB.
  const execArgv = ['--max-semi-space-size=4'];
  const options = { module, transport: TransportKind.ipc, options: { execArgv } };
  const client = new LanguageClient(
    'entityGraph',
    'Entity Graph',
    { run: options, debug: options },
    clientOptions(log),
  );
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => (started ??= client.start());

  const questions = createOpenQuestions();
  for (const [method, answer] of Object.entries(answers)) {
    const ask = answer as (params: unknown) => Promise<unknown>;
    client.onRequest(method, (params: unknown) => questions.during(() => ask(params)));
  }
  const trust = workspace.onDidGrantWorkspaceTrust(async () => {
    await start();
    const params: ClientNotifications['entityGraph/trustChanged'] = { trusted: true };
    await client.sendNotification('entityGraph/trustChanged', params);
  });

  const listeners = createNotificationListeners((method, handler) => client.onNotification(method, handler));

  return {
    start,
    async request<M extends RequestMethod>(method: M, params: RequestParams<M>, token?: CancellationToken) {
      await start();
      // An undefined token would be sent as a second parameter.
      return token === undefined
        ? client.sendRequest<RequestResult<M>>(method, params)
        : client.sendRequest<RequestResult<M>>(method, params, token);
    },
    async notify(method, params) {
      await start();
      await client.sendNotification(method, params);
    },
    answered: () => questions.answered(),
    onNotification: (method, listener) => listeners.add(method, listener),
    dispose() {
      trust.dispose();
      void client.dispose();
    },
  };
}

function clientOptions(log: LogOutputChannel): LanguageClientOptions {
  const documentSelector: DocumentFilter[] = ['entity-graph', 'entity-sources', 'entity-tests'].flatMap((language) => [
    { scheme: 'file', language },
    { scheme: 'untitled', language },
  ]);
  return {
    documentSelector,
    outputChannel: log,
    traceOutputChannel: createTraceChannel(log),
    initializationOptions: (): InitializationOptions => ({ trusted: workspace.isTrusted, extended: true }),
  };
}
