import assert from 'node:assert/strict';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { type InstalledExtension, startWithPackage } from '../e2e/installed-extension.ts';
import { type Workbench, openWorkbench } from '../e2e/workbench.ts';

describe('the packaged extension in VS Code 1.93', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    installed = await startWithPackage({}, { host: 'oldest' });
    workbench = await openWorkbench(
      installed.browser,
      installed.server.authority,
      join(installed.samples, 'incidents'),
    );
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `oldest-${name}`);
  });

  const treeRow = (text: string | RegExp) =>
    workbench.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();

  it('a data source and its objects are expanded at the first click', async () => {
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await treeRow(/^log/).click();
    await treeRow('incident_event_log').waitFor();
    // The hover of the row above would be in the way of the pointer.
    await workbench.page.mouse.move(0, 0);
    await treeRow('incident_event_log').click();
    await treeRow('opened_at').filter({ hasText: 'TIMESTAMP' }).waitFor();
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('a graph is drawn, imported, and its process map opened', async () => {
    await workbench.openFile('trail.entity.yaml');
    await workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph: Not Imported' }).waitFor();
    await workbench.runCommand('Entity Graph: Open Canvas');
    await workbench.webview().locator('.card', { hasText: 'Update Incident' }).waitFor();
    await workbench.runCommand('Entity Graph: Import');
    await treeRow(/^Incident trail.*· Imported/).waitFor();
    await workbench.runCommand('Entity Graph: Open Event Graph');
    await workbench.webview().locator('#drawing [data-node]', { hasText: 'Resolved' }).first().waitFor();
    assert.doesNotMatch((await workbench.notifications()).join(), /registered|failed/);
  });
});
