import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CodeLens, type CompletionList, Position, Uri, commands, window, workspace } from 'vscode';
import { type Lab, openLab } from './lab.ts';
import { answering, pick } from './person.ts';

describe('Open SQL Console in VS Code', () => {
  let lab: Lab;
  before(async () => {
    lab = await openLab();
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await lab.close();
  });

  const open = () => commands.executeCommand('entityGraph.openSqlConsole', lab.uri('shop.entity.yaml'));
  const lines = (): readonly string[] => window.activeTextEditor?.document.getText().split('\n') ?? [];

  it('asks nothing without named queries', async () => {
    await answering([], open);
    assert.match(lines()[0] ?? '', /^-- entity-graph: .*shop\.entity\.yaml$/u);
    assert.ok(lines().includes('FROM event'));
  });

  it('offers the queries of the folder queries, and writes the chosen one into the console', async () => {
    await mkdir(join(lab.folder, 'queries'));
    const late =
      '-- entity-graph: lab/shop.entity.yaml\n-- Orders that are late.\nSELECT key FROM "order" WHERE throughput > 5;\n';
    await writeFile(join(lab.folder, 'queries/late.sql'), late);
    await writeFile(join(lab.folder, 'queries/other.sql'), '-- entity-graph: other.entity.yaml\nSELECT 1');
    await answering([pick(/^Open SQL Console/u, 'late')], open);
    assert.match(lines()[0] ?? '', /^-- entity-graph: .*shop\.entity\.yaml$/u);
    assert.deepEqual(lines().slice(-4), [
      '',
      '-- Orders that are late.',
      'SELECT key FROM "order" WHERE throughput > 5;',
      '',
    ]);
    await answering([pick(/^Open SQL Console/u, '$(add) New Statement')], open);
    assert.ok(lines().includes('FROM event'));
  });

  it('completes tables in a file of the folder queries, and offers to run it, without a first line', async () => {
    await answering([], () => commands.executeCommand('entityGraph.import', lab.uri('shop.entity.yaml')));
    const file = Uri.file(join(lab.folder, 'queries/counts.sql'));
    await writeFile(file.fsPath, 'SELECT count(*) FROM ');
    await window.showTextDocument(await workspace.openTextDocument(file));
    const { items } = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      file,
      new Position(0, 21),
    );
    const names = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(names.includes('event_entity'), names.join(', '));
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', file);
    assert.deepEqual(
      lenses.map(({ command }) => command?.command),
      ['entityGraph.runSql'],
    );
    // A file elsewhere is not about a graph.
    const other = await workspace.openTextDocument({ language: 'sql', content: 'SELECT 1' });
    assert.deepEqual(await commands.executeCommand('vscode.executeCodeLensProvider', other.uri), []);
  });
});
