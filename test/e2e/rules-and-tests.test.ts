import assert from 'node:assert/strict';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { assertSeen } from '../webview/visible.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const broken = 'Urgent incidents are resolved within five days';

describe('rules and tests of a sample, at 1366×768', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    installed = await startWithPackage();
    const folder = join(installed.samples, 'incidents');
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
    await workbench.page.setViewportSize({ width: 1366, height: 768 });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.openFile('incidents.entity.yaml');
    await workbench.page.locator('.codelens-decoration', { hasText: 'Test Query' }).first().waitFor();
    await workbench.runCommand('Entity Graph: Import');
    await workbench.page.locator('.notifications-toasts', { hasText: 'Import Done' }).waitFor({ timeout: 120_000 });
    await workbench.runCommand('Notifications: Clear All Notifications');
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `rules-and-tests-${name}`);
  });

  const tab = (name: string | RegExp) => workbench.page.locator('.tab.active', { hasText: name });

  /** Accepts the columns that are proposed to be masked, and the name of the test; resolves when the test is in the file. */
  async function createTest(name: string): Promise<void> {
    const input = workbench.page.locator('.quick-input-widget');
    await input.getByPlaceholder('Columns to mask').waitFor();
    await input.locator('.monaco-list-row', { hasText: 'caller_id' }).first().waitFor();
    await keepScreenshot(workbench.page, `rules-and-tests-columns-to-mask-${name.replaceAll(' ', '-')}`);
    await input.getByRole('button', { name: 'OK' }).click();
    await workbench.answer('What the test shows', name);
    await tab('incidents.entity.test.yaml').waitFor();
    await expectEventually(async () => assert.match(await workbench.visibleText(), new RegExp(`- name: ${name}`)));
  }

  it('the code lens of a broken rule opens the rule in the event graph', async () => {
    const { page } = workbench;
    await workbench.goTo(86);
    await page.locator('.codelens-decoration a', { hasText: '19 of 48 broken' }).click();
    const rules = workbench.webview();
    await assertSeen(rules.getByRole('tab', { name: 'Rules', selected: true }), 'the tab Rules');
    await assertSeen(rules.getByRole('heading', { name: broken }), 'the rule');
    await assertSeen(rules.getByRole('region', { name: 'Over time' }).first(), 'when it is broken');
  });

  it('a violation opens its timeline, and its rows in the data source', async () => {
    const rules = workbench.webview();
    const violation = rules.getByRole('region', { name: 'Who breaks it' }).getByRole('listitem').first();
    const [key = ''] = /INC\d+/.exec(await violation.innerText()) ?? [];
    await violation.getByRole('button').first().click();
    await assertSeen(rules.locator('.entity h2', { hasText: key }), 'its timeline');
    await rules.getByRole('tab', { name: 'Rules' }).click();
    await violation.getByRole('button', { name: `Show events or rows of ${key}` }).click();
    await rules.getByRole('menuitem', { name: 'Show Its Rows of Close Incident' }).click();
    await tab('Close Incident').waitFor();
    await assertSeen(workbench.webview().locator('[data-cell="0:0"]', { hasText: key }), 'its row');
    await tab('Close Incident').click({ button: 'middle' });
    await tab('Close Incident').waitFor({ state: 'hidden' });
    // The page is where it was.
    await assertSeen(rules.getByRole('tab', { name: 'Rules', selected: true }), 'the tab Rules again');
    await violation.waitFor();
  });

  it('a violation becomes a test that expects the rule to be broken', async () => {
    const rules = workbench.webview();
    const violation = rules.getByRole('region', { name: 'Who breaks it' }).getByRole('listitem').first();
    await violation.scrollIntoViewIfNeeded();
    await keepScreenshot(workbench.page, 'rules-and-tests-violations');
    await violation.getByRole('button', { name: /Show events or rows of/ }).click();
    await rules.getByRole('menuitem', { name: 'Create Test from Rows…' }).click();
    await createTest('a late incident');
    await workbench.page.keyboard.press('Control+End');
    await expectEventually(async () =>
      assert.match(await workbench.visibleText(), new RegExp(`${broken}: \\{ broken: 1 \\}`)),
    );
  });

  it('selected rows of the results become a test', async () => {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.goTo(9);
    await workbench.runCommand('Entity Graph: Test Query');
    const results = workbench.webview();
    await results.locator('[data-cell="1:0"]').click();
    await results.locator('[data-cell="2:0"]').click({ modifiers: ['Shift'] });
    await results.locator('[data-cell="2:0"]').click({ button: 'right' });
    await results.getByRole('menuitem', { name: 'Create Test from 2 Rows…' }).click();
    await createTest('two rows');
  });
});
