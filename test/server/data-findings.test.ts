import assert from 'node:assert/strict';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = `version: 1
name: Orders
dataSource: shop
dataObjects: [orders, payments]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Pay, dataObject: payments, key: order, entityType: order, startTimestamp: paid, properties: [amount] }
accepted:
  - { finding: whole-hours, element: Pay }
`;
const orders = Array.from({ length: 40 }, (_, index) => index);
const time = (index: number, hours: number): string =>
  new Date(Date.UTC(2024, 0, 1) + (index * 29.3 + hours) * 3_600_000).toISOString();
const files = {
  'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
  'orders.csv': ['id,placed', ...orders.map((order) => `${order},${time(order, 0.13)}`)].join('\n'),
  // Orders 3 and 4 are paid twice.
  'payments.csv': [
    'row,order,paid,amount',
    ...[...orders, 3, 4].map((order, row) => `${row},${order},${time(order, 5.21 + order / 7)},${order}`),
  ].join('\n'),
  'shop.entity.yaml': graph,
};

/** docs/data-quality.md */
describe('language server: what is odd in the data', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith(files);
    client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: true } });
    uri = await client.open(`${folder}/shop.entity.yaml`, graph);
    await client.diagnostics(uri, (found) => found.length === 0);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const imported = async (): Promise<void> => {
    const { status }: { status: string } = await client.connection.sendRequest('entityGraph/import', { uri });
    assert.equal(status, 'imported');
  };
  const actions = async ({ range }: Diagnostic): Promise<readonly CodeAction[]> =>
    client.connection.sendRequest('textDocument/codeAction', {
      ...{ textDocument: { uri }, range, context: { diagnostics: [] } },
    });

  it('is an information at its entry after an import, as is an entry of accepted that nothing needs', async () => {
    await imported();
    const found = await client.diagnostics(uri, (all) => all.length > 1);
    assert.deepEqual(
      found.map(({ code, severity, range }) => [code, severity, range.start.line]),
      [
        ['data-finding', 3, 6],
        ['accepted-stale', 3, 8],
      ],
    );
    assert.match(String(found[0]?.message), /^The last import found: 2 of 42 events of "Pay" \(4\.8 %\) agree with/);
  });

  it('is mended by a code action, and gone with the next import', async () => {
    const [finding, stale] = await client.diagnostics(uri, (all) => all.length > 1);
    const titles = (await actions(finding ?? assert.fail())).map(({ title }) => title);
    assert.ok(titles.includes('Keep one row of each: the one with the least row'), titles.join(', '));
    assert.ok(titles.includes('Accept it: this is so'));
    assert.ok((await actions(stale ?? assert.fail())).some(({ title }) => title === 'Remove the entry'));
    const [keep] = (await actions(finding ?? assert.fail())).filter(({ title }) => title.startsWith('Keep'));
    const [change] = keep?.edit?.documentChanges ?? [];
    const [written] = change && 'edits' in change ? change.edits : [];
    assert.ok(written && 'newText' in written);
    assert.match(written.newText, /^, where: .*min\(twin/);
    await client.edit(uri, 'properties: [amount]', `properties: [amount]${written.newText}`);
    // The entry is not as it was imported any more.
    await client.diagnostics(uri, (all) => all.length === 0);
    await imported();
    await client.diagnostics(uri, (all) => all.length === 1 && all[0]?.code === 'accepted-stale');
  });
});
