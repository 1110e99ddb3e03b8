import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  Hover,
  Location,
  SemanticTokens,
} from 'vscode-languageserver-protocol/node';
import { semanticTokenTypes } from '../../server/src/language/semantic-tokens.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, messageOf, positionAt, startLspClient } from './lsp-client.ts';

const graph = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - { activityName: Place Order, entityType: order, dataObject: orders, key: id, startTimestamp: placed }
rules:
  - { name: Orders have a number, each: { activity: Place Order }, expect: [{ sql: id > 0 }] }
`;
const tests = `graph: shop.entity.yaml
tests:
  - name: one order
    given:
      orders: [{ id: 1, placed: 2024-01-01T10:00:00Z }]
    expect:
      events: [{ activity: Place Order, entity: 1 }]
      rules: { Orders have a number: { broken: 0 } }
`;
const files = {
  'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: data/*.csv }\n',
  'data/orders.csv': 'id,placed,amount\n1,2024-07-01 12:00:00,5\n',
  'data/customers.csv': 'number\n1\n',
  'shop.entity.yaml': graph,
  'shop.entity.test.yaml': tests,
};

describe('language server: tests with given rows', () => {
  let folder: string;
  let client: LspClient;

  const start = async (options: Omit<Parameters<typeof startLspClient>[0], 'folder'> = {}): Promise<void> => {
    folder = await folderWith(files);
    client = await startLspClient({ folder, initializationOptions: { trusted: true }, ...options });
  };
  afterEach(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const open = (text = tests): Promise<string> => client.open(join(folder, 'shop.entity.test.yaml'), text);
  const openGraph = (): Promise<string> => client.open(join(folder, 'shop.entity.yaml'), graph);
  /** The only problem of a file that says this. */
  const told = (uri: string, text: string): Promise<readonly Diagnostic[]> =>
    client.diagnostics(uri, (found) => found.length === 1 && messageOf(found[0]).includes(text));
  const at = (uri: string, text: string): object => ({
    textDocument: { uri },
    position: positionAt(tests, tests.indexOf(text) + text.length),
  });

  it('publishes no problems for tests that fit their graph', async () => {
    await start();
    const uri = await open();
    assert.deepEqual(await client.diagnostics(uri, () => true), []);
  });

  it('publishes problems of the file, the graph and the catalog after edits', async () => {
    await start();
    const uri = await open();
    await client.diagnostics(uri, (found) => found.length === 0);
    await client.edit(uri, 'activity: Place', 'activity: Plaice');
    const [problem] = await told(uri, 'The graph has no activity "Plaice Order". Did you mean "Place Order"?');
    assert.equal(problem?.code, 'unknown-activity');
    await client.edit(uri, 'Plaice', 'Place');
    await client.edit(uri, '{ id: 1,', '{ it: 1,');
    await told(uri, 'orders has no column "it".');
    await client.edit(uri, '{ it: 1,', '{ id: one,');
    await told(uri, '"id" is BIGINT');
  });

  for (const [what, right, wrong, expected] of [
    ['an activity', 'activity: Place', 'activity: Plaice', 'unknown-activity: Change to "Place Order": Place Order'],
    ['a data object', 'orders: [', 'order: [', 'unknown-data-object: Change to "orders": orders'],
    ['a column', '{ id: 1, placed', '{ id: 1, plcaed', 'unknown-column: Change to "placed": placed'],
    [
      'a rule',
      '{ Orders have',
      '{ Order have',
      'rule-unknown-name: Change to "Orders have a number": Orders have a number',
    ],
    ['a key', 'expect:', 'expct:', 'schema-unknown-property: Change to "expect": expect'],
  ] as const) {
    it(`offers a quick fix for ${what} that is misspelt`, async () => {
      await start();
      const uri = await open();
      await client.diagnostics(uri, (found) => found.length === 0);
      await client.edit(uri, right, wrong);
      await client.diagnostics(uri, (found) => found.length > 0);
      const changed = tests.replace(right, wrong);
      const position = positionAt(changed, changed.indexOf(wrong) + wrong.search(/\w+\W*$/u));
      const actions: CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: position, end: position },
        context: { diagnostics: [] },
      });
      const offered = actions.map(({ title, diagnostics, edit }) => {
        const [change] = edit?.documentChanges ?? [];
        const [made] = change && 'edits' in change ? change.edits : [];
        return `${diagnostics?.[0]?.code}: ${title}: ${made && 'newText' in made ? made.newText : ''}`;
      });
      assert.ok(offered.includes(expected), offered.join('\n'));
    });
  }

  it('colours the names of the graph and its data source', async () => {
    await start();
    const uri = await open('graph: shop.entity.yaml\ntests:\n  - given: { orders: [{ id: 1 }] }\n');
    const { data }: SemanticTokens = await client.connection.sendRequest('textDocument/semanticTokens/full', {
      textDocument: { uri },
    });
    const type = (name: (typeof semanticTokenTypes)[number]): number => semanticTokenTypes.indexOf(name);
    assert.deepEqual(data, [
      ...[0, 7, 16, type('namespace'), 0],
      ...[2, 13, 6, type('class'), 0],
      ...[0, 11, 2, type('property'), 0],
    ]);
  });

  it('validates again when the graph is edited, and when its changes are discarded', async () => {
    await start();
    const uri = await open();
    const graphUri = await openGraph();
    await client.edit(graphUri, 'activityName: Place Order', 'activityName: Order');
    await told(uri, 'The graph has no activity "Place Order"');
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: graphUri } });
    await client.diagnostics(uri, (found) => found.length === 0);
  });

  it('reports a missing graph, and validates again when it appears on disk', async () => {
    await start();
    const uri = await open(tests.replace('shop.entity', 'new.entity'));
    await told(uri, 'new.entity.yaml');
    const path = join(folder, 'new.entity.yaml');
    await writeFile(path, graph.replace('Place Order', 'Order'));
    const changes = [{ uri: pathToFileURL(path).href, type: 1 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await told(uri, 'The graph has no activity "Place Order"');
  });

  it('validates again when the data source has other columns', async () => {
    await start();
    const uri = await open();
    await client.diagnostics(uri, (found) => found.length === 0);
    const path = join(folder, 'data/orders.csv');
    await writeFile(path, 'number,placed,amount\n1,2024-07-01 12:00:00,5\n');
    const changes = [{ uri: pathToFileURL(path).href, type: 2 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await told(uri, 'orders has no column "id"');
  });

  it('answers pull requests for diagnostics', async () => {
    await start({ capabilities: { textDocument: { diagnostic: {} } } });
    const uri = await open(tests.replace('activity: Place', 'activity: Plaice'));
    const { items } = await client.connection.sendRequest<{ items: Diagnostic[] }>('textDocument/diagnostic', {
      textDocument: { uri },
    });
    assert.deepEqual(
      items.map(({ code }) => code),
      ['unknown-activity'],
    );
  });

  it('reads no data source in an untrusted workspace, but checks the names of the graph', async () => {
    await start({ initializationOptions: { trusted: false } });
    const uri = await open(tests.replace('orders: [{', 'bills: [{').replace('activity: Place', 'activity: Plaice'));
    await told(uri, 'The graph has no activity "Plaice Order"');
  });

  it('completes columns of the catalog, explains them on hover, and goes to their definition in the graph', async () => {
    await start();
    const uri = await open();
    // The catalog is known when it refuses a column.
    await client.edit(uri, '{ id: 1,', '{ it: 1,');
    await told(uri, 'orders has no column "it".');
    await client.edit(uri, '{ it: 1,', '{ id: 1,');
    await client.edit(uri, '10:00:00Z }', '10:00:00Z, }');
    const found = await client.connection.sendRequest<CompletionItem[] | { items: CompletionItem[] }>(
      'textDocument/completion',
      { textDocument: { uri }, position: positionAt(tests, tests.indexOf('Z }]') + 3) },
    );
    assert.deepEqual(
      ('items' in found ? found.items : found).map(({ label }) => label),
      ['amount'],
    );
    await client.edit(uri, '10:00:00Z, }', '10:00:00Z }');
    const hover = await client.connection.sendRequest<Hover>('textDocument/hover', at(uri, '{ id'));
    assert.match(JSON.stringify(hover.contents), /\*\*id\*\* — BIGINT/);
    const target = pathToFileURL(join(folder, 'shop.entity.yaml')).href;
    for (const [name, place] of [
      ['shop.entity', 0],
      ['activity: Place', graph.indexOf('Place Order')],
      ['rules: { Orders', graph.indexOf('Orders have')],
    ] as const) {
      const location = await client.connection.sendRequest<Location>('textDocument/definition', at(uri, name));
      assert.equal(location.uri, target, name);
      assert.deepEqual(location.range.start, positionAt(graph, place), name);
    }
    const outline = await client.connection.sendRequest<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    assert.deepEqual(
      outline.map(({ name }) => name),
      ['one order'],
    );
  });
});
