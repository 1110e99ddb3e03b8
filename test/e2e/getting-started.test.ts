import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { keepScreenshot } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWithoutFolder, openWorkbench, workbenchIn } from './workbench.ts';

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
      'New Entity Graph',
      'Import Entity Graph',
      'Add Data Source',
    ]);
    await workbench.runCommand('Entity Graph: Open Entities Table');
    await workbench.webview().getByRole('heading', { name: 'No entity graph yet' }).waitFor();
  });

  it('a window without a folder offers to open one', async () => {
    const bare = await openWithoutFolder(installed.browser, installed.server.authority);
    for (const command of ['New Entity Graph', 'Add Data Source']) {
      await bare.runCommand(`Entity Graph: ${command}`);
      const message = bare.page.locator('.notifications-toasts .notification-list-item', {
        hasText: 'Open a folder first',
      });
      await message.getByRole('button', { name: 'Open Folder…' }).waitFor();
      await keepScreenshot(bare.page, 'start-without-folder');
      await bare.runCommand('Notifications: Clear All Notifications');
      await message.waitFor({ state: 'detached' });
    }
    await bare.page.goto('about:blank');
    await bare.page.close();
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

  it('two clicks lead from a file to its process map, and one undo takes back both files', async () => {
    const { page } = workbench;
    const sample = join(folder, 'entity-graph-sample');
    const sources = readFileSync(join(sample, 'entity-sources.yaml'), 'utf8');
    const steps = Array.from({ length: 60 }, (_, row) => {
      const day = String((row % 27) + 1).padStart(2, '0');
      const team = ['Nord', 'Sued'][Math.floor(row / 2) % 2] ?? '';
      return `L${Math.floor(row / 3)};${['Antrag', 'Pruefung', 'Zusage'][row % 3] ?? ''};${day}.03.2025 0${8 + (row % 2)}:00;${team}`;
    });
    writeFileSync(join(sample, 'loans.csv'), ['Vorgang;Schritt;Zeitpunkt;Team', ...steps].join('\n'));
    await showFile('loans.csv');
    const actions = await countActions(page);
    const lost = await mapOfFile('loans.csv');
    await page.locator('.tab.active', { hasText: 'Event Graph of loans' }).waitFor();
    await mapHas('Pruefung');
    const done = await actions();
    assert.ok(done.length - lost <= 3, `from file to map: ${done.join(', ')}`);
    await keepScreenshot(page, 'start-map-of-file');
    await workbench.openFile('entity-sources.yaml');
    await workbench.focusEditor();
    await page.keyboard.press('Control+z');
    await expectEventually(async () => assert.equal(existsSync(join(sample, 'loans.entity.yaml')), false));
    await workbench.runCommand('File: Save');
    await expectEventually(async () =>
      assert.equal(readFileSync(join(sample, 'entity-sources.yaml'), 'utf8'), sources),
    );
  });

  it('a choice of the draft is changed beside the map, which follows, is taken back, closed and shown again', async () => {
    const { page } = workbench;
    const text = (): string => readFileSync(join(folder, 'entity-graph-sample/loans.entity.yaml'), 'utf8');
    await showFile('loans.csv');
    await mapOfFile('loans.csv');
    await mapHas('Pruefung');
    const strip = workbench.webview().getByRole('group', { name: 'Choices of the draft' });
    await strip.getByLabel('Activity').selectOption('Team');
    await mapHas('Nord');
    assert.match(text(), /activityColumn: Team/);
    for (const [width, height] of [
      [1366, 768],
      [683, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await keepScreenshot(page, `start-draft-choices-${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await strip.getByRole('button', { name: 'Undo' }).click();
    await mapHas('Pruefung');
    assert.match(text(), /activityColumn: Schritt/);
    await strip.getByRole('button', { name: 'Close' }).click();
    await strip.waitFor({ state: 'detached' });
    await workbench.runCommand('Entity Graph: Show Choices of the Draft');
    await strip.waitFor();
  });

  it('New Entity Graph takes five actions from the files of the folder to a map', async () => {
    const { page } = workbench;
    await workbench.runCommand('View: Close All Editors');
    const rows = Array.from({ length: 40 }, (_, row) => `${row % 10},Step ${row % 4},2025-03-${10 + (row % 18)} 09:00`);
    writeFileSync(join(folder, 'entity-graph-sample/claims.csv'), ['claim,step,at', ...rows].join('\n'));
    await showFile('claims.csv');
    await workbench.runCommand('Entity Graph: Focus on Entities View');
    const actions = await countActions(page);
    const header = page.locator('.pane-header', { hasText: 'Entities' });
    await header.hover();
    await header.getByRole('button', { name: 'New Entity Graph' }).click();
    const input = page.locator('.quick-input-widget input[type="text"]');
    const offered = page.locator('.quick-input-list .monaco-list-row', { hasText: 'claims.csv' });
    await offered.click();
    await expectEventually(async () => assert.equal(await input.inputValue(), 'claims'));
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'claims.entity.yaml' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Entity Graph: Not Imported' }).click();
    await page.locator('.statusbar-item', { hasText: 'Entity Graph: Imported' }).waitFor();
    await page.locator('.editor-actions').getByRole('button', { name: 'Open Event Graph' }).click();
    await page.locator('.tab.active', { hasText: 'Event Graph of claims' }).waitFor();
    const done = await actions();
    assert.ok(done.length <= 5, `from New Entity Graph to the map: ${done.join(', ')}`);
  });

  /** Instead of waiting for the watcher. */
  async function showFile(name: string): Promise<void> {
    const { page } = workbench;
    await workbench.runCommand('View: Show Explorer');
    await page.locator('.explorer-folders-view').hover();
    await page.getByRole('button', { name: 'Refresh Explorer' }).click();
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).waitFor();
  }

  /** By the menu of the file. Gives how many clicks the menu did not take: it takes none in the moment when it opens. */
  async function mapOfFile(name: string): Promise<number> {
    const { page } = workbench;
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).click({ button: 'right' });
    const item = page.locator('.monaco-menu .action-item', { hasText: 'Process Map from This File' });
    await item.waitFor();
    let lost = -1;
    await expectEventually(async () => {
      lost += 1;
      await item.click({ timeout: 3_000 });
      await item.waitFor({ state: 'detached', timeout: 3_000 });
    });
    return lost;
  }

  const mapHas = (activity: string): Promise<void> =>
    workbench.webview().locator('#drawing [data-node]', { hasText: activity }).first().waitFor();

  /** Counts what a person does from now on: pressed buttons of the mouse, and keys. */
  async function countActions(page: Page): Promise<() => Promise<readonly string[]>> {
    await page.evaluate(() => {
      const done: string[] = [];
      Object.assign(window, { doneActions: done });
      for (const type of ['pointerdown', 'keydown'] as const)
        window.addEventListener(
          type,
          (event) =>
            void done.push(
              event instanceof KeyboardEvent
                ? event.key
                : `click on ${String((event.target as Element).textContent).slice(0, 40)}`,
            ),
          true,
        );
    });
    return () => page.evaluate(() => (window as unknown as { doneActions: readonly string[] }).doneActions);
  }
});
