import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type CancellationToken, CancellationError, Uri } from 'vscode';

/** How to start the tools of a folder for agents, which read only (docs/agents.md). */
export interface ToolServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

export function toolServerOf(extensionUri: Uri, folder: string): ToolServer {
  const program = Uri.joinPath(extensionUri, 'server', 'dist', 'cli.js').fsPath;
  return { command: process.execPath, args: [program, 'mcp', folder], env: { ELECTRON_RUN_AS_NODE: '1' } };
}

type Answer = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: unknown;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: Answer;
    readonly content?: readonly { readonly text?: string }[];
  };
}

const callId = 2;

/**
 * Asks a server that is started for this question. Rejects with the tool's own words, or with `CancellationError`.
 * @returns the structured answer of the tool
 */
export function callTool(
  { command, args, env }: ToolServer,
  name: string,
  given: object,
  token: CancellationToken,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
    const cancellation = token.onCancellationRequested(() => end(() => reject(new CancellationError())));
    /** The server ends with its input, and a call that runs with the server. */
    const end = (settle: () => void): void => {
      cancellation.dispose();
      child.stdin.end();
      settle();
    };
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    // A server that ended before is told by `close`.
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => end(() => reject(error)));
    child.once('close', () => end(() => reject(new Error('The tools of Entity Graph have ended without an answer.'))));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, error, result } = JSON.parse(line) as Message;
      if (id !== callId) return;
      const words = error?.message ?? (result?.content ?? []).map(({ text = '' }) => text).join('\n');
      end(() => {
        if (result?.structuredContent && result.isError !== true) resolve(result.structuredContent);
        else reject(new Error(words));
      });
    });
    const clientInfo = { name: 'entity-graph-vscode', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: callId, method: 'tools/call', params: { name, arguments: given } });
  });
}
