import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageWriter,
  createMessageConnection,
} from 'vscode-languageserver-protocol/node';
import { readMessages } from '../test/support/message-reader.ts';

/** A language server with one document open, timed from outside as VS Code would wait for it: it asks servers that can be asked for problems. */
export interface TimedServer {
  /** Replaces part of a line; resolves with the milliseconds until problems that satisfy `expected` are known. */
  change(
    line: number,
    from: string,
    to: string,
    expected: (problems: readonly Diagnostic[]) => boolean,
  ): Promise<number>;
  /** The same without waiting. */
  type(line: number, from: string, to: string): void;
  /** Resolves with the milliseconds from opening the document until problems that satisfy `expected` are known. */
  opened(expected: (problems: readonly Diagnostic[]) => boolean): Promise<number>;
  /** Resolves when the server has finished initial work on a new file, or after half a minute. */
  settled(): Promise<void>;
  /** Milliseconds of a request at a position. */
  request(method: string, line: number, character: number): Promise<number>;
  /** Resident memory in bytes. */
  memory(): number;
  /** Processor time since the document was opened, in milliseconds; it depends less on other load than elapsed time. */
  processorTime(): number;
  close(): Promise<void>;
  /** Lets the server exit by itself, so that it keeps its compiled code for the next start. */
  shutDown(): Promise<void>;
}

export interface ServerCommand {
  readonly args: readonly string[];
  /** Environment variables of the server, in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How long it has been running when the document is opened; at once by default. */
  readonly restMs?: number;
  /** Answer to `workspace/configuration`, by section. */
  readonly configuration: Readonly<Record<string, unknown>>;
}

export async function startTimedServer(
  { args, environment, restMs = 0, configuration }: ServerCommand,
  folder: string,
  file: string,
  text: string,
): Promise<TimedServer> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const connection = createMessageConnection(readMessages(child.stdout), new StreamMessageWriter(child.stdin));
  const uri = pathToFileURL(file).href;
  const published = publishedProblems(connection, uri);
  const refreshes: (() => void)[] = [];
  connection.onRequest('workspace/diagnostic/refresh', () => {
    for (const resolve of refreshes.splice(0)) resolve();
    return null;
  });
  connection.onRequest('workspace/configuration', ({ items }: { items: { section: string }[] }) =>
    items.map(({ section }) => configuration[section] ?? null),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('custom/schema/request', () => []);
  connection.listen();
  const folderUri = pathToFileURL(folder).href;
  const { capabilities }: InitializeResult = await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: folderUri,
    workspaceFolders: [{ uri: folderUri, name: basename(folder) }],
    capabilities: {
      workspace: { configuration: true, diagnostics: { refreshSupport: true } },
      // The capabilities of VS Code.
      textDocument: {
        diagnostic: {},
        publishDiagnostics: {},
        completion: {
          completionItem: { snippetSupport: true, resolveSupport: { properties: ['documentation', 'detail'] } },
          completionList: { itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat', 'data'] },
        },
      },
    },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', { settings: configuration });
  const lines = text.split('\n');
  let version = 1;
  await pause(restMs);
  const processorBefore = processorMilliseconds(child);
  const openedAt = performance.now();
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version, text },
  });

  const isAsked = capabilities.diagnosticProvider !== undefined;
  let asking = new CancellationTokenSource();
  /** Like VS Code, cancels outdated requests after each change. */
  async function ask(expected: (problems: readonly Diagnostic[]) => boolean): Promise<void> {
    asking.cancel();
    const own = (asking = new CancellationTokenSource());
    for (;;) {
      const refreshed = new Promise<void>((resolve) => refreshes.push(resolve));
      const params = { textDocument: { uri } };
      const report: DocumentDiagnosticReport = await connection.sendRequest(
        'textDocument/diagnostic',
        params,
        own.token,
      );
      if (report.kind === 'full' && expected(report.items)) return;
      await refreshed;
    }
  }

  const replace = (line: number, from: string, to: string): void => {
    const at = lines[line]?.indexOf(from) ?? -1;
    if (at < 0) throw new Error(`Line ${line} has no ${from}.`);
    lines[line] = (lines[line] ?? '').replace(from, to);
    version += 1;
    const range = { start: { line, character: at }, end: { line, character: at + from.length } };
    void connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: to }],
    });
  };

  return {
    type(line, from, to) {
      replace(line, from, to);
      // Cancelled by the next one.
      if (isAsked) ask(() => true).catch(() => undefined);
    },
    async change(line, from, to, expected) {
      const start = performance.now();
      const isPublished = isAsked ? undefined : published.next(expected);
      replace(line, from, to);
      await (isPublished ?? ask(expected));
      return performance.now() - start;
    },
    async opened(expected) {
      await (isAsked ? ask(expected) : published.next(expected));
      return performance.now() - openedAt;
    },
    async settled() {
      const until = performance.now() + 30_000;
      let [last, quiet] = [processorMilliseconds(child), 0];
      while (quiet < 4 && performance.now() < until) {
        await pause(250);
        const now = processorMilliseconds(child);
        quiet = now - last <= 10 ? quiet + 1 : 0;
        last = now;
      }
    },
    async request(method, line, character) {
      const start = performance.now();
      await connection.sendRequest(method, { textDocument: { uri }, position: { line, character } });
      return performance.now() - start;
    },
    memory: () => residentBytes(child),
    processorTime: () => processorMilliseconds(child) - processorBefore,
    async close() {
      connection.dispose();
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
    },
    async shutDown() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await ended;
      connection.dispose();
    },
  };
}

function publishedProblems(connection: MessageConnection, uri: string) {
  const waiting: { expected: (problems: readonly Diagnostic[]) => boolean; resolve: () => void }[] = [];
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    if (params.uri !== uri) return;
    for (const each of waiting.splice(0)) {
      if (each.expected(params.diagnostics)) each.resolve();
      else waiting.push(each);
    }
  });
  return {
    next: (expected: (problems: readonly Diagnostic[]) => boolean): Promise<void> =>
      new Promise((resolve) => waiting.push({ expected, resolve })),
  };
}

/** User and system time, in ticks of ten milliseconds; available without a tool only on Linux. */
function processorMilliseconds({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Available without a tool only on Linux. */
function residentBytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
