import assert from 'node:assert/strict';
import { join } from 'node:path';
import { postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { keepScreenshot } from '../support/vscode-host.ts';
import { assertSeen } from '../webview/visible.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench, workbenchIn } from './workbench.ts';

/** Reading the view `orders` takes `seconds`, then fails if `fails`; planning reads no row of it. */
const slowOrders = `
  CREATE TABLE pace (seconds int, fails boolean);
  INSERT INTO pace VALUES (300, false);
  CREATE TABLE kept (id int PRIMARY KEY, placed_at timestamptz, customer int);
  INSERT INTO kept SELECT n, timestamptz '2026-01-01' + n * interval '1 hour', n % 4 FROM generate_series(1, 20) n;
  CREATE FUNCTION paced(id int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
    IF id = 1 THEN
      PERFORM pg_sleep((SELECT seconds FROM pace));
      IF (SELECT fails FROM pace) THEN RAISE EXCEPTION 'the archive of orders is closed'; END IF;
    END IF;
    RETURN true;
  END $$;
  CREATE VIEW orders AS SELECT * FROM kept WHERE paced(id)`;

const graph = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, { source: files, objects: [customers] }]
elements:
  - { activityName: Place Order, dataObject: orders, key: [id], entityType: order, startTimestamp: placed_at }
  - { activityName: Win Customer, dataSource: files, dataObject: customers, key: [id], entityType: customer, startTimestamp: since }
relationships:
  - { name: is placed by, source: Place Order, target: Win Customer, mappings: [{ source: customer, target: id }] }
`;

describe('page Import in VS Code, of a graph over two data sources', () => {
  let postgres: TestPostgres;
  let database: string;
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    postgres = await sharedPostgres();
    database = await postgres.createDatabase();
    await postgres.query(database, slowOrders);
    installed = await startWithPackage();
    const folder = join(installed.samples, 'paced');
    const days = [0, 1, 2, 3].map((id) => `${id},2025-12-0${id + 1}T00:00:00Z\n`);
    await writeFiles(folder, {
      'entity-sources.yaml': `${postgresqlSources(postgres, database)}  files: { kind: csv, path: "*.csv" }\n`,
      'customers.csv': `id,since\n${days.join('')}`,
      'shop.entity.yaml': graph,
    });
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.page.setViewportSize({ width: 1366, height: 768 });
    await workbench.openFile('shop.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Canvas');
    await canvas().locator('#step-import').click();
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `import-page-${name}`);
  });

  const canvas = () => workbench.webview();
  const outcome = (text: string) => canvas().locator('#import-outcome', { hasText: text });
  const start = () => canvas().locator('#start-import').click();

  /** Quick Open would show a canvas again that was the last editor of the file. */
  async function openText(): Promise<void> {
    await workbench.runCommand('View: Close All Editors');
    await workbench.page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'shop.entity.yaml' })
      .first()
      .click();
    await workbench.page.locator('.editor-instance .monaco-editor .view-lines').first().waitFor();
  }

  it('the plan names both data sources and the reads of each', async () => {
    const plan = canvas().locator('#import-plan');
    await assertSeen(plan, 'the plan');
    const text = await plan.innerText();
    assert.match(text, /shop:\s+orders/);
    assert.match(text, /files:\s+customers/);
    await assertSeen(canvas().locator('#import-settings'), 'the settings');
  });

  it('Cancel ends a running import, and the page says so', async () => {
    await start();
    await assertSeen(canvas().locator('.import-steps [aria-current]', { hasText: 'data pull' }), 'the running step');
    await keepScreenshot(workbench.page, 'import-page-running');
    await canvas().locator('#cancel-import').click();
    await assertSeen(outcome('Import cancelled'), 'that it was cancelled');
    await assertSeen(canvas().locator('#start-import'), 'Import');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('a failing import shows the reason and the step that failed', async () => {
    await postgres.query(database, 'UPDATE pace SET seconds = 0, fails = true');
    await start();
    await assertSeen(outcome('the archive of orders is closed'), 'the reason');
    assert.match(await outcome('').innerText(), /Import failed[\s\S]*It ended at data pull/);
    await assertSeen(canvas().getByRole('button', { name: 'Show Log' }), 'Show Log');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('an import after a failure succeeds, and Open Process Map shows its map', async () => {
    await postgres.query(database, 'UPDATE pace SET fails = false');
    await start();
    await assertSeen(outcome('24'), 'the outcome');
    assert.match(await outcome('').innerText(), /24\s+events\s+24\s+entities\s+20\s+pairs of relationships/);
    await canvas().locator('#open-process-map').click();
    await workbench.page.locator('.tab.active', { hasText: 'Event Graph of shop' }).waitFor();
    await assertSeen(canvas().locator('#drawing [data-node]', { hasText: 'Place Order' }).first(), 'the process map');
  });

  it('Import a Sample reads the first rows, and the graph stays marked as a sample when the window is loaded again', async () => {
    await openText();
    await workbench.runCommand('Entity Graph: Open Canvas');
    await canvas().locator('#step-import').click();
    await canvas().locator('#import-sample').click();
    const told = 'A sample: the first 1,000 rows of each element. Import to read all rows.';
    await assertSeen(canvas().locator('#import-slice', { hasText: told }), 'that it is a sample');
    const statusBar = () => workbench.page.locator('.statusbar-item', { hasText: 'Sample Imported' });
    await assertSeen(statusBar(), 'the status bar');
    await workbench.page.reload();
    workbench = await workbenchIn(workbench.page);
    await workbench.runCommand('Entity Graph: Open Entities Table');
    await assertSeen(canvas().locator('.rows .status', { hasText: 'Sample imported' }), 'its status in the table');
    await openText();
    await assertSeen(statusBar(), 'the status bar');
    await workbench.runCommand('Entity Graph: Open Canvas');
    await canvas().locator('#step-import').click();
    await assertSeen(canvas().locator('#import-slice', { hasText: told }), 'that it is a sample');
  });
});
