import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const start = `# Orders of a shop: this comment and all others stay.
version: 1
name: Orders
dataSource: northwind   # see entity-sources.yaml
`;

const expected = `# Orders of a shop: this comment and all others stay.
version: 1
name: Orders
dataSource: northwind   # see entity-sources.yaml
dataObjects: [customers, orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: order_date
    properties: [freight]
  - activityName: Win Customer
    dataObject: customers
    key: customer_id
    startTimestamp: first_order.order_date
    joins: LEFT JOIN orders AS first_order ON first_order.customer_id = customers.customer_id
relationships:
  - source: Place Order
    target: Win Customer
    mappings:
      - { source: customer_id, target: customer_id }
`;

describe('canvas in VS Code', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let path: string;

  before(async () => {
    installed = await startWithPackage(await loadSampleDatabase(await sharedPostgres()));
    const folder = join(installed.samples, 'northwind');
    path = join(folder, 'orders.entity.yaml');
    await writeFile(path, start);
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.openFile('orders.entity.yaml');
    await workbench.allowUses();
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.runCommand('Entity Graph: Refresh Catalog');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `building-${name}`);
  });

  const canvas = () => workbench.webview();
  const card = (id: string) => canvas().locator(`[data-key="element:${id}"]`);
  const dialog = () => canvas().getByRole('dialog');
  const field = (name: string) => dialog().getByRole('combobox', { name, exact: true });
  const confirm = async (): Promise<void> => {
    await expectEventually(async () => assert.equal(await dialog().locator('#confirm').getAttribute('disabled'), null));
    await dialog().locator('#confirm').click();
    await dialog().waitFor({ state: 'detached' });
  };
  /** VS Code in the browser saves automatically after a delay. */
  const isSaved = (text: string): Promise<void> =>
    expectEventually(async () => assert.equal(readFileSync(path, 'utf8'), text));

  it('Add Data Objects lists the live catalog', async () => {
    await canvas().getByRole('button', { name: 'Add customers' }).click();
    await canvas().getByRole('button', { name: 'Remove customers' }).waitFor();
    await canvas().getByRole('button', { name: 'Add orders', exact: true }).click();
    await canvas().getByRole('button', { name: 'Remove orders' }).waitFor();
    await canvas().locator('#next').click();
    await canvas().getByText('Next: add the first element').waitFor();
  });

  it('dropped data objects become elements that can be configured', async () => {
    await canvas().locator('.palette-object', { hasText: 'orders' }).click();
    await card('#0').dblclick();
    // Filled in from the columns; here a person decides.
    await dialog().locator('#clear-filled').click();
    await dialog().locator('#activity-name input').fill('Place Order');
    await field('Start Timestamp').fill('order_date');
    await workbench.page.keyboard.press('Tab');
    await dialog().locator('#property-filter input').fill('freight');
    await dialog().getByRole('checkbox', { name: 'freight' }).click();
    await keepScreenshot(workbench.page, 'building-element-dialog');
    await confirm();
    await card('Place Order').waitFor();

    await canvas().locator('.palette-object', { hasText: 'customers' }).click();
    await card('#1').dblclick();
    await dialog().locator('#activity-name input').fill('Win Customer');
    await dialog().getByText('Advanced SQL').click();
    await dialog()
      .locator('#joins')
      .fill('LEFT JOIN orders AS first_order ON first_order.customer_id = customers.customer_id');
    await field('Key').fill('customer_id');
    await workbench.page.keyboard.press('Tab');
    await field('Start Timestamp').fill('first_order.order_date');
    await workbench.page.keyboard.press('Tab');
    await confirm();
    await card('Win Customer').waitFor();
  });

  it('a relationship is drawn and its join tested before it is confirmed', async () => {
    await canvas().getByRole('button', { name: 'Add Data Relationships' }).click();
    await card('Place Order').click();
    await card('Win Customer').click();
    await dialog()
      .getByRole('button', { name: /customer_id = customer_id/ })
      .first()
      .click();
    await dialog().locator('#test-query').click();
    await dialog().locator('.preview-table').waitFor();
    await keepScreenshot(workbench.page, 'building-relationship-dialog');
    await confirm();
    await canvas().locator('.edge.solid').first().waitFor({ state: 'attached' });
  });

  it('every edit is written to the text', async () => {
    await isSaved(expected);
    await expectEventually(async () => assert.deepEqual(await workbench.problems(), []));
  });

  it('undo and redo of the editor undo and redo canvas edits', async () => {
    await card('Place Order').focus();
    await workbench.page.keyboard.press('Delete');
    // The relationship is removed too, as the dialog announces.
    await canvas().getByRole('heading', { name: 'Delete Place Order?' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    await card('Place Order').waitFor({ state: 'detached' });
    // Undone while it is being saved automatically, the text would count as saved, and the file would keep the deletion.
    await expectEventually(async () => assert.doesNotMatch(readFileSync(path, 'utf8'), /Place Order/));
    // The file is written a moment before its text counts as saved.
    await workbench.page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Control+z');
    await card('Place Order').waitFor();
    await isSaved(expected);
  });

  it('the canvas follows the text and marks invalid elements', async () => {
    await workbench.runCommand('View: Focus First Editor Group');
    await workbench.goTo(expected.split('\n').findIndex((line) => line.includes('properties: [freight]')) + 1, 100);
    await workbench.page.keyboard.press('Backspace');
    await canvas().locator('#stale').waitFor();
    await workbench.page.keyboard.press('Control+z');
    await canvas().locator('#stale').waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('ArrowLeft');
    await expectEventually(async () =>
      assert.equal(await card('Place Order').getAttribute('aria-current'), 'true', 'the cursor is in that element'),
    );
  });

  it('the canvas matches its screenshots in all four themes', async () => {
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern']) {
      await workbench.useTheme(theme);
      const kind = { Light: 'vscode-light', Dark: 'vscode-dark' }[theme.split(' ')[0] ?? ''] ?? '';
      const wanted = theme.includes('High Contrast') ? 'vscode-high-contrast' : kind;
      await canvas().locator(`body.${wanted}`).waitFor();
      await canvas().getByRole('button', { name: 'Fit' }).click();
      await card('Win Customer').dblclick();
      await dialog().waitFor();
      await keepScreenshot(workbench.page, `building-theme-${theme.replaceAll(' ', '-')}`);
      await dialog().getByRole('button', { name: 'Cancel' }).first().click();
      await dialog().waitFor({ state: 'detached' });
    }
  });
});
