import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { keepScreenshot, projectFolder } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

describe('IT service management sample in VS Code, against a simulated instance', () => {
  let simulator: Simulator;
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    simulator = await startSimulator({ seed: 1, incidents: 300 });
    const env = { ITSM_URL: simulator.url, ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password };
    installed = await startWithPackage(env);
    workbench = await openWorkbench(installed.browser, installed.server.authority, join(installed.samples, 'itsm'));
    await workbench.openFile('itsm.entity.yaml');
  });
  after(async () => {
    await installed.close();
    await simulator.close();
  });
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `itsm-${name}`);
  });

  it('asks before it sends credentials', async () => {
    const { page } = workbench;
    // Uses that are found one after the other are asked for in several offers.
    const offer = page.locator('.notification-toast', { hasText: 'wants to send this to' }).first();
    await offer.waitFor();
    await keepScreenshot(page, 'itsm-allow-offer');
    assert.deepEqual(simulator.requests, []);
    // Without an answer now, the question is asked when the value is needed.
    await workbench.runCommand('Entity Graph: Refresh Catalog');
    const question = page.locator('.monaco-dialog-box');
    await question.getByText(`Let data source "itsm" send this to ${simulator.url}?`).waitFor();
    await question.getByText('environment variable ENTITY_GRAPH_SECRET_ITSM').waitFor();
    await keepScreenshot(page, 'itsm-allow-question');
    assert.deepEqual(simulator.requests, []);
    await question.getByRole('button', { name: 'Allow' }).click();
    await expectEventually(async () => assert.ok(simulator.requests.length > 0));
    await workbench.runCommand('Entity Graph: Manage Allowed Hosts');
    await page.locator('.quick-input-list').getByText('environment variable ITSM_URL').waitFor();
    await keepScreenshot(page, 'itsm-allowed-hosts');
    await page.keyboard.press('Escape');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('opens without problems', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph' }).first().waitFor();
    await workbench.runCommand('Entity Graph: Refresh Catalog');
    await expectEventually(async () => assert.deepEqual(await workbench.problems(), []));
  });

  it('runs a test query', async () => {
    await workbench.openFile('itsm.entity.yaml');
    await workbench.goTo(lineOf('activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Test Query');
    const keys = (simulator.instance.data.get('incident') ?? []).map((record) => record['sys_id'] ?? '').sort();
    await workbench
      .webview()
      .getByText(keys[0] ?? '')
      .first()
      .waitFor();
  });

  it('imports', async () => {
    await workbench.openFile('itsm.entity.yaml');
    await workbench.runCommand('Entity Graph: Import');
    await expectEventually(async () => {
      assert.match((await workbench.notifications()).join('\n'), /Import Done/);
    }, 60_000);
  });

  it('the API explorer works by keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.runCommand('Entity Graph: Open API Explorer');
    const explorer = workbench.webview();
    await explorer.getByText('Authorization: Basic ***').waitFor();
    await explorer.locator('#send').press('Enter');
    await explorer.getByText(/^Status 200 OK/).waitFor();
    // From the last tab of the response back to the first.
    await explorer.getByRole('tab', { name: 'Body' }).press('ArrowLeft');
    await explorer.getByRole('cell', { name: 'opened_at' }).waitFor();
    await keepScreenshot(workbench.page, 'itsm-explorer');
    await explorer.getByRole('combobox', { name: 'Endpoint' }).fill('Records of another');
    await keyboard.press('Enter');
    await explorer.getByText('Replace TABLE by the name of a table.').waitFor();
    await keyboard.type('sys_choice');
    await keyboard.press('Enter');
    await explorer.getByText(/^Answer to/).waitFor({ state: 'hidden' });
    await explorer.getByRole('cell', { name: 'language', exact: true }).waitFor();
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern']) {
      await workbench.useTheme(theme);
      await keepScreenshot(workbench.page, `itsm-explorer-${theme.replaceAll(' ', '-')}`);
    }
  });

  it('opens an API response in an editor, and adds it as a data object', async () => {
    const explorer = workbench.webview();
    await explorer.getByRole('button', { name: 'Add to Data Source' }).press('Enter');
    await expectEventually(async () => assert.match(await workbench.visibleText(), /sys_audit, sys_choice\]/));
    // VS Code saves the file automatically.
    await workbench.page.locator('.tab.active:not(.dirty)', { hasText: 'entity-sources.yaml' }).waitFor();
    await workbench.runCommand('View: Close Editor');
    const open = workbench.webview().getByRole('button', { name: 'Open', exact: true });
    await expectEventually(async () => {
      // A webview that was just revealed may miss the key.
      if ((await workbench.visibleText()) === '') await open.press('Enter', { timeout: 3_000 });
      assert.match(await workbench.visibleText(), /"result": \[/);
    });
    await workbench.runCommand('View: Close Editor');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" }).click();
  });

  it('creates a record after confirmation', async () => {
    const before = simulator.instance.data.get('incident')?.length ?? 0;
    const option = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
    await workbench.runCommand('Entity Graph: Create Record');
    await option('incident').first().click();
    const input = workbench.page.locator('.quick-input-widget');
    await input.getByText('New Record of incident').waitFor();
    await input.locator('.quick-input-box input').fill('short_description');
    await option('short_description').first().click();
    await workbench.answer('Value as it is stored', 'From VS Code');
    await option('Done').click();
    await workbench.page.locator('.monaco-dialog-box').getByText('POST http').waitFor();
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Send' }).click();
    await expectEventually(async () => {
      assert.match((await workbench.notifications()).join('\n'), /The record [0-9a-f]{32} of incident is created/);
    });
    const records = simulator.instance.data.get('incident') ?? [];
    assert.deepEqual([records.length, records.at(-1)?.['short_description']], [before + 1, 'From VS Code']);
  });

  it('draws the canvas', async () => {
    await workbench.openFile('itsm.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    for (const name of ['Open Incident', 'Change State', 'Investigate Problem', 'Request Change', 'Register Item']) {
      await workbench.webview().getByText(name, { exact: true }).first().waitFor();
    }
  });
});

/** 1-based number of the sample's first line that contains `text`. */
function lineOf(text: string): number {
  const sample = readFileSync(join(projectFolder, 'samples/itsm/itsm.entity.yaml'), 'utf8');
  const index = sample.split('\n').findIndex((line) => line.includes(text));
  assert.notEqual(index, -1, text);
  return index + 1;
}
