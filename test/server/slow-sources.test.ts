import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompletionItem, CompletionList, Hover } from 'vscode-languageserver-protocol/node';
import type { ColumnView, DataObjectsView } from '../../protocol/canvas-intents.ts';
import type { CatalogChange } from '../../protocol/catalog-state.ts';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import type { Diagnosis } from '../../protocol/diagnosis.ts';
import type { TestRows } from '../../protocol/test-rows.ts';
import { type DelayedProxy, startDelayedProxy } from '../support/delayed-proxy.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const text = `version: 1
name: New
dataSource: shop
dataObjects: []
elements:
  - { activityName: Pay Order, dataObject: orders, key: id, startTimestamp: placed_at }
  - activityName: Place Order
    dataObject: orders
    startTimestamp: 
`;

const target = { kind: 'element', name: 'Pay Order' } as const;

interface Step {
  readonly progressToken: string;
  readonly message: string;
}

const isReading = ({ state }: CatalogChange): boolean => state.kind === 'reading';

const isConnecting = ({ state }: CatalogChange): boolean =>
  state.kind === 'reading' && state.step.startsWith('Connecting');

describe('language server: slow sources', () => {
  const folders: string[] = [];
  const proxies: Pick<DelayedProxy, 'close'>[] = [];
  const clients: LspClient[] = [];

  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await Promise.all(folders.map(removeFolder));
  });

  interface Opened {
    readonly client: LspClient;
    readonly uri: string;
    readonly sources: string;
    ask<T>(method: string, params?: object): Promise<T>;
  }

  /** A fresh graph over a PostgreSQL at a port. */
  async function openGraph(port: number, database: string, user: string, password: string): Promise<Opened> {
    const folder = await mkdtemp(join(tmpdir(), 'slow-source-'));
    folders.push(folder);
    const settings = { kind: 'postgresql', host: '127.0.0.1', port, database, user, connectTimeout: '5min' };
    const sources = { version: 1, dataSources: { shop: { ...settings, password: '${env:SHOP_PASSWORD}' } } };
    const sourcesPath = join(folder, 'entity-sources.json');
    await writeFile(sourcesPath, JSON.stringify(sources));
    const path = join(folder, 'new.entity.yaml');
    await writeFile(path, text);
    const client = await startLspClient({
      folder,
      initializationOptions: { extended: true },
      env: { SHOP_PASSWORD: password },
    });
    clients.push(client);
    const uri = await client.open(path, text);
    return {
      ...{ client, uri, sources: pathToFileURL(sourcesPath).href },
      ask: (method, params = {}) => client.connection.sendRequest(`entityGraph/${method}`, { uri, ...params }),
    };
  }

  const labelsAtEnd = async ({ client, uri }: Opened): Promise<readonly CompletionItem[]> => {
    const lines = text.split('\n');
    const position = { line: lines.length - 2, character: (lines.at(-2) ?? '').length };
    const found: CompletionItem[] | CompletionList = await client.connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    return Array.isArray(found) ? found : found.items;
  };

  const stepsOf = ({ client }: Opened, token: string): readonly string[] =>
    client
      .notifications<Step>('entityGraph/requestProgress')
      .flatMap(({ progressToken, message }) => (progressToken === token ? [message] : []));

  async function hoverAtColumn({ client, uri }: Opened): Promise<string> {
    const hover: Hover | null = await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 5, character: (text.split('\n')[5] ?? '').indexOf('placed_at') },
    });
    return JSON.stringify(hover?.contents ?? '');
  }

  async function everySurfaceGoesOn(delayMs: number): Promise<void> {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, 'CREATE TABLE orders (id int PRIMARY KEY, placed_at timestamptz)');
    await server.query(database, "INSERT INTO orders VALUES (7, '2024-02-29 00:00:00Z')");
    const proxy = await startDelayedProxy(server, delayMs);
    proxies.push(proxy);
    const opened = await openGraph(proxy.port, database, server.user, server.password);
    const { client, uri, sources } = opened;
    // What the canvas and the Data Sources view ask for waits until the catalog is there.
    const canvas = opened.ask<Outcome<DataObjectsView>>('dataObjects');
    const view = opened.ask<Outcome<DataObjectsView>>('sourceObjects', { uri: sources, dataSource: 'shop' });
    // Test Query of an element needs the catalog, too, and its rows then.
    const rows = opened.ask<Outcome<TestQueryResult>>('testQuery', { target, progressToken: 'rows' });
    // Test Connection, and rows for a test.
    const diagnosis = opened.ask<Outcome<Diagnosis>>('diagnoseSource', {
      ...{ uri: sources, dataSource: 'shop', progressToken: 'diagnosis' },
    });
    const testRows = opened.ask<Outcome<TestRows>>('rowsForTest', {
      ...{ wanted: { targets: [target] }, progressToken: 'test rows' },
    });
    const { state } = await client.notification<CatalogChange>('entityGraph/catalogChanged', isReading);
    assert.equal(state.kind === 'reading' && state.dataSource, 'shop');
    if (delayMs > 0) {
      await client.notification<CatalogChange>(
        'entityGraph/catalogChanged',
        (change) => change.state.kind === 'reading' && change.state.step.startsWith('Connecting to 127.0.0.1:'),
      );
      const [notice] = await labelsAtEnd(opened);
      assert.equal(notice?.label, 'Reading the tables of shop…');
      assert.match(notice.detail ?? '', /^(Connecting to|Reading the catalog of)/);
      assert.match(await hoverAtColumn(opened), /Reading the tables of shop/);
    }
    const expected = ['orders'];
    for (const outcome of [await canvas, await view]) {
      assert.ok(outcome.ok, JSON.stringify(outcome));
      assert.deepEqual(
        outcome.value.objects.map(({ name }) => name),
        expected,
      );
    }
    const tested = await rows;
    assert.ok(tested.ok, JSON.stringify(tested));
    assert.deepEqual(
      tested.value.rows.map(([key]) => key),
      [7],
    );
    const report = await diagnosis;
    assert.ok(report.ok, JSON.stringify(report));
    assert.deepEqual([report.value.objects, report.value.checks.some(({ state: is }) => is === 'failed')], [1, false]);
    assert.deepEqual(
      [...new Set(stepsOf(opened, 'diagnosis'))],
      [
        `Connecting to 127.0.0.1:${proxy.port}`,
        'Checking credentials and permissions',
        'Reading the data objects',
        `Reading the catalog of ${database}`,
        'Reading a row of orders',
      ],
    );
    const made = await testRows;
    assert.ok(made.ok, JSON.stringify(made));
    assert.deepEqual(made.value.objects[0]?.rows[0]?.[0], 7);
    assert.deepEqual(stepsOf(opened, 'test rows'), [
      `Connecting to 127.0.0.1:${proxy.port}`,
      `Reading the catalog of ${database}`,
      'Reading the rows of orders',
    ]);
    const steps = stepsOf(opened, 'rows');
    assert.equal(steps.at(-1), 'Running the query');
    if (delayMs > 0) assert.match(steps.join('\n'), /^Connecting to 127\.0\.0\.1:\d+\nReading the catalog of /m);
    const known = await client.notification<CatalogChange>(
      'entityGraph/catalogChanged',
      (change) => change.state.kind === 'known',
    );
    assert.deepEqual(known.graphs, [uri]);
    // The dialog asks when it is notified.
    const columns = await opened.ask<readonly ColumnView[]>('columns', { values: { dataObject: 'orders' } });
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['id', 'placed_at'],
    );
    assert.deepEqual(
      (await labelsAtEnd(opened)).map(({ label }) => label),
      ['placed_at', 'id'],
    );
    assert.match(await hoverAtColumn(opened), /timestamp with time zone/);
  }

  it('every view continues by itself once the catalog has been read: 0, 400 and 5,000 ms each way', async function () {
    this.timeout(600_000);
    await Promise.all([0, 400, 5000].map(everySurfaceGoesOn));
  });

  interface SilentServer {
    readonly port: number;
    /** Resolves when a client is connected. */
    connected(): Promise<unknown>;
    fail(): void;
    close(): Promise<void>;
  }

  /** A server that accepts connections, says nothing, and ends them on demand. */
  async function startSilentServer(): Promise<SilentServer> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const fail = (): void => {
      for (const socket of sockets) socket.destroy();
    };
    return {
      port: (server.address() as AddressInfo).port,
      fail,
      connected: () => waitUntil('a client is connected', () => Promise.resolve(sockets.size > 0 || undefined)),
      async close() {
        fail();
        server.close();
        await once(server, 'close');
      },
    };
  }

  it('a source that fails late shows the reason, and can be retried', async () => {
    const silent = await startSilentServer();
    proxies.push(silent);
    const opened = await openGraph(silent.port, 'shop', 'analyst', 'secret');
    const { client } = opened;
    const canvas = opened.ask<Outcome<DataObjectsView>>('dataObjects');
    await client.notification<CatalogChange>('entityGraph/catalogChanged', isReading);
    // What needs the catalog waits for the same read, and ends with it.
    const methods = ['testQuery', 'showQuery', 'importPlan'];
    const queries = methods.map((method) =>
      opened.ask<Outcome<unknown>>(method, {
        target: method === 'importPlan' ? undefined : target,
        progressToken: method,
      }),
    );
    const diagnosis = opened.ask<Outcome<Diagnosis>>('diagnoseSource', {
      ...{ uri: opened.sources, dataSource: 'shop', progressToken: 'diagnosis' },
    });
    await silent.connected();
    await client.notification<Step>(
      'entityGraph/requestProgress',
      ({ progressToken, message }) =>
        progressToken === 'diagnosis' && message === 'Checking credentials and permissions',
    );
    // Each tells the step of the read that it waits for.
    await Promise.all(
      methods.map((method) =>
        client.notification<Step>(
          'entityGraph/requestProgress',
          ({ progressToken, message }) => progressToken === method && message.startsWith('Connecting to 127.0.0.1:'),
        ),
      ),
    );
    const [notice] = await labelsAtEnd(opened);
    assert.equal(notice?.label, 'Reading the tables of shop…');
    // A canvas that is opened meanwhile is notified of the step, too.
    const told = client.notifications<CatalogChange>('entityGraph/catalogChanged').length;
    const late = opened.ask<Outcome<DataObjectsView>>('dataObjects');
    await waitUntil('the step is told again', () =>
      Promise.resolve(
        client.notifications<CatalogChange>('entityGraph/catalogChanged').slice(told).some(isConnecting) || undefined,
      ),
    );
    silent.fail();
    const outcome = await canvas;
    assert.deepEqual(await late, outcome);
    assert.ok(!outcome.ok);
    assert.match(outcome.error.message, /shop/);
    assert.notEqual(outcome.error.code, 'catalog-unknown');
    for (const query of await Promise.all(queries)) assert.deepEqual(query, outcome);
    const report = await diagnosis;
    assert.ok(report.ok, JSON.stringify(report));
    const last = report.value.checks.at(-1);
    assert.deepEqual([last?.name, last?.state], ['Network', 'failed']);
    const failed = await client.notification<CatalogChange>(
      'entityGraph/catalogChanged',
      ({ state }) => state.kind === 'failed',
    );
    assert.deepEqual(failed.state, { kind: 'failed', error: outcome.error });
    const [unknown] = await labelsAtEnd(opened);
    assert.equal(unknown?.label, 'The tables of the data source are not known');
    // Tried again, it is being read again.
    const before = client.notifications<CatalogChange>('entityGraph/catalogChanged').length;
    const again = opened.ask<Outcome<DataObjectsView>>('dataObjects', { refresh: true });
    await waitUntil('it is read again', () =>
      Promise.resolve(
        client.notifications<CatalogChange>('entityGraph/catalogChanged').slice(before).some(isReading) || undefined,
      ),
    );
    // A canvas and Data Sources that are opened meanwhile wait for it, instead of telling the old failure.
    const meanwhile = [
      opened.ask<Outcome<DataObjectsView>>('dataObjects'),
      opened.ask<Outcome<DataObjectsView>>('sourceObjects', { uri: opened.sources, dataSource: 'shop' }),
    ];
    await opened.ask('stopReading');
    const cancelled = { ok: false, error: { code: 'cancelled', message: 'Reading shop was cancelled.' } };
    for (const each of await Promise.all([again, ...meanwhile])) assert.deepEqual(each, cancelled);
  });

  it('Cancel ends the read for all waiting requests', async () => {
    const silent = await startSilentServer();
    proxies.push(silent);
    const opened = await openGraph(silent.port, 'shop', 'analyst', 'secret');
    const waiting = [
      opened.ask<Outcome<DataObjectsView>>('dataObjects'),
      opened.ask<Outcome<DataObjectsView>>('sourceObjects', { uri: opened.sources, dataSource: 'shop' }),
    ];
    await opened.client.notification<CatalogChange>('entityGraph/catalogChanged', isReading);
    waiting.push(opened.ask('testQuery', { target }));
    await opened.client.notification<CatalogChange>(
      'entityGraph/catalogChanged',
      ({ state }) => state.kind === 'reading' && state.step.startsWith('Connecting'),
    );
    await opened.ask('stopReading');
    for (const outcome of await Promise.all(waiting)) {
      assert.deepEqual(outcome, { ok: false, error: { code: 'cancelled', message: 'Reading shop was cancelled.' } });
    }
  });
});
