import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { agentCommands, inputFile } from './agent.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

describe('untrusted workspace in VS Code', () => {
  let installed: InstalledExtension;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    installed = await startWithPackage({}, { workspaceTrust: true, withAgent: true });
    folder = join(installed.samples, 'incidents');
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `restricted-${name}`);
  });

  it('graphs can be read, validated and drawn', async () => {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.goTo(1);
    await workbench.page.keyboard.type('x');
    await expectEventually(async () =>
      assert.match((await workbench.problems()).join('\n'), /incidents\.entity\.yaml/),
    );
    await workbench.focusEditor();
    await workbench.page.keyboard.press('Control+z');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await workbench.webview().getByText('Resolve Incident', { exact: true }).first().waitFor();
  });

  it('dialogs and the status bar explain the restriction and offer to trust the workspace', async () => {
    const canvas = workbench.webview();
    // The Problems view leaves less room than the cards need.
    await workbench.runCommand('View: Hide Panel');
    await canvas.locator('[data-key="element:Open Incident"]').dblclick();
    await canvas.locator('.property', { hasText: 'number' }).getByText('not known yet').waitFor();
    for (const button of ['Test Query', 'Show Query']) {
      await canvas.getByRole('button', { name: button, exact: true }).click();
      await canvas
        .getByRole('region', { name: 'Preview' })
        .getByRole('alert')
        .filter({ hasText: 'This workspace is not trusted: queries and imports are off.' })
        .waitFor();
      const toast = workbench.page.locator('.notification-toast', { hasText: 'This workspace is not trusted' });
      await toast.getByRole('button', { name: 'Manage Trust' }).waitFor();
      await workbench.runCommand('Notifications: Clear All Notifications');
    }
    const status = workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph: Not Imported' });
    await status.waitFor();
    assert.match((await status.getAttribute('aria-label')) ?? '', /This workspace is not trusted/);
    assert.equal(existsSync(join(folder, '.entity-graph')), false);
  });

  /** What the agent says after a command. */
  async function agentSays(command: string): Promise<string> {
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand(command);
    const toast = workbench.page.locator('.notification-toast .notification-list-item-message');
    await toast.first().waitFor();
    return toast.first().innerText();
  }

  it('agents have no tools, and an edit of theirs is refused', async () => {
    // The name of the extension's own tool is known, which chats do not offer: its condition is a trusted workspace.
    assert.equal(await agentSays(agentCommands.list), 'Tools: entity_graph_apply_edit');
    const text = 'version: 1\nname: Made\n';
    writeFileSync(join(folder, inputFile), JSON.stringify({ file: 'made.entity.yaml', text, allowErrors: true }));
    assert.match(await agentSays(agentCommands.propose), /not-allowed: this workspace is not trusted/);
    assert.equal(existsSync(join(folder, 'made.entity.yaml')), false);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('imports and test queries are refused with an explanation', async () => {
    await workbench.runCommand('Entity Graph: Open Entities Table');
    const table = workbench.webview();
    // Until the table is there, this is still the canvas.
    await table.getByRole('button', { name: 'Import All' }).waitFor();
    await table.getByText('This workspace is not trusted: queries and imports are off.').waitFor();
    assert.equal(await table.getByRole('button', { name: 'Import All' }).isDisabled(), true);
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    await workbench.page.locator('.pane-body').getByText('This workspace is not trusted').first().waitFor();
    assert.equal(existsSync(join(folder, '.entity-graph')), false);
  });

  it('commands that connect, run or import are not offered', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.openFile('trail.entity.yaml');
    const actions = workbench.page.locator('.editor-group-container.active .editor-actions a.action-label');
    await actions.and(workbench.page.getByLabel(/^Open Canvas to the Side/)).waitFor();
    const labels = await actions.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
    assert.deepEqual(
      labels.filter((label) => /Import|Test Query|Event Graph/.test(label)),
      [],
    );
    const palette = workbench.page.locator('.quick-input-widget .quick-input-box input');
    await expectEventually(async () => {
      await workbench.page.keyboard.press('F1');
      await palette.fill('>Entity Graph: Import', { timeout: 3_000 });
    });
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row .label-name');
    await rows.filter({ hasText: 'Import Entity Graph' }).waitFor();
    const offered = (await rows.allInnerTexts()).filter((text) => /^Entity Graph: Import/.test(text));
    assert.deepEqual(offered, ['Entity Graph: Import Entity Graph']);
    await palette.press('Escape');
  });

  it('everything works once the workspace is trusted', async function () {
    this.timeout(600_000);
    await workbench.runCommand('Entity Graph: Open Entities Table');
    await workbench.webview().getByRole('button', { name: 'Manage Trust' }).click();
    await workbench.page
      .getByRole('button', { name: /^Trust$/ })
      .first()
      .click();
    // Newer versions open the trust page in a modal editor, some time after the click.
    const modal = workbench.page.locator('.monaco-modal-editor-block');
    await expectEventually(async () => {
      if (await modal.isVisible()) await modal.locator('.codicon-close').last().click({ timeout: 2_000 });
      assert.equal(await modal.isVisible(), false);
      await workbench.runCommand('Entity Graph: Open Entities Table');
      const table = workbench.webview();
      assert.equal(await table.getByRole('button', { name: 'Import All' }).isEnabled({ timeout: 2_000 }), true);
    }, 30_000);
    const row = workbench.webview().locator('.rows .row', { hasText: 'Incident management' });
    await row.waitFor();
    assert.equal(await workbench.webview().getByText('This workspace is not trusted').isVisible(), false);
    await row.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await workbench.page.keyboard.press(key);
    await expectEventually(async () => assert.equal(await row.locator('.cell').nth(2).innerText(), 'Imported'), 60_000);
    await expectEventually(async () =>
      assert.match(
        await agentSays(agentCommands.list),
        /^Tools: entity_graph_apply_edit, mcp_entity_graph_activities, /,
      ),
    );
  });
});
