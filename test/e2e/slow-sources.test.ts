import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type DelayedProxy, startDelayedProxy } from '../support/delayed-proxy.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, startPostgres } from '../support/postgres.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { keepScreenshot } from '../support/vscode-host.ts';
import { assertSeen } from '../webview/visible.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const orders = `version: 1
name: Orders
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed_at }
entities:
  - { entityType: order, dataObject: orders, key: id }
relationships:
  - { name: again, source: Place Order, target: Place Order, mappings: [{ source: id, target: id }] }
`;

describe('a data source that answers late, in VS Code', () => {
  let postgres: TestPostgres;
  let proxy: DelayedProxy;
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    postgres = await startPostgres();
    await postgres.query('postgres', 'CREATE TABLE orders (id int PRIMARY KEY, placed_at timestamptz)');
    await postgres.query('postgres', "INSERT INTO orders VALUES (4711, '2024-02-29 00:00:00Z')");
    // It is held longer than a server waits for a login.
    await postgres.query('postgres', "ALTER SYSTEM SET authentication_timeout = '10min'");
    await postgres.query('postgres', 'SELECT pg_reload_conf()');
    proxy = await startDelayedProxy(postgres, 400, { isHeld: true });
    installed = await startWithPackage();
    const folder = join(installed.samples, 'late');
    const access = { ...postgres, port: proxy.port };
    await writeFiles(folder, {
      'entity-sources.yaml': postgresqlSources(access, 'postgres', ', connectTimeout: 5min'),
      'new.entity.yaml': 'version: 1\nname: New\ndataSource: shop\n',
      'orders.entity.yaml': orders,
    });
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.page.setViewportSize({ width: 1366, height: 768 });
  });
  after(async () => {
    await installed.close();
    await proxy.close();
    await postgres.stop();
  });
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `late-${name}`);
  });

  const canvas = () => workbench.webview();
  const source = (text: string | RegExp) =>
    workbench.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();

  /** Quick Open would show an open canvas of the file instead. */
  async function openAlone(file: string): Promise<void> {
    await workbench.runCommand('View: Close All Editors');
    await workbench.openFile(file);
  }

  it('the canvas and Data Sources show that it is being read', async () => {
    await workbench.openFile('new.entity.yaml');
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await assertSeen(canvas().getByText('Reading the data objects of shop…'), 'that it reads');
    await assertSeen(canvas().getByText(/^Connecting to 127\.0\.0\.1:/), 'the step');
    await assertSeen(canvas().getByText(/^\d+ s$/), 'the time so far');
    await assertSeen(canvas().locator('.stop-reading'), 'Cancel');
    await assertSeen(source(/^shop.*reading…/), 'the row of the source');
  });

  it('when it fails, the canvas shows the reason and offers Try Again', async () => {
    proxy.drop();
    await assertSeen(canvas().locator('.reading.unread'), 'the reason');
    await assertSeen(canvas().getByRole('button', { name: 'Try Again' }), 'Try Again');
    await canvas().getByRole('button', { name: 'Try Again' }).click();
    await assertSeen(canvas().getByText('Reading the data objects of shop…'), 'that it reads again');
  });

  for (const [what, key] of [
    ['an element', 'element:Place Order'],
    ['entities', 'element:order'],
    ['a relationship', 'relationship:again'],
  ] as const) {
    it(`the dialog of ${what} shows that it is being read`, async () => {
      await openAlone('orders.entity.yaml');
      await workbench.runCommand('Entity Graph: Open Canvas to the Side');
      await canvas().locator(`[data-key="${key}"]`).first().focus();
      await canvas().locator(`[data-key="${key}"]`).first().press('Enter');
      const dialog = canvas().getByRole('dialog');
      await assertSeen(dialog.getByText('Reading the data objects of shop…'), 'that it reads');
      await assertSeen(dialog.getByText(/^Connecting to 127\.0\.0\.1:/), 'the step');
      await assertSeen(dialog.locator('.stop-reading'), 'Cancel');
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).last().click();
      await dialog.waitFor({ state: 'detached' });
    });
  }

  it('the page Import shows what planning waits for', async () => {
    await canvas().locator('#step-import').click();
    await assertSeen(canvas().getByText('Planning the import…'), 'that it plans');
    await assertSeen(canvas().getByText(/^Connecting to 127\.0\.0\.1:/), 'the step');
  });

  it('Test Query and Show Query show what they wait for', async () => {
    await openAlone('orders.entity.yaml');
    await workbench.goTo(5, 10);
    await workbench.runCommand('Entity Graph: Test Query');
    await assertSeen(workbench.webview().getByText(/^Connecting to 127\.0\.0\.1:/), 'the step in the results panel');
    await assertSeen(workbench.webview().locator('eg-elapsed'), 'the time so far');
    await workbench.goTo(5, 10);
    await workbench.runCommand('Entity Graph: Show Query');
    const notice = workbench.page.locator('.notification-list-item', { hasText: 'Building the query of Place Order' });
    await assertSeen(notice.getByText(/Connecting to 127\.0\.0\.1:/), 'the step in the notification');
    await assertSeen(notice.getByRole('button', { name: 'Cancel' }), 'Cancel');
  });

  it('Test Connection shows what it waits for, and stops on Cancel', async () => {
    await workbench.runCommand('Entity Graph: Test Connection');
    const notice = workbench.page.locator('.notification-list-item', { hasText: 'Testing shop' });
    await assertSeen(notice.getByText(/Checking credentials and permissions/), 'the step in the notification');
    await notice.getByRole('button', { name: 'Cancel' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('every view shows its content without a click once the data source answers (delay: 400 ms each way)', async () => {
    proxy.release();
    const tab = (name: RegExp) => workbench.page.getByRole('tab', { name });
    await tab(/^Place Order\.sql/).waitFor();
    await tab(/^Place Order(?!\.sql)/).click();
    await assertSeen(workbench.webview().getByText('4711'), 'the row');
    await workbench.openFile('new.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await assertSeen(canvas().getByRole('button', { name: 'Add orders' }), 'the data object');
    assert.equal(await canvas().locator('.reading').count(), 0);
    await assertSeen(source(/^shop(?!.*reading)/), 'the row of the source');
  });
});
