import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost } from './canvas-host.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const fresh = 'version: 1\nname: Shop\ndataSource: shop\n';
const chosen = `${fresh}dataObjects: [orders, customers]\n`;
const built = `${chosen}elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at }
`;

/** The page of a canvas in a window of 1366×768 with the side bar open, and beside the text. */
const pages = [
  { name: 'wide', width: 1018, height: 690 },
  { name: 'half', width: 640, height: 760 },
] as const;

describe('steps of the canvas', () => {
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

  const open = async (options: CanvasHostOptions): Promise<void> => {
    host = await openCanvasHost(server, browser, options);
  };
  const page = () => host.webview.page;
  const step = (name: string) => page().getByRole('navigation', { name: 'Steps' }).getByRole('button', { name });
  const dialog = () => page().getByRole('dialog');

  it('do not overlap on a page of a third of the window, and all are on the page', async () => {
    await open({ text: built, width: 336, height: 680 });
    const boxes = await page()
      .locator('.steps .step')
      .evaluateAll((all) =>
        all.map((each) => [...each.children].map((child) => child.getBoundingClientRect().toJSON())),
      );
    const parts = (boxes as { left: number; right: number }[][]).flat();
    for (const [index, { left }] of parts.entries()) {
      const before = parts[index - 1];
      assert.ok(before === undefined || left >= before.right, JSON.stringify(parts));
    }
    assert.ok((parts.at(-1)?.right ?? Infinity) <= 336, JSON.stringify(parts));
  });

  for (const { name, ...size } of pages) {
    it(`show the current step, and each can be reached (${name})`, async () => {
      await open({ text: built, ...size });
      const names = ['Data Objects', 'Elements and Relationships', 'Import'];
      for (const each of names) await assertSeen(step(each), each);
      assert.deepEqual(
        await page()
          .locator('.steps .step')
          .allInnerTexts()
          .then((texts) => texts.map((text) => text.split(/\s/)[0])),
        ['1', '2', '3'],
      );
      const current = () => page().locator('.steps [aria-current="true"]').innerText();
      assert.match(await current(), /Elements and Relationships/);
      await keepScreenshot(page(), `steps-${name}`);
      await step('Data Objects').click();
      await assertSeen(page().getByRole('button', { name: 'Remove orders' }), 'the data objects');
      assert.match(await current(), /Data Objects/);
      await step('Elements and Relationships').click();
      await assertSeen(page().locator('[data-key="element:Place Order"]'), 'the element');
      await step('Import').click();
      await assertSeen(page().locator('#start-import'), 'the button of the page Import');
      assert.match(await current(), /Import/);
      assert.ok((await host.webview.requests()).every(({ method }) => method !== 'startImport'));
    });

    it(`an empty canvas shows the next step (${name})`, async () => {
      await open({ text: fresh, ...size });
      await step('Elements and Relationships').click();
      await assertSeen(page().getByRole('heading', { name: 'Next: choose data objects' }), 'the next step');
      await assertSeen(page().getByRole('button', { name: 'Choose Data Objects' }), 'the way to it');
      await host.setText(chosen);
      await assertSeen(page().getByRole('heading', { name: 'Next: add the first element' }), 'the step after it');
      await keepScreenshot(page(), `steps-empty-${name}`);
      await assertSeen(page().getByRole('button', { name: 'Element for customers' }), 'the second data object');
      await page().getByRole('button', { name: 'Element for orders' }).click();
      await waitUntil('it is in the text', () => Promise.resolve(/dataObject: orders/.test(host.text()) || undefined));
    });
  }

  it('data objects show their details in 500 pixels, with the actions in a row between the lists', async () => {
    await open({ text: chosen, width: 500, height: 690 });
    await step('Data Objects').click();
    const facts = page().locator('#choose .object .muted');
    await facts.first().waitFor();
    await keepScreenshot(page(), 'steps-choose-500');
    for (const each of await facts.all()) {
      await assertSeen(each, 'the details of a data object');
      assert.ok(await each.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'details are cut');
    }
    await assertSeen(page().getByRole('button', { name: 'Remove orders' }), 'a selected data object');
    const [add, remove] = await Promise.all(
      ['Add All', 'Remove All'].map((name) => page().getByRole('button', { name, exact: true }).boundingBox()),
    );
    assert.equal(add?.y, remove?.y);
    await page().getByRole('button', { name: 'Metadata of orders' }).click();
    const metadata = page().locator('#metadata');
    await metadata.scrollIntoViewIfNeeded();
    await assertSeen(metadata.locator('h2, h3').first(), 'the metadata');
  });

  it('a dialog is restored with its values, open sections, filter and scroll position', async () => {
    const size = { width: 640, height: 600 };
    await open({ text: built, ...size });
    await page().locator('[data-key="element:Place Order"]').focus();
    await page().keyboard.press('Enter');
    await dialog().locator('#property-filter').locator('input').fill('at');
    await dialog().getByText('Advanced SQL').click();
    await dialog().locator('#where').fill('total > 10');
    await dialog()
      .locator('.body')
      .evaluate((body) => body.scrollTo({ top: 340, behavior: 'instant' }));
    const kept = await waitUntil('its place is kept', async () => {
      const state = (await host.webview.kept()) as {
        draft?: { scrollTop?: number; values: { where?: string } };
      } | null;
      return state?.draft?.scrollTop === 340 && state.draft.values.where === 'total > 10' ? state : undefined;
    });
    await page().close();
    await open({ text: built, ...size, kept });
    await waitUntil(
      'it is scrolled',
      async () =>
        (await dialog()
          .locator('.body')
          .evaluate((body) => body.scrollTop)) === 340 || undefined,
    );
    await assertSeen(dialog().locator('#where'), 'the field that was edited');
    assert.equal(await dialog().locator('#where').inputValue(), 'total > 10');
    assert.equal(await dialog().locator('#property-filter').locator('input').inputValue(), 'at');
  });
});
