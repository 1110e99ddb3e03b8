import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, window, workspace } from 'vscode';
import { type Lab, openLab, shopGraph } from './lab.ts';
import { answering, pick, type } from './person.ts';

describe('Create Test from Rows in VS Code', () => {
  let lab: Lab;
  before(async () => {
    lab = await openLab();
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await lab.close();
  });

  it('asks what to mask and for a name, and adds tests to the file beside the graph', async () => {
    await writeFile(join(lab.folder, 'rows.entity.yaml'), shopGraph);
    await workspace.openTextDocument(lab.uri('rows.entity.yaml'));
    const create = () =>
      commands.executeCommand('entityGraph.createTest', lab.uri('rows.entity.yaml'), {
        targets: [{ kind: 'element', name: 'Place Order' }],
        limit: 1,
        name: 'rows of Place Order',
      });
    const answers = (name: string) => [
      pick(/^Create Test from Rows \| Columns to mask/u, 'amount'),
      type(/^Create Test from Rows \| What the test shows$/u, name),
    ];
    await answering(answers('an order'), create);
    await answering(answers('an order'), create);
    const document = window.activeTextEditor?.document;
    assert.match(document?.uri.path ?? '', /\/rows\.entity\.test\.yaml$/u);
    const text = document?.getText() ?? '';
    assert.match(text, /^graph: rows\.entity\.yaml\ntests:\n {2}- name: an order\n/u);
    assert.match(text, /\n {2}- name: an order \(2\)\n/u);
    assert.equal(text.match(/\n {8}- \{ activity: Place Order, entity: /gu)?.length, 2, text);
    assert.equal(text.match(/amount: 1 /gu)?.length, 2, text);
    await commands.executeCommand('undo');
    assert.doesNotMatch(document?.getText() ?? '', /an order \(2\)/u);
  });
});
