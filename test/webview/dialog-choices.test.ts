import assert from 'node:assert/strict';
import type { BrowserContext, Locator } from 'playwright-core';
import type { CanvasParams } from '../../protocol/requests/canvas-requests.ts';
import type { Catalog, Column, DataObject } from '../../server/src/catalog/catalog.ts';
import { columnsOf } from '../../server/src/language/column-scope.ts';
import { toGraphView } from '../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost, shop } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { assertSeen, unseenReason } from './visible.ts';
import { type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

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

const [anyColumn] = shop.objects[0]?.columns ?? [];
/** A table that relates orders and customers. */
const crossed = {
  ...(shop.objects[0] as DataObject),
  ...{ name: 'links', path: ['links'], primaryKey: [] },
  columns: ['order_id', 'customer_id'].map((name) => ({ ...(anyColumn as Column), name, primaryKey: false })),
};
const viewOf = (now: string) => toGraphView(parseEntityGraph(now), { uri: 'file:///shop.entity.yaml', version: 1 });

/** The page of a canvas in a window of 1366×768 with the side bar open, and beside the text. */
const pages = [
  { name: 'wide', width: 1018, height: 690 },
  { name: 'half', width: 640, height: 760 },
] as const;

for (const { name: size, ...page } of pages) {
  describe(`choices in dialogs (${size})`, () => {
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

    const configure = async (
      key: string,
      options: { catalog?: Catalog; text?: string; answers?: CanvasHost['answers'] } = {},
    ): Promise<Locator> => {
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

    it('long details leave room for names', async () => {
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

    it('properties that were selected before are listed first, and the order stays while others are selected', async () => {
      const dialog = await configure('element:Place Order');
      const names = () => dialog.locator('.property vscode-checkbox').allInnerTexts();
      // The list draws its first property alone, to measure it.
      await dialog.getByRole('checkbox', { name: 'shipped_at', exact: true }).waitFor();
      const before = await names();
      assert.equal(before[0]?.trim(), 'number');
      await assertSeen(dialog.getByRole('checkbox', { name: 'number', exact: true }), 'the selected property');
      await dialog.getByRole('checkbox', { name: 'customer_id', exact: true }).click();
      await dialog.getByRole('checkbox', { name: 'number', exact: true }).click();
      await dialog.getByText(/^1 of \d+ selected$/).waitFor();
      assert.deepEqual(await names(), before);
      await picture('selected-first');
    });

    it('a filter shows its first matches, and choices have descriptions', async () => {
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

    it('an accepted suggestion disappears, and mapped properties are marked on both sides', async () => {
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

    it('a new cross table shows no error until it loses the focus', async () => {
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

    it('a new cross table can be in another data source, which is read when chosen', async () => {
      const files: Catalog = { ...shop, dataSource: 'files', objects: [crossed] };
      let state: 'unread' | 'failed' | 'read' = 'unread';
      const reading: { end?: () => void } = {};
      const dialog = await configure(related, {
        answers: {
          async otherSources({ read }: { readonly read?: string }) {
            if (read === 'files') {
              await new Promise<void>((resolve) => (reading.end = resolve));
              state = state === 'unread' ? 'failed' : 'read';
            }
            const error = { code: 'file-missing', message: 'The folder links is missing.', remedy: 'Create it.' };
            const known = { ok: true, value: { objects: [{ name: 'links', kind: 'file', columnCount: 2, key: [] }] } };
            const catalog = state === 'failed' ? { ok: false, error } : state === 'read' ? known : undefined;
            return { ok: true, value: [{ dataSource: 'files', kind: 'CSV Files', isNamed: false, catalog }] };
          },
          columns: ({ values: { dataObject, dataSource } }: CanvasParams<'columns'>) => ({
            ok: true,
            value: columnsOf(dataObject, undefined, dataSource === 'files' ? files : shop).map(
              ({ name, column: { type, sense } }) => ({ name, type, sense, nullable: true, key: false }),
            ),
          }),
        },
      });
      const { page: window } = host.webview;
      await dialog.locator('#add-cross-table').click();
      const source = dialog.getByRole('combobox', { name: 'Data source of the cross table' });
      await assertSeen(source, 'the data source of the cross table');
      assert.equal(await source.inputValue(), 'shop');
      await source.click();
      const choices = window.locator('#cross-data-source .choices li');
      assert.deepEqual(await choices.allInnerTexts(), ['shop\nof the graph', 'files\nCSV Files']);
      await picture('cross-table-sources');
      // By keyboard, as a person types.
      await window.keyboard.press('ArrowDown');
      await window.keyboard.press('ArrowDown');
      await window.keyboard.press('Enter');
      const notice = dialog.locator('.cross-table .reading');
      await notice.getByText('Reading the data objects of files…').waitFor();
      await assertSeen(notice.getByRole('button', { name: 'Cancel' }), 'Cancel');
      await picture('cross-table-reading');
      await useTheme(window, 'light');
      await picture('cross-table-reading-light');
      await useTheme(window, 'dark');
      (await waitUntil('it is being read', async () => reading.end))();
      delete reading.end;
      await assertSeen(notice.getByText('The folder links is missing. Create it.'), 'why it is not known');
      await notice.getByRole('button', { name: 'Try Again' }).click();
      (await waitUntil('it is being read again', async () => reading.end))();
      await notice.waitFor({ state: 'detached' });
      const object = dialog.getByRole('combobox', { name: 'Data object of the cross table' });
      await object.click();
      await assertSeen(window.locator('#cross-data-object .choices li', { hasText: 'links' }), 'its data object');
      await object.fill('links');
      await window.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Add source mapping' }).click();
      await dialog.getByRole('combobox', { name: 'Column of source mapping 1', exact: true }).fill('id');
      const cross = dialog.getByRole('combobox', { name: 'Cross column of source mapping 1' });
      await cross.click();
      const columns = window.locator('.choices:popover-open li > :first-child');
      assert.deepEqual(await columns.allInnerTexts(), ['order_id', 'customer_id']);
      await picture('cross-table-other-source');
      await cross.fill('order_id');
      await dialog.getByRole('button', { name: 'Add target mapping' }).click();
      await dialog.getByRole('combobox', { name: 'Column of target mapping 1', exact: true }).fill('id');
      await dialog.getByRole('combobox', { name: 'Cross column of target mapping 1' }).fill('customer_id');
      await dialog.locator('#relationship-name input').focus();
      await waitUntil('it can be confirmed', async () => (await dialog.locator('#confirm').isEnabled()) || undefined);
      assert.deepEqual(await findAccessibilityProblems(window), []);
      await dialog.locator('#confirm').click();
      await dialog.waitFor({ state: 'detached' });
      const crossTable = {
        dataSource: 'files',
        dataObject: 'links',
        sourceMappings: [{ column: 'id', cross: 'order_id' }],
        targetMappings: [{ column: 'id', cross: 'customer_id' }],
      };
      const crossTableOf = () => viewOf(host.text()).relationships[0]?.values.crossTable;
      assert.deepEqual(crossTableOf(), crossTable);

      // And back to the data source of the graph, which has no such table.
      await window.locator(`[data-key="${related}"]`).focus();
      await window.keyboard.press('Enter');
      await source.waitFor();
      assert.equal(await source.inputValue(), 'files');
      await source.fill('shop');
      await window.keyboard.press('Enter');
      await waitUntil('the data object is not kept', async () => (await object.inputValue()) === '' || undefined);
      await dialog.getByText('Choose the data object of the cross table.').first().waitFor();
      await object.fill('order_lines');
      await dialog.getByRole('combobox', { name: 'Cross column of target mapping 1' }).fill('product_id');
      await dialog.locator('#relationship-name input').focus();
      await dialog.locator('#confirm').click();
      await dialog.waitFor({ state: 'detached' });
      const { dataSource: _, ...rest } = crossTable;
      assert.deepEqual(crossTableOf(), {
        ...{ ...rest, dataObject: 'order_lines' },
        targetMappings: [{ column: 'id', cross: 'product_id' }],
      });
    });

    it('a graph of one data source has no choice of a data source for a cross table', async () => {
      const dialog = await configure(related);
      await dialog.locator('#add-cross-table').click();
      await dialog.locator('#cross-data-object').waitFor();
      assert.equal(await dialog.locator('#cross-data-source').count(), 0);
    });

    it('the side panels use the room that the middle leaves', async () => {
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

    it('Correlate events of describes its effect on this graph', async () => {
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
      assert.equal(await unseenReason(dialog.locator('#confirm')), '');
      await picture('correlation');
    });
  });
}
