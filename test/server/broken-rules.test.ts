import assert from 'node:assert/strict';
import type { Hover } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [paid] }
rules:
  - name: Orders are paid
    severity: error
    each: { entityType: order }
    expect: [{ sql: paid > 0 }]
    atLeast: 50%
  - name: Orders are placed
    each: { entityType: order }
    expect: [{ activity: Place Order }]
`;

describe('language server: broken rules', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      'orders.csv': 'id,placed,paid\nA,2024-01-01 10:00:00,5\nB,2024-01-01 11:00:00,0\nC,2024-01-01 12:00:00,0\n',
      'shop.entity.yaml': graph,
    });
    client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: true } });
    uri = await client.open(`${folder}/shop.entity.yaml`, graph);
    await client.diagnostics(uri, (found) => found.length === 0);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const hover = async (line: number): Promise<string> => {
    const found: Hover | null = await client.connection.sendRequest('textDocument/hover', {
      ...{ textDocument: { uri }, position: { line, character: 12 } },
    });
    return found && 'value' in (found.contents as object) ? (found.contents as { value: string }).value : '';
  };

  it('are problems at their names after an import', async () => {
    assert.match(await hover(5), /^What must hold/u);
    const { status }: { status: string } = await client.connection.sendRequest('entityGraph/import', { uri });
    assert.equal(status, 'imported');
    const found = await client.diagnostics(uri, (all) => all.length > 0);
    assert.deepEqual(
      found.map(({ code, severity, range, message }) => [code, severity, range.start, message]),
      [
        [
          'rule-broken',
          1,
          { line: 5, character: 10 },
          'The last import found: 33.3 % kept: 2 of 3 broken, at least 50 % expected. For example order B: paid > 0: it is not so.',
        ],
      ],
    );
  });

  it('show their numbers and examples, and so do rules that hold', async () => {
    assert.match(
      await hover(5),
      /^\*\*Orders are paid\*\* is broken\. The last import found: 33\.3 % kept: 2 of 3 broken\.\n\n`order B: paid > 0: it is not so`\n\n`order C: /u,
    );
    assert.match(
      await hover(10),
      /^\*\*Orders are placed\*\* holds\. The last import found: 100 % kept: 0 of 3 broken\.\n\nComes from `orders\.id`, `orders\.placed`$/u,
    );
  });

  it('are not problems once their text differs from the judged one', async () => {
    await client.edit(uri, 'paid > 0', 'paid >= 0');
    await client.diagnostics(uri, (found) => found.length === 0);
    await client.edit(uri, 'paid >= 0', 'paid > 0');
    await client.diagnostics(uri, (found) => found.length === 1);
  });

  it('are not problems after an import that keeps them', async () => {
    await client.edit(uri, 'paid > 0', 'paid >= 0');
    await client.connection.sendRequest('entityGraph/import', { uri });
    await client.diagnostics(uri, (found) => found.length === 0);
    const now = /holds\. The last import found: 100 % kept/u;
    await waitUntil('the hover has the new numbers', async () => (now.test(await hover(5)) ? true : undefined));
  });
});
