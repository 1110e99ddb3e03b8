import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

describe('entities, data sources and results in VS Code', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    installed = await startWithPackage();
    folder = join(installed.samples, 'incidents');
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `surface-${name}`);
  });

  const type = (text: string): Promise<void> => workbench.page.keyboard.type(text);
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const input = () => workbench.page.locator('.quick-input-widget');
  const row = (name: string) => workbench.webview().locator('.rows .row', { hasText: name });
  const cells = (name: string) => row(name).locator('.cell').allInnerTexts();
  const treeRow = (name: string) => workbench.page.locator('.pane-body .monaco-list-row', { hasText: name });
  const openTable = async (): Promise<void> => {
    await workbench.runCommand('Entity Graph: Open Entities Table');
    await row('Incident management').waitFor();
  };

  it('Entities lists all entity graphs, and no column is cut beside the side bar', async () => {
    await openTable();
    const all = ['Name', 'Data Source', 'Status', 'Progress', 'Created', 'Modified', 'Imported'];
    // Where there is no room, the times that say least give way.
    const few = all.filter((title) => title !== 'Created' && title !== 'Modified');
    for (const [width, titles] of [
      [1920, all],
      [1440, few],
      [1366, few],
    ] as const) {
      await workbench.page.setViewportSize({ width, height: 768 });
      const frame = await workbench.page.locator('iframe.webview.ready').last().boundingBox();
      assert.ok(frame && frame.x > 200, 'the side bar is open');
      await expectEventually(async () => {
        const heads = workbench.webview().locator('.heading button').filter({ visible: true });
        // The button that chooses columns has an icon only.
        assert.deepEqual(await heads.allInnerTexts(), [...titles, '']);
        for (const head of await heads.all()) {
          const box = await head.boundingBox();
          assert.ok(box && box.x >= frame.x && box.x + box.width <= frame.x + frame.width + 1, `${width}`);
        }
      });
    }
    assert.deepEqual((await cells('Incident management')).slice(1, 4), ['log', 'Not Imported', '']);
    await row('Incident trail').waitFor();
  });

  it('an import started by keyboard shows its progress in its own row only, and what it found broken in a message', async () => {
    await row('Incident management').focus();
    await press('ArrowRight', 'ArrowRight', 'Enter');
    await expectEventually(async () => {
      assert.deepEqual((await cells('Incident management')).slice(2, 4), ['Imported', 'Import Done']);
    }, 60_000);
    await expectEventually(async () => {
      const messages = await workbench.notifications();
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? '', /The rule Urgent incidents are resolved within five days is broken\.$/);
    });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('a graph modified since its import is marked, and Reset reverts it through the editor', async () => {
    const path = join(folder, 'incidents.entity.yaml');
    const before = readFileSync(path, 'utf8');
    await writeFile(path, `${before}# changed\n`);
    await expectEventually(async () => {
      assert.equal((await cells('Incident management'))[2], 'Imported, modified');
    });
    await keepScreenshot(workbench.page, 'surface-modified');
    await row('Incident management').getByRole('button', { name: 'More Actions…' }).click();
    await workbench.webview().getByRole('menuitem', { name: 'Reset' }).click();
    const dialog = workbench.webview().getByRole('dialog', { name: 'Reset incidents.entity.yaml' });
    await dialog.locator('.line.lost', { hasText: '# changed' }).waitFor();
    await keepScreenshot(workbench.page, 'surface-reset');
    await dialog.getByRole('button', { name: 'Reset' }).click();
    await expectEventually(async () => assert.equal(readFileSync(path, 'utf8'), before));
    // The table is still in front.
    await workbench.page.locator('.tab.active').filter({ hasText: 'Entities' }).waitFor();
    await expectEventually(async () => assert.equal((await cells('Incident management'))[2], 'Imported'));
  });

  it('Import All imports every graph that needs it', async () => {
    await workbench.webview().getByRole('button', { name: 'Import All' }).click();
    await input().getByText('Not imported or modified since import').click();
    await expectEventually(async () => {
      assert.deepEqual((await cells('Incident trail')).slice(2, 4), ['Imported', 'Import Done']);
    }, 60_000);
    await expectEventually(async () => {
      assert.match((await workbench.notifications()).join(), /1 of 1 entity graphs are imported/);
    });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Add Data Source works by keyboard alone, and tests the connection first', async () => {
    await workbench.runCommand('Entity Graph: Add Data Source');
    await input().getByText('Files').first().waitFor();
    await type('Files');
    await press('Enter');
    const name = 'Name, to which entity graphs refer';
    await input().getByText('Path or pattern').waitFor();
    await press('Control+a');
    await type('nothing/*.csv');
    await press('Enter');
    await input().getByText(name).waitFor();
    await press('Control+a');
    await type('more');
    await press('Enter');
    // The whole error is shown, and the entered value is kept.
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('more cannot be used as it is.').waitFor();
    assert.match(
      await dialog.innerText(),
      /no file in [^]* matches nothing\/\*\.csv\.\s+Correct path in the data sources file, or put the files there\./,
    );
    await keepScreenshot(workbench.page, 'surface-source-refused');
    await press('Enter');
    await input().getByText('Path or pattern').waitFor();
    assert.equal(await input().locator('input').inputValue(), 'nothing/*.csv');
    await press('Control+a');
    await type('data/*.csv');
    await press('Enter');
    await input().getByText(name).waitFor();
    assert.equal(await input().locator('input').inputValue(), 'more');
    await press('Enter');
    await expectEventually(async () => {
      assert.match(
        readFileSync(join(folder, 'entity-sources.yaml'), 'utf8'),
        /\n {2}more:\n {4}kind: csv\n {4}path: data\/\*\.csv\n/,
      );
    });
    await expectEventually(async () => {
      assert.match((await workbench.notifications()).join(), /Data source more is in entity-sources\.yaml/);
    });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('Data Sources shows objects and columns, and sorts previewed rows', async () => {
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await treeRow('more').filter({ hasText: 'csv' }).waitFor();
    await treeRow('log').filter({ hasText: 'csv' }).click();
    await treeRow('incident_event_log').click();
    await treeRow('opened_at').filter({ hasText: 'TIMESTAMP' }).waitFor();
    await treeRow('incident_event_log').hover();
    await treeRow('incident_event_log').getByRole('button', { name: 'Preview Rows' }).click();
    const results = workbench.webview();
    await results.getByText('INC0000045').first().waitFor();
    assert.match(await results.locator('.summary p').innerText(), /^first 100 rows · .* · log$/);
    await results
      .getByRole('columnheader', { name: /number/ })
      .first()
      .click();
    await results
      .getByRole('columnheader', { name: /number/ })
      .first()
      .click();
    await results
      .getByRole('columnheader', { name: /number/, exact: false })
      .first()
      .and(results.locator('[aria-sort=descending]'))
      .waitFor();
  });

  it('Find Data Object finds an object by name and shows its details', async () => {
    await treeRow('log').filter({ hasText: 'csv' }).click();
    await treeRow('opened_at').waitFor({ state: 'detached' });
    await workbench.runCommand('Entity Graph: Find Data Object');
    await input().getByPlaceholder('Name of a table, view, file or endpoint').waitFor();
    await type('event_log');
    await input().locator('.monaco-list-row', { hasText: 'log · file' }).waitFor();
    await press('Enter');
    await workbench.page
      .locator('.pane-body .monaco-list-row.selected.focused', { hasText: 'incident_event_log' })
      .waitFor();
    await workbench.runCommand('Entity Graph: Show Details of Data Object');
    await input().getByText('log', { exact: true }).click();
    const results = workbench.webview();
    await results.getByRole('columnheader', { name: 'References' }).waitFor();
    await results.getByRole('gridcell', { name: 'opened_at', exact: true }).waitFor();
  });

  it('the history reruns a query of this session', async () => {
    const results = workbench.webview();
    await results.getByRole('button', { name: 'Queries of This Session' }).click();
    await results.getByRole('menuitem', { name: /incident_event_log/ }).click();
    await results.getByText('INC0000045').first().waitFor();
  });

  it('Diagnose Data Source lists what the source lacks, step by step', async () => {
    await workbench.runCommand('Entity Graph: Diagnose Data Source');
    await input().getByText('log', { exact: true }).click();
    const report = workbench.webview();
    await report.getByRole('heading', { name: 'Diagnosis of log' }).waitFor();
    await report.getByText('log can be used.').waitFor();
    await report.getByText('The first row of incident_event_log came').waitFor();
    await keepScreenshot(workbench.page, 'surface-diagnosis');
    await report.getByRole('link', { name: 'Go to Data Source' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'entity-sources.yaml' }).waitFor();
    await workbench.runCommand('View: Close All Editors');
  });

  it('Add to Entity Graph adds a data object', async () => {
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await treeRow('incident_event_log').first().hover();
    await treeRow('incident_event_log').first().getByRole('button', { name: 'Add to Entity Graph' }).click();
    await input().getByText('Incident trail').click();
    const canvas = workbench.webview();
    await canvas.locator('.card.error').waitFor();
    await workbench.runCommand('View: Revert and Close Editor');
  });

  it('Event Graph shows the imported graph and runs SQL on it', async () => {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Event Graph');
    const graph = workbench.webview();
    await graph.locator('#drawing [data-node]', { hasText: 'Resolve Incident' }).first().waitFor({ timeout: 30_000 });
    await keepScreenshot(workbench.page, 'surface-event-graph');
    await graph.getByRole('tab', { name: 'Changes' }).click();
    await graph.getByText('Nothing to compare with yet').waitFor();
    await graph.getByRole('button', { name: 'SQL Console' }).click();
    await expectEventually(async () => assert.match(await workbench.visibleText(), /^-- entity-graph: incidents/));
    await workbench.runCommand('Entity Graph: Run SQL');
    await workbench.webview().getByText('Contact Service Desk').first().waitFor();
    assert.match(
      await workbench.webview().locator('.summary p').innerText(),
      /^\d+ rows · .* · incidents\.entity\.yaml$/,
    );
  });
});
