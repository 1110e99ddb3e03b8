import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, window } from 'vscode';
import { type Lab, openLab } from './lab.ts';
import { answering, pick } from './person.ts';

const graph = `version: 1
dataSource: shop
elements:
  - { activityName: Place, dataObject: many, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Ship, dataObject: many, key: id, entityType: order, startTimestamp: shipped }
`;

describe('Suggest Rules in VS Code', () => {
  let lab: Lab;
  before(async () => {
    lab = await openLab();
    const rows = Array.from(
      { length: 30 },
      (_, id) => `${id},2024-05-01 09:00:00,2024-05-02 ${10 + (id % 10)}:00:00\n`,
    );
    await writeFile(join(lab.folder, 'data/many.csv'), `id,placed,shipped\n${rows.join('')}`);
    await writeFile(join(lab.folder, 'many.entity.yaml'), graph);
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await lab.close();
  });

  const suggest = () => commands.executeCommand('entityGraph.suggestRules', lab.uri('many.entity.yaml'));

  it('asks for an import first', async () => {
    const [told = ''] = await answering([], suggest);
    assert.match(told, /has not been imported yet/u);
  });

  it('writes the chosen rules into the file, as one undo step', async () => {
    await answering([], () => commands.executeCommand('entityGraph.import', lab.uri('many.entity.yaml')));
    await answering(
      [pick(/^Suggest Rules \| Rules that the imported graph keeps/u, 'Ship follows Place within 2d')],
      suggest,
    );
    const editor = window.activeTextEditor;
    assert.equal(
      editor?.document.getText(),
      `${graph}rules:
  - name: Ship follows Place within 2d
    each: { entityType: order }
    expect:
      - { activity: Ship, after: Place, within: 2d }
`,
    );
    assert.equal(editor.document.lineAt(editor.selection.active).text, '  - name: Ship follows Place within 2d');
    await commands.executeCommand('undo');
    assert.equal(editor.document.getText(), graph);
  });
});
