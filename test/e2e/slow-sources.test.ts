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

describe('a data source that answers late, in VS Code', () => {
  let postgres: TestPostgres;
  let proxy: DelayedProxy;
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    postgres = await startPostgres();
    await postgres.query('postgres', 'CREATE TABLE orders (id int PRIMARY KEY, placed_at timestamptz)');
    proxy = await startDelayedProxy(postgres, 400, { isHeld: true });
    installed = await startWithPackage();
    const folder = join(installed.samples, 'late');
    const access = { ...postgres, port: proxy.port };
    await writeFiles(folder, {
      'entity-sources.yaml': postgresqlSources(access, 'postgres', ', connectTimeout: 5min'),
      'new.entity.yaml': 'version: 1\nname: New\ndataSource: shop\n',
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

  it('canvas and Data Sources say that it is being read', async () => {
    await workbench.openFile('new.entity.yaml');
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await assertSeen(canvas().getByText('Reading the data objects of shop…'), 'that it reads');
    await assertSeen(canvas().getByText(/^Connecting to 127\.0\.0\.1:/), 'the step');
    await assertSeen(canvas().getByText(/^\d+ s$/), 'the time so far');
    await assertSeen(canvas().locator('.stop-reading'), 'Cancel');
    await assertSeen(source(/^shop.*reading…/), 'the row of the source');
  });

  it('both go on by themselves once it answers, 400 ms each way', async () => {
    proxy.release();
    await assertSeen(canvas().getByRole('button', { name: 'Add orders' }), 'the data object');
    assert.equal(await canvas().locator('.reading').count(), 0);
    await source(/^shop(?!.*reading)/).waitFor();
  });

  it('when it fails, the canvas tells the reason and offers Try Again', async () => {
    await proxy.close();
    await workbench.runCommand('Entity Graph: Refresh Data Sources');
    await assertSeen(canvas().locator('.reading.unread'), 'the reason');
    await assertSeen(canvas().getByRole('button', { name: 'Try Again' }), 'Try Again');
  });
});
