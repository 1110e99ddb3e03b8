import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Uri, WorkspaceEdit, commands, workspace } from 'vscode';
import { answering } from './person.ts';
import { waitFor } from './wait-for.ts';

const sources = 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n';
const graph = `version: 1
name: Sales
dataSource: shop
elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: at }
`;

describe('folder rename in VS Code', () => {
  const folder = Uri.file(join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'shop'));
  const at = (path: string): Uri => Uri.joinPath(folder, path);
  const write = (path: string, text: string) => workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
  const statusAt = async (path: string): Promise<string | undefined> => {
    try {
      const status: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(at(path))));
      return (status as { status: string }).status;
    } catch {
      return undefined;
    }
  };
  before(async () => {
    await write('entity-sources.yaml', sources);
    await write('orders.csv', 'id,at\n1,2024-01-01 08:00:00\n');
    await write('sales/deep/a.entity.yaml', graph);
  });
  after(() => workspace.fs.delete(folder, { recursive: true }));

  it('moves the state of its graphs, also of one modified since its import', async () => {
    await answering([], () => commands.executeCommand('entityGraph.import', at('sales/deep/a.entity.yaml')));
    assert.equal(await statusAt('.entity-graph/state/sales/deep/a.json'), 'Imported');
    await write('sales/deep/a.entity.yaml', `${graph}# changed\n`);
    const edit = new WorkspaceEdit();
    edit.renameFile(at('sales'), at('orders'));
    assert.equal(await workspace.applyEdit(edit), true);
    const states = async () => [
      await statusAt('.entity-graph/state/orders/deep/a.json'),
      await statusAt('.entity-graph/state/sales/deep/a.json'),
    ];
    let seen: readonly unknown[] = [];
    await waitFor(
      'the state is at its new place only',
      async () => {
        seen = await states();
        return seen[0] === 'Imported' && seen[1] === undefined;
      },
      () => seen,
    );
  });
});
