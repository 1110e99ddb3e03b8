import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

/** A log of 40 orders, as another program exports it. */
function orderLog(): string {
  const lines = Array.from({ length: 40 }, (_, order) =>
    ['Place Order', 'Pay Order', 'Ship Order'].map((activity, step) => {
      const at = new Date(Date.UTC(2026, 0, 1 + order, 8 + step * 3)).toISOString();
      return `O-${1000 + order},${activity},${at},${order % 3 === 0 ? 'web' : 'shop'}\n`;
    }),
  );
  return `order_id,activity,timestamp,channel\n${lines.flat().join('')}`;
}

/** When the only graph of a folder was imported last, by its state on disk. */
function lastImportIn(folder: string): unknown {
  const states = join(folder, '.entity-graph', 'state');
  const file = readdirSync(states).find((name) => name.endsWith('.json'));
  assert.ok(file !== undefined, 'the graph has no state');
  return (JSON.parse(readFileSync(join(states, file), 'utf8')) as { imported?: string }).imported;
}

describe('walkthrough', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    installed = await startWithPackage();
    folder = join(installed.samples, 'mine');
    mkdirSync(folder);
    writeFileSync(join(folder, 'orders.csv'), orderLog());
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.page.setViewportSize({ width: 1366, height: 768 });
  });
  after(() => installed.close());
  afterEach(() => keepScreenshot(workbench.page, 'walkthrough-end'));

  it('leads from a folder with a CSV file to a process map through its buttons', async () => {
    const { page } = workbench;
    const walkthrough = page.locator('.gettingStartedContainer');
    /** Presses a button of a step, opening the walkthrough again where an editor is in front. */
    const pressIn = async (title: string, button: string): Promise<void> => {
      await workbench.runCommand('Entity Graph: Getting Started');
      await walkthrough.locator('.getting-started-step', { hasText: title }).click();
      await walkthrough.getByRole('button', { name: button, exact: true }).click();
    };
    const input = page.locator('.quick-input-widget');
    const choose = (label: string) => input.locator('.monaco-list-row', { hasText: label }).first().click();
    const box = input.locator('.quick-input-box input');
    const accept = async (prompt: string, text?: string): Promise<void> => {
      await input.getByText(prompt).first().waitFor();
      if (text !== undefined) await box.fill(text);
      await box.press('Enter');
    };

    await pressIn('Add a data source', 'Add Data Source');
    await choose('Files');
    // The only file of the folder is proposed, so nothing has to be typed.
    await input.getByText('Path or pattern').first().waitFor();
    assert.equal(await box.inputValue(), 'orders.csv');
    await accept('Path or pattern');
    await accept('Name, to which entity graphs refer');
    await page.locator('.notification-toast', { hasText: 'Data source' }).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');

    await pressIn('Create an entity graph', 'New Entity Graph');
    await choose('csv · entity-sources.yaml');
    await choose('Draft from the Data');
    await accept('Name of the entity graph', 'Orders');
    await page.locator('.tab.active', { hasText: 'orders.entity.yaml' }).waitFor();

    // The only entity graph that is open is meant.
    await pressIn('Import it', 'Import');
    await page.locator('.notification-toast', { hasText: 'Import Done: 120 events' }).waitFor();
    await keepScreenshot(page, 'walkthrough-imported');
    await workbench.runCommand('Notifications: Clear All Notifications');

    await pressIn('See the process map', 'Open Event Graph');
    const map = workbench.webview();
    for (const activity of ['Place Order', 'Pay Order', 'Ship Order']) {
      const node = map.locator('#drawing [data-node]', { hasText: activity }).first();
      await expectEventually(async () => {
        // The panel gets its place a moment after it opens.
        const frame = await page.locator('iframe.webview.ready').last().boundingBox();
        const box = await node.boundingBox();
        assert.ok(box && frame && box.x >= frame.x && box.x + box.width <= frame.x + frame.width, activity);
        assert.ok(box.y >= frame.y && box.y + box.height <= frame.y + frame.height, activity);
      });
    }

    await pressIn('Say what must hold', 'Suggest Rules');
    await input.getByText('In which order').first().waitFor();
    await keepScreenshot(page, 'suggest-rules');
    await box.fill('within');
    await input.locator('.monaco-list-row', { hasText: 'Ship Order follows Pay Order within 4h' }).click();
    await input.getByRole('button', { name: 'OK' }).click();
    const rule = page.locator('.view-line', { hasText: 'name: Ship Order follows Pay Order within 4h' });
    await rule.waitFor();
    await workbench.runCommand('File: Save');
    await workbench.runCommand('Entity Graph: Import');
    await page.locator('.codelens-decoration', { hasText: '0 of 40 broken' }).waitFor();
    await keepScreenshot(page, 'suggested-rule-judged');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('the page Import of the canvas runs an import and shows its outcome, also when the canvas is opened again', async () => {
    const { page } = workbench;
    const openCanvas = async (): Promise<void> => {
      await workbench.runCommand('View: Close All Editors');
      await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'orders.entity.yaml' }).dblclick();
      await workbench.runCommand('Entity Graph: Open Canvas');
    };
    await openCanvas();
    const canvas = workbench.webview();
    await canvas.locator('#step-import').click();
    await canvas.locator('#import-plan', { hasText: 'in all' }).waitFor();
    await canvas.locator('#import-settings', { hasText: 'embedded' }).waitFor();
    // The import of the walkthrough.
    await canvas.locator('#import-outcome', { hasText: '120' }).waitFor();
    const before = lastImportIn(folder);
    await canvas.locator('#import-everything').click();
    await canvas.locator('#import-progress').waitFor();
    await keepScreenshot(page, 'canvas-import-running');
    await canvas.locator('#import-outcome', { hasText: '120' }).waitFor();
    assert.match(await canvas.locator('#import-outcome h2').innerText(), /^Imported .* in [\d.]+ s$/);
    assert.notEqual(lastImportIn(folder), before);
    await keepScreenshot(page, 'canvas-import-done');
    assert.equal(await page.locator('.notification-toast', { hasText: 'Import Done' }).count(), 0);
    await openCanvas();
    const again = workbench.webview();
    await again.locator('#step-import').click();
    await again.locator('#import-outcome', { hasText: '120' }).waitFor();
  });
});
