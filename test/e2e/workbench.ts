import { expectEventually } from './expect-eventually.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';

/** The VS Code workbench in a browser page, driven by keyboard and mouse; reads visible content only. */
export interface Workbench {
  readonly page: Page;
  /** Runs a command through the palette by its full title, such as `Entity Graph: Import`. */
  runCommand(title: string): Promise<void>;
  /** Opens a file of the folder by Quick Open. */
  openFile(name: string): Promise<void>;
  /**
   * Types into the input that asks with these words, and accepts. A page that gets its focus back late may have taken
   * that of the input, so keys are sent to the input.
   */
  answer(prompt: string, text: string): Promise<void>;
  /** Moves the cursor of the active editor to a line (1-based) and column. */
  goTo(line: number, column?: number): Promise<void>;
  /** Changes the theme, and waits until VS Code has applied it. */
  useTheme(name: string): Promise<void>;
  /** Returns the focus to the active editor. */
  focusEditor(): Promise<void>;
  /** The rows of the Problems view: one per file, then one per problem; empty without problems. */
  problems(): Promise<readonly string[]>;
  /** The visible text of the active editor. */
  visibleText(): Promise<string>;
  /** The document inside a webview; of several, the one opened last. */
  webview(): FrameLocator;
  /** Presses *Allow* when an opened graph asks to send its credentials; resolves when the message is gone. */
  allowUses(): Promise<void>;
  /** Texts of the visible notifications. */
  notifications(): Promise<readonly string[]>;
}

/** Opens a folder in a new page and waits until the workbench is there. */
export async function openWorkbench(
  browser: Browser | BrowserContext,
  authority: string,
  folder: string,
): Promise<Workbench> {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  // VS Code loads thousands of files, which is slow on a busy machine.
  page.setDefaultNavigationTimeout(120_000);
  await page.goto(`http://${authority}/?${new URLSearchParams({ folder })}`);
  return workbenchIn(page);
}

/** A window without a folder, in a new page. */
export async function openWithoutFolder(browser: Browser | BrowserContext, authority: string): Promise<Workbench> {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 1366, height: 768 });
  page.setDefaultNavigationTimeout(120_000);
  await page.goto(`http://${authority}/?ew=true`);
  return workbenchIn(page, { hasFolder: false });
}

/** The workbench of the next new window. */
export async function workbenchIn(page: Page, { hasFolder = true } = {}): Promise<Workbench> {
  page.setDefaultTimeout(60_000);
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
  if (hasFolder) await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
  const input = page.locator('.quick-input-widget .quick-input-box input');
  const openPalette = async (): Promise<void> => {
    // A webview with focus keeps keys from the workbench, but clicks on the status bar, where it has no items, always work.
    const width = page.viewportSize()?.width ?? 1440;
    await page.locator('.statusbar').click({ position: { x: Math.round(width * 0.45), y: 10 } });
    await expectEventually(async () => {
      await page.keyboard.press('F1');
      await input.waitFor({ timeout: 2_000 });
    });
  };

  /** A mouse that rests where a row of the palette was may open the hover of an editor's tab, which covers pages. */
  const parkMouse = () => page.mouse.move(720, 890);

  const workbench: Workbench = {
    page,
    async runCommand(title) {
      await openPalette();
      const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
      // Commands of an extension that registers later do not appear, and an editor that opens late takes the focus.
      await expectEventually(async () => {
        if (!(await input.isVisible())) await openPalette();
        await input.fill('>', { timeout: 3_000 });
        await input.fill(`>${title}`, { timeout: 3_000 });
        await row.waitFor({ timeout: 3_000 });
      });
      await row.click();
      await parkMouse();
    },
    async openFile(name) {
      await openPalette();
      const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
      // An editor that opens late takes the focus and closes the list.
      await expectEventually(async () => {
        if (!(await input.isVisible())) await openPalette();
        await input.fill(name, { timeout: 3_000 });
        await row.click({ timeout: 3_000 });
      });
      await parkMouse();
      await page.locator('.tab.active').filter({ hasText: name }).waitFor();
      await page.locator('.editor-instance .monaco-editor .view-lines').first().waitFor();
    },
    async answer(prompt, text) {
      await page.locator('.quick-input-widget').getByText(prompt).first().waitFor();
      await input.fill(text);
      await input.press('Enter');
    },
    async goTo(line, column = 1) {
      await openPalette();
      const row = page.locator('.quick-input-list .monaco-list-row', { hasText: new RegExp(`\\b${line}\\b`) }).first();
      await expectEventually(async () => {
        if (!(await input.isVisible())) await openPalette();
        await input.fill(`:${line}:${column}`, { timeout: 3_000 });
        await row.waitFor({ timeout: 3_000 });
      });
      await page.keyboard.press('Enter');
      await input.waitFor({ state: 'hidden' });
      // Further typing goes to the editor.
      await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    },
    async useTheme(name) {
      await workbench.runCommand('Preferences: Color Theme');
      const row = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
      // Only the theme list has such a row; it may open after the palette has closed.
      await expectEventually(async () => {
        await input.fill(name, { timeout: 3_000 });
        await row.waitFor({ timeout: 3_000 });
      });
      await page.keyboard.press('Enter');
      await input.waitFor({ state: 'hidden' });
      await page.locator(`.monaco-workbench.${themeKind(name)}`).waitFor();
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    },
    focusEditor: () => workbench.runCommand('View: Focus Active Editor Group'),
    async problems() {
      const panel = page.locator('.markers-panel');
      if (!(await panel.isVisible())) await workbench.runCommand('Problems: Focus on Problems View');
      await panel.waitFor();
      return panel.locator('.monaco-list-row').allInnerTexts();
    },
    async visibleText() {
      const lines = await page.locator('.editor-group-container.active .view-lines .view-line').allInnerTexts();
      return lines.join('\n').replaceAll('\u00a0', ' ');
    },
    webview: () =>
      page.locator('iframe.webview.ready').last().contentFrame().locator('iframe#active-frame').contentFrame(),
    async allowUses() {
      const offer = page.locator('.notification-list-item', { hasText: 'wants to send this to' });
      const isToast = await offer
        .first()
        .waitFor({ timeout: 20_000 })
        .then(
          () => true,
          () => false,
        );
      // A toast that came long ago is in the list of notifications.
      if (!isToast) await workbench.runCommand('Notifications: Show Notifications');
      // Uses that are found one after the other are asked for in several, also while one is answered.
      const asked = async (): Promise<string> => (await offer.allInnerTexts()).join('\n');
      for (let before = await asked(); before !== ''; before = await asked()) {
        await offer.first().getByRole('button', { name: 'Allow', exact: true }).click();
        await waitUntil('the offer is gone', async () => ((await asked()) === before ? undefined : true));
      }
      if (!isToast) await workbench.runCommand('Notifications: Hide Notifications');
    },
    async notifications() {
      return page.locator('.notification-list-item-message').allInnerTexts();
    },
  };
  return workbench;
}

/** The class of a workbench in a built-in theme. */
function themeKind(name: string): string {
  const isLight = name.startsWith('Light');
  if (name.includes('High Contrast')) return isLight ? 'hc-light' : 'hc-black';
  return isLight ? 'vs' : 'vs-dark';
}
