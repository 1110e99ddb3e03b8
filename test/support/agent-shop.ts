import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cliPath } from './run-cli.ts';
import { runCommand } from './run-command.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';

/** The value of a secret, and of an environment variable, of the service. */
export const shopSecrets = { secret: 'correct-horse-battery-staple', variable: 'token-of-env' };

export const agentShop = `version: 1
name: Shop
dataSource: files
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, properties: [country] }
  - { activityName: Pay Order, dataObject: orders, key: id, entityType: order, startTimestamp: paid_at }
rules:
  - { name: Paid, each: { entityType: order }, expect: [{ activity: Pay Order, count: 1 }] }
`;
/** An edit of meaning, which also follows the name in rules. */
export const rename = { kind: 'configureElement', element: 'Pay Order', values: { activityName: 'Settle Order' } };

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const rows = Array.from(
  { length: 60 },
  (_, index) =>
    `${index},${index % 2 ? 'DE' : 'FR'},2024-01-01 10:00:00,${index % 3 ? `2024-01-${index % 2 ? '20' : '03'} 11:00:00` : ''}\n`,
);

/** What a tool answers. */
interface Answered {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A workspace with a graph of a file and one of a service, and clients of `entity-graph mcp`. */
export interface AgentShop {
  /** Contains the workspace, and an entity graph outside of it. */
  readonly base: string;
  readonly folder: string;
  /** What the service was asked for, each with its authorization. */
  readonly requests: string[];
  /** Until called again with false, no request is answered. */
  hold(held: boolean): void;
  /** A client of a new server. @param args of the program */
  connect(args?: readonly string[], mode?: 'auto', env?: Readonly<Record<string, string>>): Promise<Client>;
  /** Ends the servers. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

/** @param imports of the shop before the first test */
export async function openAgentShop(imports: number): Promise<AgentShop> {
  const requests: string[] = [];
  const waiting = new Set<ServerResponse>();
  let isHeld = false;
  const answer = (response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json').end('[{"id":1,"seen":"2024-01-01T10:00:00Z"}]');
  };
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    if (!isHeld) return answer(response);
    waiting.add(response);
    response.on('close', () => waiting.delete(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const base = await folderWith({
    'work/entity-sources.yaml': `version: 1
dataSources:
  files: { kind: csv, path: "*.csv" }
  api: { kind: rest, baseUrl: "http://127.0.0.1:${port}", headers: { X-Test: "\${env:MCP_TEST_TOKEN}" }, auth: { kind: bearer, token: "\${secret:API}" }, endpoints: [{ name: things, path: /things }] }
`,
    'work/orders.csv': `id,country,placed_at,paid_at\n${rows.join('')}`,
    'work/shop.entity.yaml': agentShop,
    'work/shop.entity.test.yaml': `graph: shop.entity.yaml
tests:
  - name: One event
    given: { orders: [{ id: 1, country: DE, placed_at: "2024-01-01 10:00:00" }] }
    expect: { events: [{ activity: Place Order, time: "2024-01-01T10:00:00Z", entity: { type: order, key: 1 } }] }
`,
    'work/things.entity.yaml':
      'version: 1\nname: Things\ndataSource: api\ndataObjects: [things]\nelements:\n  - { activityName: See, dataObject: things, key: id, entityType: thing, startTimestamp: seen }\n',
    'outside.entity.yaml': agentShop.replace('name: Shop', 'name: Outside'),
  });
  const folder = join(base, 'work');
  for (let index = 0; index < imports; index += 1) {
    const { code, stderr } = await runCommand(['import', 'shop.entity.yaml'], folder);
    if (code !== 0) throw new Error(stderr);
  }
  const clients: Client[] = [];
  return {
    base,
    folder,
    requests,
    hold(held) {
      isHeld = held;
      if (!held) waiting.forEach(answer);
    },
    async connect(args = [], mode, env = {}) {
      const client = new Client({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {});
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [cliPath, 'mcp', folder, ...args],
          env: {
            ...(process.env as Record<string, string>),
            ENTITY_GRAPH_SECRET_API: shopSecrets.secret,
            MCP_TEST_TOKEN: shopSecrets.variable,
            ...env,
          },
        }),
      );
      clients.push(client);
      return client;
    },
    async disconnect() {
      for (const client of clients.splice(0)) await client.close();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await removeFolder(base);
    },
  };
}

/** Calls a tool. */
export async function call(client: Client, name: string, args: object): Promise<Answered> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
  const text = (content as { text?: string }[]).map((each) => each.text ?? '').join('\n');
  return { text, structured: (structuredContent ?? {}) as Answered['structured'], isError: isError === true };
}
