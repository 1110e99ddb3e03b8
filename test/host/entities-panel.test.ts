import assert from 'node:assert/strict';
import { EventEmitter, commands, extensions, window, workspace } from 'vscode';
import { createEntitiesPanel } from '../../client/src/entities-panel.ts';
import type { EntityList } from '../../client/src/entity-list.ts';
import type { RunningImports } from '../../client/src/running-imports.ts';
import { waitFor } from './wait-for.ts';

describe('table of entities', () => {
  it('tells when it can be seen, and when it cannot any more', async () => {
    const extension = extensions.all.find(({ packageJSON }) => packageJSON.name === 'entity-graph');
    assert.ok(extension);
    // The table is the real one, without rows; the extension itself, which runs beside, has registered for those that come back.
    const list = {
      onDidChange: new EventEmitter<void>().event,
      rows: async () => [],
      failures: async () => [],
    } as unknown as EntityList;
    const { registerWebviewPanelSerializer } = window;
    Object.assign(window, { registerWebviewPanelSerializer: () => ({ dispose: () => undefined }) });
    const fail = (error: unknown): void => assert.fail(error as Error);
    const panel = createEntitiesPanel(extension.extensionUri, list, {} as RunningImports, fail);
    Object.assign(window, { registerWebviewPanelSerializer });
    const seen: boolean[] = [];
    panel.onDidChangeVisibility(() => seen.push(panel.visible));
    panel.open();
    await waitFor('it is there', () => seen.at(-1) === true);
    const document = await workspace.openTextDocument({ content: 'in front of it' });
    await commands.executeCommand('vscode.open', document.uri);
    await waitFor('it is behind another editor', () => seen.at(-1) === false);
    panel.open();
    await waitFor('it is in front', () => seen.at(-1) === true);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await waitFor('it is closed', () => seen.at(-1) === false);
    panel.dispose();
  });
});
