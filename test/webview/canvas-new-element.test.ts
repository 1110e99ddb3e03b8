import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { Catalog, Column, DataObject } from '../../server/src/catalog/catalog.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost, shop } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [loans, countries]
elements: []
`;

const column = (name: string, samples: readonly string[], sense: Column['sense'] = 'text'): Column => ({
  ...{ name, type: sense, sense, nullable: name !== 'id', primaryKey: name === 'id', samples },
});
const [anyObject] = shop.objects;
const table = (name: string, columns: readonly Column[]): DataObject => ({
  ...(anyObject as DataObject),
  ...{ name, path: [name], columns, primaryKey: ['id'], foreignKeys: [] },
});
const catalog: Catalog = {
  ...shop,
  dialect: 'duckdb',
  objects: [
    table('loans', [
      column('id', ['1', '2'], 'integer'),
      column('created', ['03.03.2025 09:00', '17.03.2025 10:30']),
      column('team', ['Nord', 'Süd']),
    ]),
    table('countries', [column('id', ['1', '2'], 'integer'), column('code', ['AT', 'DE'])]),
  ],
};

for (const [width, height] of [
  [1366, 768],
  [640, 760],
] as const) {
  describe(`a data object dropped on the canvas (${width})`, () => {
    let browser: BrowserContext;
    let server: WebviewServer;
    let host: CanvasHost;

    before(async () => {
      [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
    });
    after(() => server.close());
    afterEach(async () => {
      assert.deepEqual(host.webview.errors, []);
      await host.webview.page.close();
    });

    const page = () => host.webview.page;
    const dialog = () => page().getByRole('dialog');
    /** Adds an element of a data object by keyboard, and opens its dialog. */
    const configureNew = async (object: string): Promise<void> => {
      host = await openCanvasHost(server, browser, { text, catalog, width, height });
      const entry = page().locator(`[data-object="${object}"] .palette-object`);
      await entry.waitFor();
      await entry.press('Enter');
      await page().locator('[data-key="element:#0"]').press('Enter');
      await dialog().waitFor();
    };
    const confirm = () => dialog().getByRole('button', { name: 'Confirm' });
    const becomes = (expected: string): Promise<unknown> =>
      waitUntil('the text has changed', async () => (host.text() === expected ? true : undefined)).catch(() =>
        assert.equal(host.text(), expected),
      );
    const withElement = (object: string): string => text.replace(' []', `\n  - dataObject: ${object}`);

    it('has the fields that its columns suggest, which are confirmed, changed or cleared', async () => {
      await configureNew('loans');
      const notice = dialog().getByText('Filled in from the columns:');
      await assertSeen(notice, 'what was filled in');
      assert.match(await notice.innerText(), /Activity Name, Start Timestamp as SQL, Properties\./);
      for (const theme of ['dark', 'light', 'high-contrast'] as const) {
        await useTheme(page(), theme);
        await keepScreenshot(page(), `new-element-filled-${width}-${theme}`);
      }
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      await waitUntil('it can be confirmed', async () => ((await confirm().isEnabled()) ? true : undefined));
      const activity = dialog().getByRole('textbox', { name: 'Activity Name' });
      const suggested = await activity.inputValue();
      await activity.fill('Lend');
      await waitUntil('it is not filled in any more', async () =>
        (await notice.innerText()).includes('Activity Name') ? undefined : true,
      );
      await dialog().getByRole('button', { name: 'Clear' }).click();
      assert.equal(await activity.inputValue(), 'Lend');
      assert.equal(await page().evaluate(() => document.activeElement === document.body), false);
      assert.match(await dialog().locator('#why').innerText(), /Start Timestamp/);
      await activity.fill('');
      await page().keyboard.press('Escape');
      await page().locator('[data-key="element:#0"]').press('Enter');
      await waitUntil('it is filled in again', async () =>
        (await activity.inputValue()) === suggested ? true : undefined,
      );
      await dialog().getByRole('button', { name: 'Clear' }).click();
      assert.equal(await page().evaluate(() => document.activeElement?.id), 'activity-name');
      await notice.waitFor({ state: 'detached' });
      assert.match(await dialog().locator('#why').innerText(), /^Give it an Activity Name/);
      await page().keyboard.press('Escape');
      assert.equal(host.text(), withElement('loans'));
      await page().locator('[data-key="element:#0"]').press('Enter');
      await waitUntil('it can be confirmed', async () => ((await confirm().isEnabled()) ? true : undefined));
      await confirm().click();
      await dialog().waitFor({ state: 'detached' });
      assert.match(host.text(), /activityName: \w+ Loan\n(.*\n)*.*strptime.*'%d\.%m\.%Y %H:%M'/);
      await host.undo();
      assert.equal(host.text(), withElement('loans'));
    });

    it('becomes master data where no column has times, by one button and one undo', async () => {
      await configureNew('countries');
      await assertSeen(dialog().getByText('No column of countries has times'), 'the reason');
      const button = dialog().getByRole('button', { name: 'Add as Master Data' });
      await assertSeen(button, 'Add as Master Data');
      await keepScreenshot(page(), `new-element-no-times-${width}`);
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      await button.click();
      await dialog().getByRole('heading', { name: 'Configure Master Data' }).waitFor();
      await becomes(text.replace('[]', '[]\nentities:\n  - dataObject: countries'));
      await waitUntil('it can be confirmed', async () => ((await confirm().isEnabled()) ? true : undefined));
      await keepScreenshot(page(), `new-element-as-master-data-${width}`);
      await page().keyboard.press('Escape');
      await host.undo();
      assert.equal(host.text(), withElement('countries'));
    });

    it('shows example values beside columns', async () => {
      await configureNew('loans');
      await dialog().getByRole('combobox', { name: 'Key' }).click();
      await assertSeen(dialog().getByRole('option', { name: 'team text · Nord, Süd' }), 'a choice with its examples');
      await page().keyboard.press('Escape');
      const property = dialog().locator('.property', { hasText: 'Nord, Süd' });
      await property.scrollIntoViewIfNeeded();
      await assertSeen(property, 'a property with its examples');
      await page().keyboard.press('Escape');
    });
  });
}
