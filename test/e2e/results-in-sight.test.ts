import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFiles } from '../support/temporary-folder.ts';
import { keepScreenshot } from '../support/vscode-host.ts';
import { assertSeen } from '../webview/visible.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const graph = `version: 1
name: Visits
dataSource: files
dataObjects: [visits]
elements:
  - { activityName: Pay Visit, dataObject: visits, key: id, startTimestamp: at, properties: [note] }
  - { activityName: Count Visit, dataObject: visits, key: id, startTimestamp: at, where: CAST(note AS INTEGER) > 1 }
`;

describe('results of Test Query outside of dialogs, at 1366×768 with the side bar open', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    installed = await startWithPackage();
    const folder = join(installed.samples, 'visits');
    const rows = Array.from({ length: 200 }, (_, id) => `${id},2026-01-01 10:00,note ${id}\n`);
    await writeFiles(folder, {
      'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
      'visits.entity.yaml': graph,
      'visits.csv': `id,at,note\n${rows.join('')}`,
    });
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.page.setViewportSize({ width: 1366, height: 768 });
    await workbench.openFile('visits.entity.yaml');
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `results-in-sight-${name}`);
  });

  const results = () => workbench.webview();
  const lens = (index: number) =>
    workbench.page.locator('.codelens-decoration a', { hasText: 'Test Query' }).nth(index).click();
  const groups = () => workbench.page.locator('.editor-group-container').count();

  it('the code lens opens rows, their number and the columns, and the text stays visible', async () => {
    await lens(0);
    await assertSeen(results().locator('[data-cell="0:0"]'), 'the first row');
    await assertSeen(results().locator('[data-cell="9:0"]'), 'the tenth row');
    await assertSeen(results().locator('.summary [role=status]', { hasText: 'first 100 rows' }), 'the number of rows');
    await assertSeen(workbench.page.locator('.codelens-decoration a', { hasText: 'Test Query' }).first(), 'the lens');
  });

  it('an error replaces them, with its reason and the refused query', async () => {
    await lens(1);
    await assertSeen(results().getByRole('heading', { name: 'The query failed' }), 'that it failed');
    await assertSeen(results().locator('.failure .message'), 'the reason');
    await assertSeen(results().getByRole('button', { name: 'Go to Text' }), 'Go to Text');
  });

  it('results opened from a canvas beside the text replace the text, without a third column', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.openFile('visits.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    const card = workbench.webview().locator('[data-key="element:Pay Visit"]');
    await assertSeen(card, 'the card');
    const title = workbench.webview().getByRole('heading', { name: 'Visits', exact: true });
    assert.ok(await title.evaluate((heading) => heading.scrollWidth <= heading.clientWidth), 'the name is legible');
    await card.click({ button: 'right' });
    await workbench.webview().getByRole('menuitem', { name: 'Test Query' }).click();
    await expectEventually(async () => {
      assert.equal(await workbench.page.locator('.tab.active', { hasText: 'Pay Visit' }).count(), 1);
    });
    assert.equal(await groups(), 2);
    await assertSeen(results().locator('[data-cell="9:0"]'), 'the tenth row');
  });
});
