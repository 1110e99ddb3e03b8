import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import { keepScreenshot, launchChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost, shop } from './canvas-host.ts';
import { assertSeen, whyUnseen } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, wide]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [number]
  - activityName: Win Customer
    dataObject: customers
    startTimestamp: since
  - activityName: Fill Form
    dataObject: wide
    startTimestamp: at
relationships:
  - { source: Place Order, target: Win Customer, mappings: [{ source: customer_id, target: id }] }
  - { source: Fill Form, target: Win Customer, mappings: [] }
`;

const related = 'relationship:Place Order → Win Customer';
const longType = 'a type with a description that is much longer than any name of a column in this table';

/** The shop, with long types. */
const described: Catalog = {
  ...shop,
  objects: shop.objects.map((object) => ({
    ...object,
    columns: object.columns.map((column) => ({ ...column, type: longType })),
  })),
};

/** The page of a canvas in a window of 1366×768 with the side bar open, and beside the text. */
const pages = [
  { name: 'wide', width: 1018, height: 690 },
  { name: 'half', width: 640, height: 760 },
] as const;

for (const { name: size, ...page } of pages) {
  describe(`choices in dialogs (${size})`, () => {
    let browser: Browser;
    let server: WebviewServer;
    let host: CanvasHost;

    before(async () => {
      [browser, server] = await Promise.all([launchChromium(), startWebviewServer()]);
    });
    after(() => Promise.all([browser.close(), server.close()]));
    afterEach(async () => {
      assert.deepEqual(host.webview.errors, []);
      await host.webview.page.close();
    });

    const configure = async (key: string, options: { catalog?: Catalog; text?: string } = {}): Promise<Locator> => {
      host = await openCanvasHost(server, browser, { text, ...page, ...options });
      await host.webview.page.locator(`[data-key="${key}"]`).focus();
      await host.webview.page.keyboard.press('Enter');
      const dialog = host.webview.page.getByRole('dialog');
      await dialog.waitFor();
      return dialog;
    };
    const picture = (name: string): Promise<void> => keepScreenshot(host.webview.page, `choices-${name}-${size}`);
    const isWhole = (locator: Locator): Promise<boolean> =>
      locator.first().evaluate((element) => element.scrollWidth <= element.clientWidth);

    it('long details never push names away', async () => {
      const element = await configure('element:Place Order', { catalog: described });
      const name = element.locator('.property vscode-checkbox').filter({ hasText: 'customer_id' });
      await assertSeen(name, 'the name of a property');
      assert.ok(await isWhole(name), 'the name of a property is cut');
      await element.locator('#key input').click();
      const choice = host.webview.page
        .locator('.choices li', { hasText: 'customer_id' })
        .locator(':scope > :first-child');
      await assertSeen(choice, 'the name of a choice');
      assert.ok(await isWhole(choice), 'the name of a choice is cut');
      await picture('details');
      await host.webview.page.close();
      const relationship = await configure(related, { catalog: described });
      const mapped = relationship.locator('[data-property="customer_id"] .clip').first();
      await assertSeen(mapped, 'the name of a mapped property');
      assert.ok(await isWhole(mapped), 'the name of a mapped property is cut');
      await picture('details-relationship');
    });

    it('the properties selected before are listed first, and nothing moves while others are selected', async () => {
      const dialog = await configure('element:Place Order');
      const names = () => dialog.locator('.property vscode-checkbox').allInnerTexts();
      const before = await names();
      assert.equal(before[0]?.trim(), 'number');
      await assertSeen(dialog.getByRole('checkbox', { name: 'number', exact: true }), 'the selected property');
      await dialog.getByRole('checkbox', { name: 'customer_id', exact: true }).click();
      await dialog.getByRole('checkbox', { name: 'number', exact: true }).click();
      await dialog.getByText(/^1 of \d+ selected$/).waitFor();
      assert.deepEqual(await names(), before);
      await picture('selected-first');
    });

    it('a filter shows its first matches, and the choices say what they do', async () => {
      const dialog = await configure('element:Fill Form');
      const list = dialog.locator('.properties eg-virtual-list');
      await assertSeen(dialog.getByRole('checkbox', { name: 'Select all columns' }), 'Select all columns');
      await assertSeen(dialog.getByRole('checkbox', { name: 'Also future columns' }), 'Also future columns');
      await dialog.locator('.property').first().waitFor();
      await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }));
      await assertSeen(dialog.locator('.property', { hasText: 'column_498' }), 'the last column');
      await dialog.locator('#property-filter').locator('input').fill('column_1');
      await assertSeen(dialog.getByRole('checkbox', { name: 'column_1', exact: true }), 'the first match');
      await assertSeen(dialog.getByRole('checkbox', { name: 'Select the 111 found' }), 'what is selected');
      await picture('filter');
    });

    it('the suggestion that was taken goes, and mapped properties are marked on both sides', async () => {
      const dialog = await configure(related, { text: text.replace('{ source: customer_id, target: id }', '') });
      await assertSeen(dialog.getByText('Nothing joins them yet.'), 'that nothing joins them');
      const suggestion = dialog.getByRole('button', { name: /customer_id = id/ });
      await assertSeen(suggestion, 'the suggestion');
      await suggestion.click();
      await suggestion.waitFor({ state: 'detached' });
      for (const [side, name] of [
        ['source', 'customer_id'],
        ['target', 'id'],
      ] as const) {
        const property = dialog.getByRole('list', { name: new RegExp(`^${side} properties`, 'i') });
        await assertSeen(property.locator(`[data-property="${name}"] .mapped`), `the mark of the ${side}`);
      }
      assert.equal(await dialog.locator('.side .mapped').count(), 2);
      await picture('taken');
    });

    it('a new cross table is neutral until it is left', async () => {
      const dialog = await configure(related);
      await dialog.locator('#add-cross-table').click();
      await dialog.getByRole('combobox', { name: 'Data object of the cross table' }).focus();
      await waitUntil('it was checked', async () =>
        (await host.webview.requests()).some(
          ({ method, params }) => method === 'checkIntent' && JSON.stringify(params).includes('crossTable'),
        )
          ? true
          : undefined,
      );
      assert.equal(await dialog.locator('#confirm').isDisabled(), true);
      assert.equal(await dialog.locator('.field-problem, .problems li, .wrong').count(), 0);
      await picture('cross-table');
      await dialog.locator('#relationship-name input').focus();
      await assertSeen(
        dialog.locator('.cross-table .field-problem, .cross-table .problems li').first(),
        'what it lacks',
      );
    });

    it('the side panels have the room that the middle does not use', async () => {
      const dialog = await configure('relationship:Fill Form → Win Customer', {
        text: text.replace(
          'mappings: []',
          'mappings: [{ source: id, target: id }, { source: column_1, target: name }]',
        ),
      });
      for (const name of ['column_2', 'column_3', 'column_4']) {
        await dialog.getByRole('combobox', { name: 'Add Property to source' }).fill(name);
        await host.webview.page.keyboard.press('Tab');
      }
      const list = dialog.locator('.side > ul').first();
      await list.locator('[data-property="column_4"]').waitFor();
      await picture('sides');
      assert.ok(
        await list.evaluate((element) => element.scrollHeight <= element.clientHeight),
        'five properties of a side do not need scrolling',
      );
      await assertSeen(list.locator('[data-property="column_4"]'), 'the last property');
    });

    it('Correlate events of says what it does to this graph', async () => {
      const dialog = await configure(related);
      const label = dialog.locator('.correlation-choice .field-label');
      await assertSeen(label, 'the label');
      await assertSeen(
        dialog.getByText('Events of Place Order also belong to its customers, and those of Win Customer to its orders'),
        'what it does',
      );
      const left = async (locator: Locator): Promise<number> => Math.round((await locator.boundingBox())?.x ?? -1);
      assert.equal(await left(label), await left(dialog.locator('.correlation-choice vscode-dropdown')));
      assert.equal(await left(label), await left(dialog.locator('#correlation-text')));
      assert.equal(await whyUnseen(dialog.locator('#confirm')), '');
      await picture('correlation');
    });
  });
}
