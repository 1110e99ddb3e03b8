import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const graph = `version: 1
name: Shop
dataSource: files
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: at
    where: amount > 0
    properties: [amount]
`;

const rowOf = (order: number): string => `${order},2024-01-02,${order % 100}\n`;

describe('an edit compared with the last import in VS Code', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    installed = await startWithPackage();
    folder = join(installed.samples, 'compared');
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'entity-sources.yaml'), 'version: 1\ndataSources:\n  files: { kind: csv, path: data/*.csv }\n'); // prettier-ignore
    writeFileSync(join(folder, 'shop.entity.yaml'), graph);
    writeFileSync(join(folder, 'data/orders.csv'), `id,at,amount\n${[1, 2, 3].map(rowOf).join('')}`);
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.openFile('shop.entity.yaml');
    await workbench.runCommand('Entity Graph: Import');
    await lens('1 activity').or(lens('3 events')).first().waitFor();
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `comparison-${name}`);
  });

  const lens = (text: string | RegExp) => workbench.page.locator('.codelens-decoration a, .codelens-decoration span', { hasText: text }); // prettier-ignore
  /** Types a limit at the end of the line of `where`. */
  const limit = async (digits: string): Promise<void> => {
    await workbench.goTo(10, 100);
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.type(digits);
  };
  const save = (): Promise<void> => workbench.page.keyboard.press('Control+s');

  it('has a code lens with its numbers, which a save refreshes, and whose rows open', async () => {
    await limit('1');
    await workbench.runCommand('Entity Graph: Compare with…');
    await workbench.answer('Compare with…', 'Last Import');
    await lens('where: −1 entity, −1 event').or(lens('where: −1 event')).first().waitFor();
    await limit('2');
    await lens('Compared with the last import, before the latest edits').waitFor();
    await save();
    await lens(/where: −2 e/).waitFor();
    await lens(/where: −2 e/).click();
    const page = workbench.webview();
    const row = page
      .getByRole('row')
      .filter({ hasText: /Gone[^]*Events[^]*Place Order/ })
      .first();
    await row.getByRole('button', { name: '2', exact: true }).click();
    await page.getByRole('heading', { name: 'Events · Place Order · Gone' }).waitFor();
    const rows = page.locator('.rows [role="row"]');
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    await keepScreenshot(workbench.page, 'comparison-rows');
    // Back to the numbers.
    await page.getByRole('button', { name: 'Queries of This Session' }).click();
    await page.getByRole('menuitem', { name: /^Effect of shop/ }).click();
    await page.getByRole('heading', { name: /^Effect of shop/ }).waitFor();
  });

  it('is cancelled on the screen, and the earlier numbers are said to be from before the edits', async () => {
    writeFileSync(join(folder, 'data/orders.csv'), `id,at,amount\n${Array.from({ length: 2_000_000 }, (_, order) => rowOf(order)).join('')}`); // prettier-ignore
    await workbench.runCommand('View: Focus First Editor Group');
    await limit('3');
    await save();
    // One that was replaced may still be ending.
    const running = workbench.page
      .locator('.notification-list-item', { hasText: 'Comparing shop.entity.yaml' })
      .first();
    await running.waitFor();
    await running.hover();
    await keepScreenshot(workbench.page, 'comparison-running');
    await running.getByRole('button', { name: 'Cancel' }).click();
    await running.waitFor({ state: 'detached' });
    await lens('Compared with the last import, before the latest edits').waitFor();
    // A click on it compares again.
    writeFileSync(join(folder, 'data/orders.csv'), `id,at,amount\n${[1, 2, 3].map(rowOf).join('')}`);
    await lens('Compared with the last import, before the latest edits').click();
    await lens(/where: −3 e/).waitFor();
    await lens('Stop Comparing').click();
    await lens('Compared with').first().waitFor({ state: 'detached' });
  });
});
