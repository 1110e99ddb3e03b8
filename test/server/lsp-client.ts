import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageWriter,
  createMessageConnection,
} from 'vscode-languageserver-protocol/node';
import { withUsualForms } from './usual-forms.ts';
import { readMessages } from '../support/message-reader.ts';

const serverPath = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

/** The built language server over stdio, driven like an editor does. */
export interface LspClient {
  readonly connection: MessageConnection;
  readonly initialized: InitializeResult;
  /** Ends the server's process at once, like a crash. */
  kill(): Promise<void>;
  /** Resolves when the server's process has ended. */
  ended(): Promise<void>;
  /** Opens a document and returns its URI. */
  open(path: string, text: string, languageId?: string): Promise<string>;
  /** Replaces the first occurrence of `from`, as one incremental change. */
  edit(uri: string, from: string, to: string): Promise<void>;
  /** Resolves with the first pushed problems of a document that satisfy `condition`, earlier ones included. */
  diagnostics(uri: string, condition: (diagnostics: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  /** Resolves with the first notification that satisfies `condition`, earlier ones included. */
  notification<T>(method: string, condition: (params: T) => boolean): Promise<T>;
  /** The parameters of all received notifications of a method. */
  received<T>(method: string): readonly T[];
  /** All notifications of a method so far, the oldest first. */
  notifications<T>(method: string): readonly T[];
  /** Of the server's process. */
  readonly pid: number;
  close(): Promise<void>;
}

export interface LspClientOptions {
  /** The open folder; absent when files are opened without one. */
  readonly folder?: string;
  readonly initializationOptions?: unknown;
  /** Added to those of a usual editor. */
  readonly capabilities?: InitializeParams['capabilities'];
  /** These capabilities and folders only, as a certain editor sends them. */
  readonly declared?: Pick<InitializeParams, 'capabilities' | 'rootUri' | 'workspaceFolders'>;
  readonly env?: Readonly<Record<string, string>>;
  /** The client's responses to the server's requests. */
  readonly answers?: Readonly<Record<string, (params: never, token: CancellationToken) => unknown>>;
}

/** A user who allows what the source of a test sends; tests of consent answer themselves. */
const usualAnswers: LspClientOptions['answers'] = { 'entityGraph/allowSecret': () => ({ allowed: true }) };

interface OpenText {
  text: string;
  version: number;
}

export async function startLspClient(options: LspClientOptions): Promise<LspClient> {
  const child = spawn(process.execPath, [serverPath, '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const connection = createMessageConnection(readMessages(child.stdout), new StreamMessageWriter(child.stdin));
  const received: { readonly method: string; readonly params: unknown }[] = [];
  const arrivals = new EventEmitter().setMaxListeners(100);
  connection.onNotification((method, params) => {
    received.push({ method, params });
    arrivals.emit('arrival');
  });
  for (const [method, answer] of Object.entries({ ...usualAnswers, ...options.answers }))
    connection.onRequest(method, answer as () => unknown);
  connection.listen();
  const texts = new Map<string, OpenText>();

  async function notification<T>(method: string, condition: (params: T) => boolean): Promise<T> {
    for (;;) {
      const found = received.findLast((each) => each.method === method && condition(each.params as T));
      if (found) return found.params as T;
      await once(arrivals, 'arrival');
    }
  }

  const folderUri = options.folder === undefined ? null : pathToFileURL(options.folder).href;
  const initialized: InitializeResult = await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: folderUri,
    workspaceFolders: folderUri === null ? null : [{ uri: folderUri, name: 'test' }],
    capabilities: withUsualForms(options.capabilities ?? {}),
    initializationOptions: options.initializationOptions,
    ...options.declared,
  } satisfies InitializeParams);
  await connection.sendNotification('initialized', {});

  return {
    connection,
    initialized,
    async open(path, text, languageId = 'yaml') {
      const uri = pathToFileURL(path).href;
      texts.set(uri, { text, version: 1 });
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version: 1, text },
      });
      return uri;
    },
    async edit(uri, from, to) {
      const open = texts.get(uri);
      const at = open?.text.indexOf(from) ?? -1;
      if (!open || at < 0) throw new Error(`The document has no ${from}.`);
      const range = { start: positionAt(open.text, at), end: positionAt(open.text, at + from.length) };
      open.text = open.text.slice(0, at) + to + open.text.slice(at + from.length);
      open.version += 1;
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: open.version },
        contentChanges: [{ range, text: to }],
      });
    },
    async diagnostics(uri, condition) {
      const method = 'textDocument/publishDiagnostics';
      const version = texts.get(uri)?.version;
      const current = (params: PublishDiagnosticsParams): boolean =>
        params.uri === uri && params.version === version && condition(params.diagnostics);
      return (await notification<PublishDiagnosticsParams>(method, current)).diagnostics;
    },
    notification,
    notifications: <T>(method: string) =>
      received.flatMap((each) => (each.method === method ? [each.params as T] : [])),
    pid: child.pid ?? 0,
    received: <T>(method: string) => received.filter((each) => each.method === method).map(({ params }) => params as T),
    async kill() {
      child.kill('SIGKILL');
      await gone;
      connection.dispose();
    },
    ended: () => gone,
    close: () => shutDown(connection, child),
  };
}

/** Zero-based line and character of an offset. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** The text of a problem; empty when there is none. */
export function messageOf(diagnostic: Diagnostic | undefined): string {
  const message = diagnostic?.message ?? '';
  return typeof message === 'string' ? message : message.value;
}

async function shutDown(connection: MessageConnection, child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await ended;
  connection.dispose();
}
