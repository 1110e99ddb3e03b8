import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphText, postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { keepScreenshot } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const element = '  - { activityName: Order, dataObject: orders, key: id, startTimestamp: at }\n';
const csv = 'id,at\n1,2024-01-01 08:00:00\n2,2024-01-02 08:00:00\n';
// Nothing listens on port 1, and without the password no connection is attempted.
const locked =
  "  locked: { kind: postgresql, host: 127.0.0.1, port: 1, database: d, user: u, password: '${secret:locked}' }\n";

describe('entity graphs and data sources in a VS Code workspace with several sources files', () => {
  let postgres: TestPostgres;
  let database: string;
  let installed: InstalledExtension;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    postgres = await sharedPostgres();
    database = await postgres.createDatabase();
    await postgres.query(
      database,
      "CREATE TABLE orders (id int PRIMARY KEY, at timestamptz); INSERT INTO orders VALUES (1, '2024-01-01')",
    );
    installed = await startWithPackage();
    folder = join(installed.samples, 'several');
    const on = (dataSource: string): string =>
      graphText(element).replace('dataSource: shop', `dataSource: ${dataSource}`);
    await writeFiles(folder, {
      'entity-sources.yaml': postgresqlSources(postgres, database) + locked,
      'built.entity.yaml': `${graphText(element)}import: { engine: source, schema: ekg }\n`,
      'one.entity.yaml': on('locked').replace('name: Test', 'name: One'),
      'two.entity.yaml': on('locked').replace('name: Test', 'name: Two'),
      'north/entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
      'north/orders.csv': csv,
      'south/entity-sources.yaml': 'version: 1\ndataSources:\n  broken: { kind: csv, path: "*.csv\n',
    });
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `several-${name}`);
  });

  const input = () => workbench.page.locator('.quick-input-widget');
  const option = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const treeRow = (text: string | RegExp) =>
    workbench.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  const status = () => workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph' }).first();
  const says = (expected: RegExp): Promise<void> =>
    expectEventually(async () => assert.match((await workbench.notifications()).join('\n'), expected), 60_000);

  it('New Entity Graph creates a graph with the typed name beside the chosen sources file', async () => {
    await workbench.runCommand('Entity Graph: New Entity Graph');
    await option('north/entity-sources.yaml').waitFor();
    await keepScreenshot(workbench.page, 'several-sources');
    assert.deepEqual(
      (await option('entity-sources.yaml').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      [
        // The first of them is below their heading.
        'shoppostgresql · entity-sources.yaml Data sources',
        'lockedpostgresql · entity-sources.yaml',
        'filescsv · north/entity-sources.yaml',
        'brokencsv · south/entity-sources.yaml',
      ],
    );
    await option('north/entity-sources.yaml').click();
    await option('Draft from the Data').click();
    await workbench.answer('Name of the entity graph', 'Northern Orders');
    await workbench.webview().getByText('Record Order').first().waitFor();
    const text = readFileSync(join(folder, 'north/northern-orders.entity.yaml'), 'utf8');
    assert.match(text, /^version: 1\nname: Northern Orders\ndataSource: files\n/);
    await workbench.runCommand('View: Close All Editors');
  });

  it('Data Sources shows why a source cannot be read, and object counts', async () => {
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await treeRow(/^files/).click();
    await treeRow(/^files.*csv · 1 data object/).waitFor();
    await treeRow(/^orders.*(rows|B)/).waitFor();
    await keepScreenshot(workbench.page, 'several-view');
    await treeRow('south/entity-sources.yaml').click();
    await workbench.page.locator('.tab.active', { hasText: 'entity-sources.yaml' }).waitFor();
    await expectEventually(async () => assert.match(await workbench.visibleText(), /broken: \{ kind: csv/));
    await workbench.runCommand('View: Close All Editors');
  });

  it('Entities marks changes since the import, and Reset reverts them', async () => {
    await workbench.openFile('built.entity.yaml');
    await workbench.runCommand('Entity Graph: Import');
    // "Not Imported" was there before.
    await status()
      .filter({ hasText: /: Imported/ })
      .waitFor({ timeout: 60_000 });
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.focusEditor();
    await workbench.goTo(1);
    await workbench.page.keyboard.type('# not saved ');
    await status().filter({ hasText: 'Imported, Modified Since' }).waitFor();
    await workbench.runCommand('Entity Graph: Reset');
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.getByText('Lines that will be lost: 1. Lines that come back: 1.').waitFor();
    await question.getByRole('button', { name: 'Reset' }).click();
    await expectEventually(async () => assert.doesNotMatch(await workbench.visibleText(), /not saved/));
    await expectEventually(async () => assert.doesNotMatch(await status().innerText(), /Modified/));
    await workbench.runCommand('View: Close All Editors');
  });

  it('a dismissed secret is asked for once while several graphs are imported', async () => {
    await workbench.runCommand('Entity Graph: Import All');
    await option('Not imported or modified since import').click();
    await input().getByText('Secret "locked"').waitFor();
    await input().locator('.quick-input-box input').press('Escape');
    await says(/1 of 3 entity graphs are imported\..*one\.entity\.yaml.*two\.entity\.yaml/);
    await input().waitFor({ state: 'hidden' });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Delete Entity Graph drops the tables in the source when that is chosen', async () => {
    const schemas = async () =>
      (await postgres.query(database, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ekg%'")).length;
    assert.equal(await schemas(), 1);
    await workbench.openFile('built.entity.yaml');
    await workbench.runCommand('Entity Graph: Delete');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Schema ekg of shop').waitFor();
    await keepScreenshot(workbench.page, 'several-delete');
    await dialog.getByRole('button', { name: 'Delete with Tables in the Source' }).click();
    await expectEventually(async () => assert.equal(existsSync(join(folder, 'built.entity.yaml')), false));
    assert.equal(await schemas(), 0);
  });
});
