import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Uri, workspace } from 'vscode';

/** A workspace folder with two data sources, files and a REST service, and an entity graph of each. */
export interface Lab {
  readonly folder: string;
  uri(name: string): Uri;
  /** The text of a file on disk. */
  text(name: string): Promise<string>;
  /** The keys that the service received, one per request. */
  readonly keysSeen: (string | undefined)[];
  /** Until called again with false, no request is answered. */
  hold(held: boolean): void;
  /** Pending requests. */
  waiting(): number;
  close(): Promise<void>;
}

export const shopGraph = `# What customers order: comments stay.
version: 1
name: Shop
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: order_id
    startTimestamp: placed_at
    properties: [amount]
`;

const apiGraph = `version: 1
name: Deliveries
dataSource: api
dataObjects: [deliveries]
elements:
  - activityName: Deliver
    dataObject: deliveries
    startTimestamp: at
`;

const deliveries = [1, 2, 3].map((id) => ({ id, at: `2024-05-0${id}T10:00:00Z` }));

export async function openLab(): Promise<Lab> {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'No folder is open.');
  const folder = join(root, 'lab');
  const keysSeen: (string | undefined)[] = [];
  const waiting = new Set<ServerResponse>();
  let isHeld = false;
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(deliveries));
  };
  const server = createServer((request, response) => {
    keysSeen.push(request.headers['x-api-key'] as string | undefined);
    if (!isHeld) return answer(response);
    waiting.add(response);
    response.on('close', () => waiting.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const sources = `version: 1
dataSources:
  shop: { kind: csv, path: data/*.csv }
  api:
    kind: rest
    baseUrl: http://127.0.0.1:${port}
    auth: { kind: apiKey, header: X-Api-Key, token: '\${secret:lab}' }
    endpoints:
      - { name: deliveries, path: /deliveries, key: id, columns: { at: timestamptz } }
`;
  const files: Readonly<Record<string, string>> = {
    'entity-sources.yaml': sources,
    'shop.entity.yaml': shopGraph,
    'api.entity.yaml': apiGraph,
    'data/orders.csv':
      'order_id,customer_id,placed_at,amount\n1,7,2024-05-01 09:00:00,12.5\n2,7,2024-05-02 10:30:00,3\n3,8,2024-05-02 11:00:00,8\n',
    'data/customers.csv': 'customer_id,name,since\n7,Ada,2020-01-01 00:00:00\n8,Grace,2021-06-30 00:00:00\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return {
    folder,
    uri: (name) => Uri.file(join(folder, name)),
    text: (name) => readFile(join(folder, name), 'utf8'),
    keysSeen,
    hold(held) {
      isHeld = held;
      if (!held) waiting.forEach(answer);
    },
    waiting: () => waiting.size,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
