import assert from 'node:assert/strict';
import { EventEmitter, Uri, commands, extensions, window, workspace } from 'vscode';
import { createEntitiesPanel } from '../../client/src/entities-panel.ts';
import type { EntityList } from '../../client/src/entity-list.ts';
import type { RunningImports } from '../../client/src/running-imports.ts';
import { waitFor } from './wait-for.ts';

describe('entities table panel', () => {
  it('reports when it becomes visible and hidden', async () => {
    const extension = extensions.all.find(({ packageJSON }) => packageJSON.name === 'entity-graph');
    const folder = workspace.workspaceFolders?.[0]?.uri;
    assert.ok(extension && folder);
    // The table is the real one, without rows; the extension, which runs beside, handles restored panels.
    const list = {
      onDidChange: new EventEmitter<void>().event,
      rows: async () => [],
      failures: async () => [],
      earlierRows: async () => undefined,
    } as unknown as EntityList;
    const language = { startAfter: () => undefined };
    const { registerWebviewPanelSerializer } = window;
    Object.assign(window, { registerWebviewPanelSerializer: () => ({ dispose: () => undefined }) });
    const fail = (error: unknown): void => assert.fail(error as Error);
    const panel = createEntitiesPanel(extension.extensionUri, language, list, {} as RunningImports, fail);
    Object.assign(window, { registerWebviewPanelSerializer });
    const seen: boolean[] = [];
    panel.onDidChangeVisibility(() => seen.push(panel.visible));
    panel.open();
    await waitFor('it is there', () => seen.at(-1) === true);
    // A file that nobody changes: an unsaved one would cause a prompt, or be restored later.
    const sources = Uri.joinPath(folder, 'incidents/entity-sources.yaml');
    await commands.executeCommand('vscode.open', sources);
    await waitFor('it is behind another editor', () => seen.at(-1) === false);
    panel.open();
    await waitFor('it is in front', () => seen.at(-1) === true);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await waitFor('it is closed', () => seen.at(-1) === false);
    panel.dispose();
  });

  it('delays the start of the server until the page shows rows of an earlier run, except without such rows or beside an open graph', async () => {
    const extension = extensions.all.find(({ packageJSON }) => packageJSON.name === 'entity-graph');
    assert.ok(extension);
    const { registerWebviewPanelSerializer } = window;
    for (const [earlier, isGraphOpen] of [
      [undefined, false],
      [[], false],
      [[], true],
    ] as const) {
      if (isGraphOpen) {
        await commands.executeCommand('workbench.action.closeAllEditors');
        await window.showTextDocument(await workspace.openTextDocument({ language: 'entity-graph', content: '' }));
      }
      let isPageThere = false;
      const list = {
        onDidChange: new EventEmitter<void>().event,
        rows: async () => [],
        failures: async () => [],
        earlierRows: async () => earlier,
      } as unknown as EntityList;
      let held: Promise<void> | undefined;
      const language = {
        startAfter(drawn: Promise<void>) {
          held = drawn;
        },
      };
      Object.assign(window, { registerWebviewPanelSerializer: () => ({ dispose: () => undefined }) });
      const { createWebviewPanel } = window;
      Object.assign(window, {
        createWebviewPanel: (...args: Parameters<typeof createWebviewPanel>) => {
          const made = createWebviewPanel(...args);
          // The page reports that it runs.
          made.webview.onDidReceiveMessage(() => (isPageThere = true));
          return made;
        },
      });
      const panel = createEntitiesPanel(extension.extensionUri, language, list, {} as RunningImports, (error) =>
        assert.fail(error as Error),
      );
      panel.open();
      Object.assign(window, { registerWebviewPanelSerializer, createWebviewPanel });
      await held;
      assert.equal(isPageThere, earlier !== undefined && !isGraphOpen);
      panel.dispose();
    }
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
});
