import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, products] # what we sell
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed_at
    correlatesWith:
      - { entityType: customer, key: customer_id, qualifier: buyer } # who bought it
entities:
  - entityType: customer # the buyers
    dataObject: customers
    key: id
    properties: [name, city]
relationships:
  - { name: bought by, source: Place Order, target: customer, mappings: [{ source: customer_id, target: id }] }
`;

describe('canvas with master data and row correlations', () => {
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

  const open = async (options: Partial<CanvasHostOptions> = {}): Promise<void> => {
    host = await openCanvasHost(server, browser, { text, width: 1366, height: 768, ...options });
  };
  const page = () => host.webview.page;
  const dialog = () => page().getByRole('dialog');
  const card = (id: string) => page().locator(`[data-key="element:${id}"]`);
  /** The whole text, once it has changed. */
  const textIs = async (expected: string): Promise<void> => {
    await waitUntil('the text has changed', async () => (host.text() === text ? undefined : true));
    assert.equal(host.text(), expected);
  };
  const textHas = (expected: RegExp) =>
    waitUntil(`the text has ${String(expected)}`, async () => (expected.test(host.text()) ? true : undefined)).catch(
      () => assert.fail(`${String(expected)} is not in\n${host.text()}`),
    );
  const confirm = async (): Promise<void> => {
    const button = dialog().getByRole('button', { name: 'Confirm' });
    await waitUntil('it can be confirmed', async () => ((await button.isEnabled()) ? true : undefined));
    await button.click();
    await dialog().waitFor({ state: 'detached' });
  };

  for (const theme of ['dark', 'light'] as const) {
    it(`draws master data as a card without times, at which a relationship ends (${theme})`, async () => {
      await open({ theme });
      await card('customer').waitFor();
      const words = (await card('customer').innerText()).replaceAll(/\s+/g, ' ').trim();
      assert.equal(words, 'Master Data customer Data Object customers Key id Properties name, city');
      await page()
        .locator('[data-key="relationship:bought by"]', { hasText: 'from Place Order to customer' })
        .waitFor();
      assert.equal(await page().locator('.missing').count(), 0);
      const toolbar = await page().locator('.toolbar').innerText();
      assert.match(toolbar, /1 element · 1 master data · 1 relationship/);
      const box = await card('customer').boundingBox();
      assert.ok(box && box.x >= 200 && box.x + box.width <= 1366 && box.y >= 36 && box.y + box.height <= 768);
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      await keepScreenshot(page(), `master-data-${theme}`);
    });
  }

  it('adds master data by keyboard from the palette, relates it by a suggested join, and undoes both', async () => {
    await open();
    await card('customer').waitFor();
    await page().getByRole('button', { name: 'Add customers as master data' }).focus();
    await page().keyboard.press('Enter');
    await card('customers').waitFor();
    await textHas(/ {2}- dataObject: customers\nrelationships:/);
    await waitUntil('it has the focus', async () =>
      (await card('customers').evaluate((element) => element === document.activeElement)) ? true : undefined,
    );
    await page().keyboard.press('r');
    await card('Place Order').focus();
    await page().keyboard.press('Enter');
    await card('customers').focus();
    await page().keyboard.press('Enter');
    await dialog().getByText('customer_id = id').click();
    await confirm();
    await textHas(/target: customers\n {4}mappings:\n {6}- (\{ )?source: customer_id/);
    for (let step = 0; step < 3; step += 1) await host.undo();
    assert.equal(host.text(), text);
    await card('customers').waitFor({ state: 'detached' });
  });

  it('a query that lacks a secret has a button for it, and runs again once it is set', async () => {
    await open();
    const missing = { code: 'secret-missing', message: 'The secret shop is not set.' } as const;
    const found = { columns: [{ name: 'id', type: 'integer', nulls: 0 }], rows: [[42]], durationMs: 1, warnings: [] };
    let isSet = false;
    const entered: boolean[] = [false, true];
    host.answers = {
      testQuery: () => (isSet ? { ok: true, value: { ...found, truncated: false } } : { ok: false, error: missing }),
      setSecret: () => ({ ok: true, value: (isSet = entered.shift() ?? false) }),
    };
    await card('customer').dblclick();
    await dialog().locator('#test-query').click();
    const setSecret = dialog().getByRole('button', { name: 'Set Secret…' });
    await assertSeen(setSecret, 'Set Secret…');
    // Dismissed: the failure stays.
    await setSecret.click();
    await waitUntil('the question is asked', async () => (entered.length === 1 ? true : undefined));
    await setSecret.click();
    await dialog().getByRole('cell', { name: '42' }).waitFor();
    assert.equal(await setSecret.count(), 0);
    await page().keyboard.press('Escape');
  });

  for (const [width, height] of [
    [1366, 768],
    [640, 760],
  ] as const) {
    it(`edits master data in a dialog of ${width} pixels, and relationships follow a new name`, async () => {
      await open({ width, height });
      await card('customer').focus();
      await page().keyboard.press('Enter');
      await dialog().getByRole('heading', { name: 'Configure Master Data' }).waitFor();
      assert.equal(await dialog().getByRole('combobox', { name: 'Start Timestamp' }).count(), 0);
      const name = dialog().locator('#name input');
      assert.equal(await name.getAttribute('placeholder'), 'customer');
      await dialog().getByRole('checkbox', { name: 'since' }).click();
      await name.fill('Buyers');
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      await keepScreenshot(page(), `master-data-dialog-${width}`);
      await confirm();
      await textIs(
        text
          .replace('- entityType: customer # the', '- name: Buyers\n    entityType: customer # the')
          .replace('[name, city]', '[name, city, since]')
          .replace('target: customer, map', 'target: Buyers, map'),
      );
      await card('Buyers').waitFor();
    });
  }

  it('offers the query of master data in its dialog and its menu', async () => {
    await open();
    const targets: unknown[] = [];
    host.answers = {
      testQuery: ({ target }: { target: unknown }) => {
        targets.push(target);
        return { ok: false, error: { code: 'cancelled', message: '' } };
      },
      openResults: ({ target }: { target: unknown }) => {
        targets.push(target);
        return { ok: true, value: null };
      },
    };
    await card('customer').focus();
    await page().keyboard.press('Control+Enter');
    await page().keyboard.press('Enter');
    await dialog().locator('#test-query').click();
    await waitUntil('both asked', async () => (targets.length === 2 ? true : undefined));
    const target = { kind: 'entities', name: 'customer' };
    assert.deepEqual(targets, [target, target]);
    await page().keyboard.press('Escape');
  });

  for (const [width, height] of [
    [1366, 768],
    [640, 760],
  ] as const) {
    it(`its dialog shows the time from which values hold, in ${width}×${height} and all themes`, async () => {
      await open({ width, height });
      await card('customer').dblclick();
      const field = dialog().getByRole('combobox', { name: 'Valid From' });
      await field.waitFor();
      await field.scrollIntoViewIfNeeded();
      await assertSeen(field, 'Valid From');
      // The text for an empty choice is not cut off.
      assert.deepEqual(await field.evaluate((input) => input.scrollWidth <= input.clientWidth), true);
      await field.click();
      const [first] = await dialog().getByRole('option').allInnerTexts();
      assert.match(first ?? '', /^since/);
      for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
        await useTheme(page(), theme);
        await keepScreenshot(page(), `valid-from-${width}x${height}-${theme}`);
      }
      await dialog()
        .getByRole('option', { name: /^since/ })
        .click();
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      await keepScreenshot(page(), `valid-from-${width}x${height}-chosen`);
      await confirm();
      await textHas(/key: id\n {4}validFrom: since\n/);
    });
  }

  it('adds master data where its button is dropped, from the menu of a data object, and by Shift+Enter', async () => {
    await open();
    await card('customer').waitFor();
    const stage = page().locator('#viewport');
    const middle = async (id: string): Promise<readonly number[]> => {
      const [box, area] = [await card(id).boundingBox(), await stage.boundingBox()];
      assert.ok(box && area);
      return [Math.round(box.x + box.width / 2 - area.x), Math.round(box.y - area.y)];
    };
    const before = await middle('customer');
    await page()
      .getByRole('button', { name: 'Add products as master data' })
      .dragTo(stage, { targetPosition: { x: 520, y: 430 } });
    await textHas(/ {2}- dataObject: products\nrelationships:/);
    await card('products').waitFor();
    const [x = 0, y = 0] = await middle('products');
    assert.ok(Math.abs(x - 520) < 4 && Math.abs(y - 430) < 120, JSON.stringify([x, y]));
    assert.deepEqual(await middle('customer'), before);
    await host.undo();
    await card('products').waitFor({ state: 'detached' });
    assert.equal(host.text(), text);

    const object = page().locator('#palette .palette-object', { hasText: 'products' });
    await object.focus();
    await page().keyboard.press('Shift+F10');
    const menu = page().getByRole('menu');
    await keepScreenshot(page(), 'master-data-palette-menu');
    assert.deepEqual(
      (await menu.getByRole('menuitem').allInnerTexts()).map((item) => item.replaceAll(/\s+/g, ' ').trim()),
      ['Add Element Enter', 'Add Master Data Shift+Enter', 'Choose Data Objects'],
    );
    await page().keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.equal(await object.evaluate((each) => each === document.activeElement), true);
    await object.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Add Master Data' }).click();
    await card('products').waitFor();
    await host.undo();
    await card('products').waitFor({ state: 'detached' });

    await object.focus();
    await page().keyboard.press('Shift+Enter');
    await card('products').waitFor();
  });

  it('lists the entries that are removed with master data and with its data object', async () => {
    await open();
    await card('customer').focus();
    await page().keyboard.press('Delete');
    await dialog().getByText('bought by').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page().getByRole('button', { name: 'Choose Data Objects' }).click();
    await page().getByRole('button', { name: 'Remove customers' }).click();
    await dialog().getByText('bought by').waitFor();
    assert.match(await dialog().innerText(), /customer\s+bought by/);
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await textHas(/dataObjects: \[orders, products\] # what we sell/);
    assert.doesNotMatch(host.text(), /customers|bought by/);
  });

  it('finds master data, and follows changes of the text', async () => {
    await open();
    await card('Place Order').focus();
    await page().keyboard.press('/');
    await page().locator('#find input').fill('city');
    await waitUntil('it is found', async () =>
      (await card('customer').getAttribute('aria-current')) === 'true' ? true : undefined,
    );
    await host.setText(text.replace('entityType: customer # the', 'entityType: client # the'));
    await card('client').waitFor();
  });

  for (const [theme, width, height] of [
    ['dark', 1366, 768],
    ['light', 640, 760],
  ] as const) {
    it(`edits the entities of each row of an element (${theme}, ${width} pixels)`, async () => {
      await open({ theme, width, height });
      await card('Place Order').focus();
      await page().keyboard.press('Enter');
      const section = dialog().locator('.correlations');
      await section.waitFor();
      assert.equal(await section.locator('#correlation-type-0 input').inputValue(), 'customer');
      await dialog().getByRole('button', { name: 'Add Entities of Each Row' }).click();
      await section.locator('#correlation-type-1 input').fill('tag');
      const key = section.locator('#correlation-key-1 input');
      await key.fill('number');
      await key.press('Tab');
      await dialog().getByRole('combobox', { name: 'What a value of entities 2 is' }).click();
      await dialog().getByRole('option', { name: 'keys with a separator' }).click();
      const separator = dialog().getByRole('textbox', { name: 'Separator of entities 2' });
      await separator.fill('');
      await dialog().getByText('Enter the text between the keys of a value.').waitFor();
      await separator.fill('|');
      await dialog().getByRole('checkbox', { name: 'Each row is an entity of its own' }).click();
      await dialog().getByText('and no relationship can end here').waitFor();
      await dialog().getByRole('checkbox', { name: 'Each row is an entity of its own' }).click();
      await section.scrollIntoViewIfNeeded();
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      await keepScreenshot(page(), `row-correlations-${theme}`);
      await confirm();
      await textIs(
        text.replace(
          '# who bought it\n',
          "# who bought it\n      - entityType: tag\n        key: number\n        separator: '|'\n",
        ),
      );
    });
  }
});
