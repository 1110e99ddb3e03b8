import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: { expression: "placed_at + interval '1 hour'" } # when it counts
    properties: [{ column: customer_id, name: customer }, number]
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
relationships:
  - { name: buys, source: Win Customer, target: Place Order, mappings: [{ source: id, target: customer_id }] }
  - { name: bought by, source: Place Order, target: Win Customer, path: [buys] } # the other way round
`;

describe('canvas with computed times, renamed properties and paths', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let host: CanvasHost;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  beforeEach(async () => {
    host = await openCanvasHost(server, browser, { text });
  });
  afterEach(async () => {
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });

  const page = () => host.webview.page;
  const dialog = () => page().getByRole('dialog');
  const card = (id: string) => page().locator(`[data-key="element:${id}"]`);
  const label = (id: string) => page().locator(`[data-key="relationship:${id}"]`);
  const confirmed = async (expected: string): Promise<void> => {
    const confirm = dialog().locator('#confirm');
    await waitUntil('it can be confirmed', async () =>
      (await confirm.getAttribute('disabled')) === null ? true : undefined,
    );
    await confirm.click();
    await waitUntil('the text has changed', async () => (host.text() === text ? undefined : true));
    assert.equal(host.text(), expected);
  };

  it('draws the columns of a computed time, with its SQL as tooltip, the names of properties, and a line for a path', async () => {
    // A card has its place before the canvas knows how much of it can be read.
    const words = await waitUntil('the card is written', async () => {
      const shown = await card('Place Order').innerText();
      return /ƒ\(placed_at\)/.test(shown) ? shown : undefined;
    });
    assert.equal(
      await card('Place Order').locator('.time', { hasText: 'placed_at' }).getAttribute('title'),
      "Start Timestamp: placed_at + interval '1 hour'",
    );
    assert.match(words, /customer, number/);
    assert.match(await label('bought by').innerText(), /path through\s+buys/);
    const dashes = (id: string) =>
      page()
        .locator(`.edge[data-relationship="${id}"]`)
        .first()
        .evaluate((line) => getComputedStyle(line).strokeDasharray);
    assert.deepEqual([await dashes('bought by'), await dashes('buys')], ['7px, 4px', 'none']);
  });

  it('the dialog of an element shows and changes the SQL of a time, and names of properties', async () => {
    await card('Place Order').dblclick();
    const sql = dialog().locator('#start-expression');
    await sql.waitFor();
    assert.equal(await sql.inputValue(), "placed_at + interval '1 hour'");
    assert.deepEqual(await findAccessibilityProblems(page()), []);
    await sql.fill("placed_at + interval '2 hours'");
    await dialog().locator('#property-name-0 input').fill('buyer');
    await confirmed(text.replace("'1 hour'", "'2 hours'").replace('name: customer }', 'name: buyer }'));
  });

  it('names a property, and replaces SQL by a column', async () => {
    await card('Place Order').dblclick();
    await dialog().getByRole('button', { name: 'Rename number' }).click();
    await dialog().locator('#property-name-1 input').fill('No');
    const start = dialog().getByRole('combobox', { name: 'Start Timestamp', exact: true });
    await start.fill('placed_at');
    await start.press('Tab');
    await confirmed(
      text
        .replace(`{ expression: "placed_at + interval '1 hour'" }`, 'placed_at')
        .replace(', number]', ", { column: number, name: 'No' }]"),
    );
  });

  it('the dialog of an element makes a date the end of its day, and offers that for dates only', async () => {
    await card('Place Order').dblclick();
    await dialog().locator('#start-timestamp').waitFor();
    // What makes an element a log is in sight, above its times.
    const [activity, start] = await Promise.all(
      ['Activity Column', 'Start Timestamp'].map((name) =>
        dialog().getByRole('combobox', { name, exact: true }).boundingBox(),
      ),
    );
    assert.ok(activity && start && activity.y <= start.y, JSON.stringify([activity, start]));
    assert.equal(await dialog().getByText('At the end of the day').count(), 0);
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await card('Win Customer').dblclick();
    await dialog().getByText('At the end of the day').click();
    assert.deepEqual(await findAccessibilityProblems(page()), []);
    await confirmed(text.replace('startTimestamp: since', 'startTimestamp: { column: since, atEndOfDay: true }'));
  });

  it('the dialog of a path shows and changes its steps', async () => {
    await label('bought by').dblclick();
    const step = dialog().locator('#step-0 input');
    await step.waitFor();
    assert.equal(await step.inputValue(), 'buys');
    assert.deepEqual(await findAccessibilityProblems(page()), []);
    await step.fill('buy');
    await dialog().getByText('No relationship of this file is called "buy"').first().waitFor();
    await step.fill('buys');
    await dialog().getByRole('combobox', { name: 'Direction of step 1' }).click();
    await dialog().getByRole('option', { name: 'reverse' }).click();
    await confirmed(text.replace('path: [buys]', 'path: [{ relationship: buys, reverse: true }]'));
  });

  it('the question before a relationship is deleted names it, and the path that goes along', async () => {
    await label('buys').focus();
    await page().keyboard.press('Delete');
    await dialog().getByRole('heading', { name: 'Delete buys?' }).waitFor();
    assert.match(await dialog().innerText(), /bought by/);
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(host.text(), text);
  });
});
