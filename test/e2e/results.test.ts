import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const sources = `version: 1
dataSources:
  files: { kind: csv, path: data/*.csv, types: { amount: DOUBLE } }
`;

const graph = `version: 1
name: Visits
dataSource: files
dataObjects: [visits]
elements:
  - activityName: Pay Visit
    dataObject: visits
    key: id
    startTimestamp: at
    properties: [note]
`;

/** An invalid time, a missing start, and texts with invisible characters. */
const visits = `id,at,note,amount
1,2024-01-01 10:00,"\uFEFFlead",1.5
2,next Tuesday,"two
lines",2
3,,"مرحبا (1)",three
`;

describe('query results in VS Code', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    installed = await startWithPackage();
    folder = join(installed.samples, 'visits');
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'entity-sources.yaml'), sources);
    writeFileSync(join(folder, 'visits.entity.yaml'), graph);
    writeFileSync(join(folder, 'data/visits.csv'), visits);
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `results-${name}`);
  });

  const results = () => workbench.webview();
  const cell = (row: number, column: number) => results().locator(`[data-cell="${row}:${column}"]`);

  it('cells that stop an import or yield no event are marked with the reason', async () => {
    await workbench.openFile('visits.entity.yaml');
    await workbench.goTo(6);
    await workbench.runCommand('Entity Graph: Test Query');
    const reason = '"next Tuesday" is not a readable time: an import stops here.';
    await results()
      .getByRole('gridcell', { name: `next Tuesday Error: ${reason}` })
      .waitFor();
    assert.equal(await cell(1, 1).getAttribute('title'), `next Tuesday\n${reason}`);
    await results()
      .getByRole('gridcell', { name: 'NULL Warning: No Start Timestamp: this row gives no event.' })
      .waitFor();
    assert.equal(await results().locator('.cell.marked').count(), 2);
    assert.match(await results().getByRole('list', { name: 'Warnings' }).innerText(), /1 value is not a readable time/);
    // By keyboard: from the first button of the header to the first marked cell.
    await results().getByRole('button', { name: 'Next Marked Cell' }).focus();
    await workbench.page.keyboard.press('Enter');
    await results().locator('[data-cell="1:1"]:focus').waitFor();
  });

  it('an import reports the same reasons', async () => {
    await workbench.runCommand('View: Focus First Editor Group');
    await workbench.runCommand('Entity Graph: Import');
    const told = workbench.page.locator('.notification-list-item-message', { hasText: 'Import stopped' });
    await told.filter({ hasText: 'next Tuesday' }).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('values that do not fit their column type are marked, and invisible characters are shown', async () => {
    await workbench.runCommand('Entity Graph: Preview Rows');
    const amount = results().getByRole('gridcell', { name: /^three Error: "three" is no DOUBLE/ });
    await amount.waitFor();
    const note = await cell(0, 2).locator('.value').textContent();
    assert.equal(note, '\uFEFFlead');
    assert.equal(await cell(0, 2).locator('.character.code').getAttribute('data-mark'), 'U+FEFF');
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern']) {
      await workbench.useTheme(theme);
      await keepScreenshot(workbench.page, `results-marked-${theme.replaceAll(' ', '-').toLowerCase()}`);
    }
  });

  it('the history reruns a query, and explains when its graph is gone', async () => {
    await results().getByRole('button', { name: 'Queries of This Session' }).click();
    await results()
      .getByRole('menuitem', { name: /^Pay Visit/ })
      .click();
    await cell(1, 1).getByText('next Tuesday', { exact: true }).waitFor();
    await workbench.runCommand('View: Focus First Editor Group');
    await workbench.runCommand('View: Close Editor');
    rmSync(join(folder, 'visits.entity.yaml'));
    await results().getByRole('button', { name: 'Run Again' }).click();
    await results().getByRole('heading', { name: 'The query failed' }).waitFor();
    assert.match(await results().locator('.failure .message').innerText(), /visits\.entity\.yaml/);
  });
});
