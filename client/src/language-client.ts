import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  type ViewColumn,
  Uri,
  window,
  workspace,
} from 'vscode';
import type {
  CancellationToken,
  DocumentFilter,
  LanguageClient,
  LanguageClientOptions,
} from 'vscode-languageclient/node';
import type {
  InitializationOptions,
  RequestMethod,
  RequestParams,
  RequestResult,
} from '../../protocol/language-requests.ts';
import type { ClientRequests } from '../../protocol/requests/client-requests.ts';
import type { ClientNotifications, LanguageNotifications } from '../../protocol/requests/notifications.ts';
import { serverEnvironment, serverFlags } from '../../protocol/server-process.ts';
import { isGraph } from './active-graph.ts';
import { createNotificationListeners } from './notification-listeners.ts';
import { createOpenQuestions } from './open-questions.ts';
import { redactTrace } from './redact-trace.ts';

/** The language server as seen by the extension, typed by the shared protocol. */
export interface GraphLanguage extends Disposable {
  /** Resolves when the server is ready; rejects when it cannot be started. */
  start(): Promise<void>;
  /**
   * Delays the start of the server until a page is drawn, because both need the same processors. It starts at the latest
   * after a second. Without effect once the server has started.
   */
  startAfter(drawn: Promise<void>): void;
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

/** Handlers of server requests. The signal is aborted when the server cancels. */
type ClientAnswers = {
  readonly [M in keyof ClientRequests]: (
    params: ClientRequests[M]['params'],
    signal: AbortSignal,
  ) => Promise<ClientRequests[M]['result']>;
};

/** Milliseconds in which a command follows the activation that it caused. */
const commandMs = 20;

/** Most milliseconds for which the server waits for a page. */
const mostHeldMs = 1_000;

export function createGraphLanguage(
  context: ExtensionContext,
  log: LogOutputChannel,
  answers: ClientAnswers,
): GraphLanguage {
  const questions = createOpenQuestions();
  const subscribed: (readonly [method: string, handler: (params: unknown) => void])[] = [];
  let client: LanguageClient | undefined;
  let isDisposed = false;
  let held: Promise<unknown> = Promise.resolve();

  /**
   * The code of the client takes most of the time of an activation, so it is loaded after it, and, without an open
   * graph, after the command that VS Code activated the extension for.
   */
  async function load(): Promise<LanguageClient> {
    await (window.visibleTextEditors.some(isGraph) ? nextTurn() : pause(commandMs));
    await held;
    const loaded = await createClient(context.extensionUri, log);
    for (const [method, answer] of Object.entries(answers)) {
      const ask = answer as (params: unknown, signal: AbortSignal) => Promise<unknown>;
      loaded.onRequest(method, (params: unknown, token: CancellationToken) =>
        questions.during(() => ask(params, signalOf(token))),
      );
    }
    for (const [method, handler] of subscribed) loaded.onNotification(method, handler);
    client = loaded;
    return loaded;
  }

  async function startClient(): Promise<LanguageClient> {
    const loaded = await load();
    // VS Code may end an extension right after its activation. A client that was not disposed would start with the first
    // request that waits for it.
    if (isDisposed) await loaded.dispose();
    // A page may have been opened while the code was loaded.
    await held;
    await loaded.start();
    return loaded;
  }
  let started: Promise<LanguageClient> | undefined;
  const running = (): Promise<LanguageClient> => (started ??= startClient());

  const trust = workspace.onDidGrantWorkspaceTrust(async () => {
    const params: ClientNotifications['entityGraph/trustChanged'] = { trusted: true };
    await (await running()).sendNotification('entityGraph/trustChanged', params);
  });

  const listeners = createNotificationListeners((method, handler) => {
    subscribed.push([method, handler]);
    client?.onNotification(method, handler);
  });

  return {
    start: async () => void (await running()),
    startAfter(drawn) {
      held = Promise.race([drawn.catch(() => undefined), pause(mostHeldMs, undefined, { ref: false })]);
    },
    async request<M extends RequestMethod>(method: M, params: RequestParams<M>, token?: CancellationToken) {
      const server = await running();
      // An undefined token would be sent as a second parameter.
      return token === undefined
        ? server.sendRequest<RequestResult<M>>(method, params)
        : server.sendRequest<RequestResult<M>>(method, params, token);
    },
    async notify(method, params) {
      await (await running()).sendNotification(method, params);
    },
    answered: () => questions.answered(),
    onNotification: (method, listener) => listeners.add(method, listener),
    dispose() {
      isDisposed = true;
      trust.dispose();
      void client?.dispose();
    },
  };
}

/** The token belongs to one request and ends with it. */
function signalOf(token: CancellationToken): AbortSignal {
  const abort = new AbortController();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

async function createClient(extensionUri: Uri, log: LogOutputChannel): Promise<LanguageClient> {
  const { LanguageClient, TransportKind } = await import('./client-library.ts');
  const module = Uri.joinPath(extensionUri, 'server/dist/main.js').fsPath;
  const fork = { execArgv: [...serverFlags], env: serverEnvironment(process.env) };
  const options = { module, transport: TransportKind.ipc, options: fork };
  return new LanguageClient('entityGraph', 'Entity Graph', { run: options, debug: options }, clientOptions(log));
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

/**
 * The output channel for protocol traces, with secrets redacted. It is active only when `entityGraph.trace.server` is
 * set, although the client also traces at log level *Trace* without it.
 */
function createTraceChannel(log: LogOutputChannel): LogOutputChannel {
  return {
    name: log.name,
    get logLevel() {
      return log.logLevel;
    },
    onDidChangeLogLevel: log.onDidChangeLogLevel,
    trace(message) {
      const asked = workspace.getConfiguration('entityGraph').get('trace.server', 'off');
      if (asked !== 'off') log.trace(redactTrace(message));
    },
    debug: (message, ...more) => log.debug(message, ...more),
    info: (message, ...more) => log.info(message, ...more),
    warn: (message, ...more) => log.warn(message, ...more),
    error: (error, ...more) => log.error(error, ...more),
    append: (value) => log.append(value),
    appendLine: (value) => log.appendLine(value),
    replace: (value) => log.replace(value),
    clear: () => log.clear(),
    show: (_column?: ViewColumn | boolean, preserveFocus?: boolean) => log.show(preserveFocus),
    hide: () => log.hide(),
    // The log belongs to the extension, not to the client.
    dispose: () => {},
  };
}
