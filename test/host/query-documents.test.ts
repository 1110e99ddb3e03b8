import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TextDocument, Uri, commands, window, workspace } from 'vscode';

/** An entity graph over one source, with an element and a relationship of the same name. */
const graph = (dataSource: string): string => `version: 1
name: Orders
dataSource: ${dataSource}
elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: at }
relationships:
  - { name: Order, source: Order, target: Order, mappings: [{ source: id, operator: "!=", target: id }] }
`;

describe('Show Query documents', () => {
  const folder = Uri.file(join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'queries'));
  const at = (path: string): Uri => Uri.joinPath(folder, path);
  const write = (path: string, text: string) => workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
  const service = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([{ id: 1, at: '2024-01-01T08:00:00Z' }]));
  });
  const shown = async (path: string, kind: 'element' | 'relationship'): Promise<TextDocument> => {
    await commands.executeCommand('entityGraph.showQuery', at(path), { kind, name: 'Order' });
    const document = window.activeTextEditor?.document;
    assert.ok(document);
    return document;
  };

  before(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    await write(
      'entity-sources.yaml',
      `version: 1
dataSources:
  files: { kind: csv, path: "*.csv" }
  api: { kind: rest, baseUrl: "http://127.0.0.1:${port}", endpoints: [{ name: orders, path: /orders, key: id }] }
`,
    );
    await write('orders.csv', 'id,at\n1,2024-01-01 08:00:00\n');
    await write('first.entity.yaml', graph('files'));
    await write(
      'second.entity.yaml',
      graph('files').replace('startTimestamp: at', 'startTimestamp: at, where: id > 5'),
    );
    await write('fetched.entity.yaml', graph('api'));
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    service.close();
    await workspace.fs.delete(folder, { recursive: true });
  });

  it('graphs, elements and relationships of the same name have separate documents', async () => {
    const first = await shown('first.entity.yaml', 'element');
    const second = await shown('second.entity.yaml', 'element');
    const relationship = await shown('first.entity.yaml', 'relationship');
    assert.deepEqual(
      [first, second, relationship].map(({ uri, languageId }) => [uri.scheme, uri.path, languageId]),
      [
        ['entity-graph-query', `${at('first.entity.yaml').path}/element/Order.sql`, 'sql'],
        ['entity-graph-query', `${at('second.entity.yaml').path}/element/Order.sql`, 'sql'],
        ['entity-graph-query', `${at('first.entity.yaml').path}/relationship/Order.sql`, 'sql'],
      ],
    );
    assert.deepEqual(
      [first, second].map((document) => document.getText().includes('id > 5')),
      [false, true],
    );
    assert.match(relationship.getText(), /JOIN|<>|!=/);
  });

  it('requests of a REST source are shown as HTTP, with the SQL that runs on the records', async () => {
    const { languageId, uri, getText } = await shown('fetched.entity.yaml', 'element');
    assert.deepEqual([languageId, uri.path.split('/').at(-1)], ['entity-graph-http', 'Order.http']);
    assert.match(
      getText(),
      /^### Records of orders.*\nGET http:\/\/127\.0\.0\.1:\d+\/orders\nAccept: application\/json\n/,
    );
    assert.match(getText(), /^-- Core query, on the fetched records\nSELECT/m);
    assert.equal(window.activeTextEditor?.selection.active.line, 0);
  });
});
