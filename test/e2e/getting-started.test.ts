import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepScreenshot } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench, workbenchIn } from './workbench.ts';

describe('getting started in VS Code', () => {
  let installed: InstalledExtension;
  let folder: string;
  /** First for a folder without entity graphs, then for the sample. */
  let workbench: Workbench;

  before(async () => {
    installed = await startWithPackage();
    folder = join(installed.samples, 'new');
    mkdirSync(folder);
    writeFileSync(join(folder, 'README.md'), 'Nothing yet.\n');
    workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
  });
  after(() => installed.close());
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `start-${name}`);
  });

  it('empty views show a welcome text', async () => {
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
    const welcome = workbench.page.locator('.welcome-view-content');
    await welcome.getByText('There is no entity graph in this workspace yet.').waitFor();
    await welcome.getByText('There is no data source in this workspace yet.').waitFor();
    assert.deepEqual(await welcome.locator('.monaco-button').allInnerTexts(), [
      'New Entity',
      'Import Configuration',
      'Add Data Source',
    ]);
    await workbench.runCommand('Entity Graph: Open Entities Table');
    await workbench.webview().getByRole('heading', { name: 'No entity graph yet' }).waitFor();
  });

  it('the walkthrough shows its steps, with pictures in theme colours', async () => {
    await workbench.page.locator('.welcome-view-content').getByText('first steps').click();
    const step = (title: string) => workbench.page.locator('.getting-started-step', { hasText: title });
    await step('Add a data source').waitFor();
    // A folder is open.
    await expectEventually(async () =>
      assert.equal(await step('Open a workspace').getAttribute('aria-checked'), 'true'),
    );
    const picture = workbench.webview().locator('svg').first();
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Dark Modern']) {
      await workbench.useTheme(theme);
      for (const [title, words] of [
        ['Open a workspace', 'relationships'],
        ['Edit it as drawing or text', 'Investigate Problem'],
        ['Test its queries', 'INC0000064'],
        ['Import it', 'Not Imported'],
      ] as const) {
        await step(title).click();
        await picture.getByText(words).first().waitFor();
        // The page takes on the workbench's colours a moment later.
        const foreground = await cssColour('var(--vscode-foreground)');
        await expectEventually(async () => {
          const fill = await picture
            .locator('text')
            .first()
            .evaluate((text) => getComputedStyle(text).fill);
          assert.equal(fill, foreground, theme);
        });
        await keepScreenshot(workbench.page, `start-${title}-${theme}`.replaceAll(/\W+/g, '-'));
      }
    }
  });

  /** A workbench colour in the browser's notation. */
  const cssColour = (colour: string): Promise<string> =>
    workbench.page.evaluate((given) => {
      const workbench = document.querySelector('.monaco-workbench') ?? document.body;
      const element = workbench.appendChild(document.createElement('i'));
      element.style.color = given;
      const { color } = getComputedStyle(element);
      element.remove();
      return color;
    }, colour);

  it('Open Sample opens a new window with the sample and its data', async () => {
    const window = workbench.page.context().waitForEvent('page');
    await workbench.page.locator('.welcome-view-content').getByText('sample workspace').click();
    await workbench.page.getByRole('button', { name: 'Put the Sample Here' }).click();
    workbench = await workbenchIn(await window);
    const url = new URL(workbench.page.url());
    assert.equal(url.searchParams.get('folder'), join(folder, 'entity-graph-sample'));
    // The state folder, which remembers when graphs were first seen, may be there by now.
    const files = readdirSync(join(folder, 'entity-graph-sample')).filter((name) => name !== '.entity-graph');
    assert.deepEqual(files.sort(), [
      'README.md',
      'data',
      'entity-sources.yaml',
      'incidents.entity.test.yaml',
      'incidents.entity.yaml',
      'trail.entity.test.yaml',
      'trail.entity.yaml',
    ]);
  });

  it('the status bar shows whether the active graph is imported, and imports it', async () => {
    await workbench.openFile('trail.entity.yaml');
    const item = workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph:' });
    await item.getByText('Entity Graph: Not Imported').waitFor();
    await item.click();
    await expectEventually(async () =>
      assert.match((await workbench.notifications()).join(), /Import Done: 5,998 events/),
    );
    await item.getByText('Entity Graph: Imported', { exact: true }).waitFor();
  });
});
