import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

/** A server process, and what waits for its answers. */
interface Session {
  readonly child: ChildProcess;
  readonly waiting: Map<string | number, ServerResponse>;
}

/** A server on stdin and stdout, for clients that speak HTTP. */
export interface HttpBridge {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a process for each session on the loopback address, and passes messages on as they are. */
export async function startHttpBridge(command: string, args: readonly string[]): Promise<HttpBridge> {
  const sessions = new Map<string, Session>();
  const server = createServer((request, response) => {
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = request.headers['mcp-session-id'];
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    const id = typeof given === 'string' ? given : randomUUID();
    const session = sessions.get(id) ?? start();
    sessions.set(id, session);
    session.child.stdin?.write(`${JSON.stringify(message)}\n`);
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': id });
    session.waiting.set(message.id, response);
  }

  function start(): Session {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting = new Map<string | number, ServerResponse>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, method } = JSON.parse(line) as Message;
      const event = `event: message\ndata: ${line}\n\n`;
      const response = id !== undefined && method === undefined ? waiting.get(id) : undefined;
      if (response && id !== undefined) {
        waiting.delete(id);
        response.end(event);
      } else for (const each of waiting.values()) each.write(event);
    });
    return { child, waiting };
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      for (const { child } of sessions.values()) {
        const gone = once(child, 'exit');
        child.stdin?.end();
        await gone;
      }
      server.closeAllConnections();
      server.close();
    },
  };
}
