import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot, projectFolder } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

describe('incidents sample in VS Code', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    installed = await startWithPackage();
    workbench = await openWorkbench(
      installed.browser,
      installed.server.authority,
      join(installed.samples, 'incidents'),
    );
    await workbench.openFile('incidents.entity.yaml');
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `incidents-${name}`);
  });

  it('opens without problems', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph' }).first().waitFor();
    // While columns are being read, there is one message.
    await expectEventually(async () => assert.deepEqual(await workbench.problems(), []));
  });

  it('marks a mistake while it is typed, and keeps later entries valid', async () => {
    await workbench.goTo(lineOf('startTimestamp: opened_at'), 100);
    await workbench.page.keyboard.type('x');
    await expectEventually(async () => {
      assert.match((await workbench.problems()).join('\n'), /opened_atx/);
    });
    await workbench.focusEditor();
    await workbench.page.keyboard.press('Control+z');
    await expectEventually(async () => assert.deepEqual(await workbench.problems(), []));
  });

  it('completes columns of the file', async () => {
    await workbench.goTo(lineOf('startTimestamp: opened_at'), 100);
    await workbench.page.keyboard.press('Control+Shift+ArrowLeft');
    await workbench.page.keyboard.press('Delete');
    await workbench.page.keyboard.press('Control+Space');
    const list = workbench.page.locator('.suggest-widget.visible');
    // A list that is hidden again keeps its old rows, so only what is visible counts.
    await expectEventually(async () => {
      const labels = await list.locator('.monaco-list-row .label-name').allInnerTexts();
      const shown = `${labels.join()} in ${(await list.allInnerTexts()).join('\n')}`;
      assert.ok(labels.includes('opened_at') && labels.includes('resolved_at'), shown);
    });
    await keepScreenshot(workbench.page, 'incidents-completion');
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Control+z');
    await expectEventually(async () => assert.deepEqual(await workbench.problems(), []));
  });

  it('shows the query of the element at the cursor', async () => {
    await workbench.goTo(lineOf('activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Show Query');
    await expectEventually(async () => {
      assert.match(await workbench.visibleText(), /SELECT[\s\S]*"opened_at"[\s\S]*FROM[\s\S]*incident_event_log/);
    });
    await workbench.runCommand('View: Close Editor');
  });

  it('runs the query and shows rows', async () => {
    await workbench.goTo(lineOf('activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Test Query');
    await workbench.webview().getByText('INC0000045').first().waitFor();
    await workbench.webview().getByText('opened_at').first().waitFor();
  });

  it('imports', async () => {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.runCommand('Entity Graph: Import');
    await expectEventually(async () => {
      assert.match((await workbench.notifications()).join('\n'), /Import Done/);
    }, 60_000);
    const graphs = join(installed.samples, 'incidents/.entity-graph/graphs/incidents');
    assert.ok(existsSync(graphs) && readdirSync(graphs).some((file) => file.endsWith('.duckdb')));
  });

  it('lists entity graphs with their status', async () => {
    await workbench.runCommand('Entity Graph: Focus on Entities View');
    const row = (name: string) => workbench.page.locator('.pane-body .monaco-list-row', { hasText: name });
    await row('Incident management').filter({ hasText: 'log · Imported' }).waitFor();
    await row('Incident trail').filter({ hasText: 'log · Not Imported' }).waitFor();
    await row('log').filter({ hasText: 'csv' }).click();
    await row('incident_event_log').click();
    await row('opened_at').filter({ hasText: 'TIMESTAMP' }).waitFor();
    await keepScreenshot(workbench.page, 'incidents-entities');
  });

  it('draws the canvas', async () => {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    for (const name of ['Update Incident', 'Open Incident', 'Resolve Incident', 'Close Incident']) {
      await workbench.webview().getByText(name, { exact: true }).first().waitFor();
    }
  });
});

/** 1-based number of the sample's first line that contains `text`. */
function lineOf(text: string): number {
  const sample = readFileSync(join(projectFolder, 'samples/incidents/incidents.entity.yaml'), 'utf8');
  const index = sample.split('\n').findIndex((line) => line.includes(text));
  assert.notEqual(index, -1, text);
  return index + 1;
}
