import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { keepScreenshot, launchChromium } from '../support/vscode-host.ts';
import { failure, orderRows } from './query-results.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('the results panel', () => {
  let browser: Browser;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([launchChromium(), startWebviewServer()]);
  });
  after(() => Promise.all([browser.close(), server.close()]));
  beforeEach(async () => {
    webview = await server.open(browser, { bundle: 'results', width: 900, height: 400 });
  });
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  const show = async (result = orderRows(100)): Promise<void> => {
    await webview.send({ type: 'result', title: 'Place Order', source: 'northwind', result });
    await webview.page.locator('#grid, #no-rows').first().waitFor();
  };
  const cell = (row: number, column: number) => webview.page.locator(`[data-cell="${row}:${column}"]`);
  const focused = () => webview.page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
  const press = async (...keys: string[]) => {
    for (const key of keys) await webview.page.keyboard.press(key);
    return focused();
  };
  const summary = () => webview.page.locator('.summary p').innerText();

  it('says that it is ready, and what will be here', async () => {
    assert.deepEqual(await webview.posted(), [{ type: 'ready' }]);
    await webview.page.getByText('No results yet').waitFor();
  });

  it('shows a running query, which can be cancelled once', async () => {
    await webview.send({ type: 'running', title: 'Place Order' });
    const cancel = webview.page.getByRole('button', { name: /Cancel/ });
    await cancel.click();
    assert.deepEqual(await webview.waitForPosted('cancel'), { type: 'cancel' });
    assert.deepEqual([await cancel.innerText(), await cancel.isDisabled()], ['Cancelling…', true]);
    await show();
    await cancel.waitFor({ state: 'detached' });
  });

  it('shows rows with types, null counts, warnings and how many there are', async () => {
    await show(orderRows(100, { truncated: true, warnings: ['shipped_date is often NULL.'] }));
    assert.equal(await summary(), 'first 100 rows · 38 ms · northwind');
    const headings = await webview.page.locator('.heading').allInnerTexts();
    assert.deepEqual(
      headings.slice(0, 3).map((text) => text.split(/\s*\n\s*/)),
      [
        ['order_id', 'integer · no nulls'],
        ['order_date', 'timestamp · no nulls'],
        ['shipped_date', 'timestamp · 14 nulls'],
      ],
    );
    assert.deepEqual(await webview.page.getByRole('list', { name: 'Warnings' }).allInnerTexts(), [
      'shipped_date is often NULL.',
    ]);
    assert.equal(await cell(0, 0).innerText(), '10248');
    const look = (row: number, column: number) =>
      cell(row, column).evaluate((node) => {
        const { fontStyle, textAlign } = getComputedStyle(node);
        return [node.textContent?.trim(), fontStyle, textAlign];
      });
    assert.deepEqual(await look(3, 2), ['NULL', 'italic', 'start']);
    assert.deepEqual(await look(4, 0), ['10252', 'normal', 'right']);
    await keepScreenshot(webview.page, 'results-dark');
  });

  it('keeps 10,000 rows scrollable with few of them in the page', async () => {
    await show(orderRows(10_000));
    assert.equal(await summary(), '10,000 rows · 38 ms · northwind');
    const grid = webview.page.locator('#grid');
    assert.equal(await grid.getAttribute('aria-rowcount'), '10001');
    await grid.evaluate((node) => (node.scrollTop = 5000 * 22));
    await cell(5000, 0).waitFor();
    assert.equal(await cell(5000, 0).innerText(), '15248');
    assert.ok((await webview.page.locator('.rows .row').count()) < 60);
    const [header, box] = [await webview.page.locator('.header').boundingBox(), await grid.boundingBox()];
    assert.equal(header?.y, box?.y);
  });

  it('is walked through like a spreadsheet', async () => {
    await show(orderRows(10_000));
    await cell(0, 0).focus();
    assert.equal(await press('ArrowDown', 'ArrowRight'), '1:1');
    assert.equal(await press('End'), '1:6');
    assert.equal(await press('Control+End'), '9999:6');
    assert.equal(await press('ArrowUp', 'Home'), '9998:0');
    assert.equal(await press('Control+Home'), '0:0');
    assert.match((await press('PageDown')) ?? '', /^1\d:0$/);
    assert.equal(await webview.page.locator('[role=gridcell][tabindex="0"]').count(), 1);
  });

  it('never hides the focused cell under its sticky parts', async () => {
    await show(orderRows(1000));
    await cell(0, 0).focus();
    await press('Control+End', 'Control+ArrowUp', 'Home');
    for (const keys of [['Control+End'], ['PageUp', 'PageUp'], ['Home'], ['Control+Home'], ['End']]) {
      const at = await press(...keys);
      const [row, column] = (at ?? '').split(':').map(Number);
      const box = await cell(row ?? -1, column ?? -1).boundingBox();
      const grid = await webview.page.locator('#grid').boundingBox();
      const header = await webview.page.locator('.header').boundingBox();
      const corner = await webview.page.locator('.header .corner').boundingBox();
      assert.ok(box && grid && header && corner);
      assert.ok(
        box.y >= header.y + header.height - 1 && box.y + box.height <= grid.y + grid.height + 1,
        `${at}: ${JSON.stringify(box)}`,
      );
      assert.ok(box.x >= corner.x + corner.width - 1, `${at}: ${JSON.stringify(box)}`);
    }
  });

  it('keeps the focus on a cell that is scrolled away', async () => {
    await show(orderRows(10_000));
    await cell(2, 1).click();
    await webview.page.locator('#grid').evaluate((node) => (node.scrollTop = 3000 * 22));
    await cell(3000, 0).waitFor();
    assert.equal(await focused(), '2:1');
    assert.equal(await press('ArrowDown'), '3:1');
  });

  it('copies the cell', async () => {
    await show();
    await cell(3, 1).click();
    await press('Control+c');
    assert.deepEqual(await webview.waitForPosted('copy'), { type: 'copy', text: '2025-07-04T08:15:00.000000Z' });
    await press('ArrowRight', 'Control+c');
    assert.deepEqual(await webview.waitForPosted('copy', 2), { type: 'copy', text: 'NULL' });
  });

  it('says that no row matches', async () => {
    await show(orderRows(0));
    assert.equal(await summary(), '0 rows · 38 ms · northwind');
    assert.match(
      await webview.page.locator('#no-rows').innerText(),
      /No rows\s+The query ran.*Columns: order_id \(integer\)/s,
    );
  });

  it('shows a failure with its remedy and leads to its place', async () => {
    await webview.send({ type: 'running', title: 'Place Order' });
    await webview.send({ type: 'failure', title: 'Place Order', error: failure });
    const alert = webview.page.getByRole('alert');
    assert.match(
      await alert.innerText(),
      /column "order_dat" does not exist\s+Did you mean order_date\?.*orders\.entity\.yaml, line 12/s,
    );
    await alert.getByRole('button', { name: 'Go to Text' }).click();
    const { file, range } = failure;
    assert.deepEqual(await webview.waitForPosted('revealRange'), { type: 'revealRange', range, file });
  });

  it('takes a cancelled query calmly', async () => {
    await webview.send({ type: 'failure', title: 'Pay', error: { code: 'cancelled', message: 'Cancelled.' } });
    await webview.page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    assert.equal(await summary(), 'cancelled');
    assert.equal(await webview.page.locator('svg.exclamation').count(), 0);
  });

  it('shows a failure that has no place', async () => {
    await webview.send({
      type: 'failure',
      title: 'Pay',
      error: { code: 'unreachable', message: 'The host does not answer.' },
    });
    await webview.page.getByText('The host does not answer.').waitFor();
    assert.equal(await webview.page.getByRole('button').count(), 0);
  });
});
