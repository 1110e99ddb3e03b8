import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

describe('main workflows in VS Code by keyboard alone', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let path: string;
  let text: string;

  before(async () => {
    installed = await startWithPackage();
    const folder = join(installed.samples, 'incidents');
    path = join(folder, 'incidents.entity.yaml');
    text = readFileSync(path, 'utf8');
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await forbidPointer();
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `keyboard-${name}`);
  });

  /** A click would not test the keyboard. */
  async function forbidPointer(): Promise<void> {
    await workbench.page.evaluate(() => {
      for (const name of ['pointerdown', 'mousedown', 'click'])
        window.addEventListener(name, (event) => event.isTrusted && event.stopImmediatePropagation(), true);
    });
  }

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const input = () => workbench.page.locator('.quick-input-widget');
  const choose = async (line: string, label: string): Promise<void> => {
    await input().locator('input').first().waitFor();
    // Commands of an extension that registers later do not appear in an open palette.
    await expectEventually(async () => {
      await press('Control+a');
      await workbench.page.keyboard.type(line);
      // Keys typed before the input has the focus go elsewhere, and the row may have been there before.
      assert.equal(await input().locator('.quick-input-box input').inputValue({ timeout: 3_000 }), line);
      await input().locator('.monaco-list-row.focused', { hasText: label }).waitFor({ timeout: 3_000 });
    });
    await press('Enter');
  };
  const command = async (title: string): Promise<void> => {
    await press('F1');
    await choose(`>${title}`, title);
  };
  const openFile = async (name: string): Promise<void> => {
    await press('Control+p');
    await choose(name, name);
    await workbench.page.locator('.tab.active').filter({ hasText: name }).waitFor();
  };
  /** Further keys go to the text. */
  const editorFocused = () => workbench.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  /** The focused element inside the webview. */
  const focused = () => workbench.webview().locator(':focus');
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      if (name.test((await focused().count()) > 0 ? await focused().first().innerText() : '')) return;
      await press('Tab');
    }
    assert.fail(`Tab never reaches ${name}.`);
  };
  const rightTo = async (action: string): Promise<void> => {
    for (let count = 0; count < 10; count += 1) {
      await press('ArrowRight');
      if ((await focused().getAttribute('aria-label')) === action) return;
    }
    assert.fail(`→ never reaches ${action}.`);
  };
  const row = (name: string) => workbench.webview().locator('.rows .row', { hasText: name });
  const status = (name: string) => row(name).locator('.cell').nth(2).innerText();
  const names = () => workbench.webview().locator('.rows .name').allInnerTexts();

  it('opens and sorts the table of entities', async () => {
    await command('Entity Graph: Open Entities Table');
    await row('Incident management').waitFor();
    const ascending = ['Incident management', 'Incident trail'];
    assert.deepEqual(await names(), ascending);
    const heading = workbench.webview().getByRole('columnheader', { name: 'Name' });
    await tabTo(/^Name$/);
    await press('Enter');
    await expectEventually(async () => assert.deepEqual(await names(), ascending.toReversed()));
    assert.equal(await heading.getAttribute('aria-sort'), 'descending');
    await press('Enter');
    await expectEventually(async () => assert.deepEqual(await names(), ascending));
  });

  it('imports', async () => {
    await tabTo(/^Incident management/);
    await rightTo('Import');
    await press('Enter');
    await expectEventually(async () => assert.equal(await status('Incident management'), 'Imported'), 60_000);
  });

  it('edits the text, and resets it', async () => {
    await press('Escape', 'F12');
    await workbench.page.locator('.tab.active').filter({ hasText: 'incidents.entity.yaml' }).waitFor();
    await editorFocused();
    await press('Control+End');
    await workbench.page.keyboard.type('# changed');
    await press('Control+s');
    await expectEventually(async () => assert.equal(readFileSync(path, 'utf8'), `${text}# changed`));
    await command('Entity Graph: Open Entities Table');
    await expectEventually(async () => assert.equal(await status('Incident management'), 'Imported, modified'));
    await tabTo(/^Incident management/);
    // Beside the text the table is narrow: actions are in a menu with type-ahead.
    await rightTo('More Actions…');
    await press('Enter');
    await workbench.webview().getByRole('menuitem', { name: 'Configure' }).waitFor();
    await press('r');
    await workbench
      .webview()
      .getByRole('menuitem', { name: 'Reset' })
      .and(workbench.webview().locator(':focus'))
      .waitFor();
    await press('Enter');
    // It asks first, with the focus on what changes nothing.
    const dialog = workbench.webview().getByRole('dialog');
    await dialog.getByText('# changed').waitFor();
    await press('Tab', 'Enter');
    await expectEventually(async () => assert.equal(readFileSync(path, 'utf8'), text));
  });

  it('creates an entity graph from chosen data objects', async () => {
    // Between two questions VS Code gives the focus back. A page gets it late, and takes it from the next question; an
    // editor gets it at once.
    await press('Control+2');
    await editorFocused();
    await command('Entity Graph: New Entity Graph');
    await input().getByPlaceholder('Data file or data source').waitFor();
    await choose('csv · entity-sources', 'log');
    await input().getByPlaceholder('Start with').waitFor();
    await choose('Draft', 'Draft from the Data');
    await input().getByText('Name of the entity graph').waitFor();
    await expectEventually(async () => {
      await press('Control+a');
      await workbench.page.keyboard.type('Service Desk');
      assert.equal(await input().locator('.quick-input-box input').inputValue(), 'Service Desk');
    });
    await press('Enter');
    // With one data object there is no question. The canvas opens with its elements.
    await workbench.page.locator('.tab.active').filter({ hasText: 'service-desk.entity.yaml' }).waitFor();
    await workbench.webview().locator('.card').first().waitFor();
    const file = join(path, '../service-desk.entity.yaml');
    assert.match(readFileSync(file, 'utf8'), /^version: 1\nname: Service Desk\ndataSource: log\n/);
    // The canvas may have opened beside the table, so the last webview may not be the table's.
    await command('View: Close All Editors');
    await command('Entity Graph: Open Entities Table');
    await row('Service Desk').waitFor();
    assert.equal(await status('Service Desk'), 'Not Imported');
  });

  it('runs a test query, and moves through the cells of the result', async () => {
    await command('View: Close All Editors');
    await openFile('incidents.entity.yaml');
    const line = text.split('\n').findIndex((each) => each.includes('activityName: Open Incident')) + 1;
    await press('Control+g');
    await choose(`:${line}`, String(line));
    await input().waitFor({ state: 'hidden' });
    await editorFocused();
    await press('Control+Enter');
    const results = workbench.webview();
    await results.getByText('INC0000045').first().waitFor();
    await press('Control+2');
    await tabTo(/^INC0000045$/);
    const cell = () =>
      focused().evaluate((each) => [each.getAttribute('role'), each.textContent?.trim().split('\n')[0]]);
    await press('ArrowDown', 'ArrowRight');
    assert.deepEqual(await cell(), ['gridcell', '2016-02-29 04:40:00Z']);
    await press('Control+c');
    await press('ArrowUp', 'ArrowUp');
    assert.deepEqual(await cell(), ['columnheader', 'opened_at']);
    const heading = results.locator('[role=columnheader]:focus');
    await press('Enter', 'Enter');
    await expectEventually(async () => assert.equal(await heading.getAttribute('aria-sort'), 'descending'));
    await press('Control+n');
    await workbench.page.locator('.tab.active').filter({ hasText: 'Untitled' }).waitFor();
    await editorFocused();
    await press('Control+v');
    await expectEventually(async () => assert.match(await workbench.visibleText(), /^2016-02-29T04:40:00\.000000Z/));
  });
});
