import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { failure, marked, orderRows } from './query-results.ts';
import { assertSeen } from './visible.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('results panel', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
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

  it('announces that it is ready, and shows a hint', async () => {
    assert.deepEqual(await webview.posted(), [{ type: 'ready' }]);
    await webview.page.getByText('No results yet').waitFor();
  });

  it('opens the rows behind a number of a table by a click, and by Enter, sorted too', async () => {
    const columns = ['Edit', 'Number'].map((name) => ({ name, type: '', nulls: 0 }));
    const rows = [['where', 2], ['key', 9], ['together', -1]]; // prettier-ignore
    const result = { columns, rows, truncated: false, durationMs: 0, warnings: [] };
    const opens = { column: 1, rows: [0, 1] };
    await webview.send({ type: 'facts', title: 'Effect', facts: 'The graph differs.', result, opens });
    const number = (text: string) => webview.page.getByRole('button', { name: text, exact: true });
    await assertSeen(number('9'), 'the number');
    assert.equal(await number('-1').count(), 0);
    await number('9').click();
    assert.deepEqual(await webview.waitForPosted('openNumber'), { type: 'openNumber', row: 1 });
    const opened = async () => (await webview.posted()).filter(({ type }) => type === 'openNumber');
    await webview.page.getByRole('columnheader', { name: 'Number' }).click();
    // The first one is the negative number now, which opens nothing.
    await cell(0, 1).click();
    assert.equal(await press('Enter'), '0:1');
    assert.equal((await opened()).length, 1);
    assert.equal(await press('ArrowDown', 'Enter'), '1:1');
    assert.deepEqual((await opened()).at(-1), { type: 'openNumber', row: 0 });
    await keepScreenshot(webview.page, 'results-numbers');
  });

  it('shows a running query, which can be cancelled once', async () => {
    await webview.send({ type: 'running', title: 'Place Order', elapsedMs: 0 });
    const cancel = webview.page.getByRole('button', { name: /Cancel/ });
    await webview.page.getByText('Waiting for the first rows').waitFor();
    const running = { type: 'running', title: 'Place Order', elapsedMs: 65_000 } as const;
    await webview.send({ ...running, step: 'Connecting to db.example:5432' });
    await assertSeen(webview.page.getByText('Connecting to db.example:5432'), 'the step');
    await assertSeen(webview.page.getByText(/^1 min 0\d s$/), 'the time');
    await cancel.click();
    await webview.send({ ...running, step: 'Running the query' });
    await assertSeen(webview.page.getByText('Running the query'), 'the next step');
    assert.deepEqual(await webview.waitForPosted('cancel'), { type: 'cancel' });
    assert.deepEqual([await cancel.innerText(), await cancel.isDisabled()], ['Cancelling…', true]);
    await show();
    await cancel.waitFor({ state: 'detached' });
  });

  it('shows rows with types, null counts, warnings and the row count', async () => {
    await show(orderRows(100, { truncated: true, warnings: ['shipped_date is often NULL.'] }));
    assert.equal(await summary(), 'first 100 rows · 38 ms · northwind');
    await show(orderRows(67, { truncated: true, sizeLimit: 64 * 1024 * 1024 }));
    assert.equal(await summary(), 'first 67 rows · no more than 64 MB · 38 ms · northwind');
    await show(orderRows(100, { truncated: true, warnings: ['shipped_date is often NULL.'] }));
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

  it('opens the timeline of an entity by menu, Enter and double click', async () => {
    const result = orderRows(3);
    const [first] = result.columns;
    assert.ok(first);
    await webview.send({
      ...{ type: 'result', title: 'Entities', source: 'shop', hasTimelines: true },
      result: { ...result, columns: [{ ...first, name: 'entity_id' }, ...result.columns.slice(1)] },
    });
    assert.match(await summary(), / · Enter or a double click opens a timeline$/);
    const opened = async (count: number) =>
      waitUntil('it was asked for', async () => {
        const all = (await webview.posted()).filter(({ type }) => type === 'openTimeline');
        return all.length === count ? all.at(-1) : undefined;
      });
    await cell(1, 2).click({ button: 'right' });
    await webview.page.getByRole('menuitem', { name: /^Open Timeline/ }).click();
    assert.deepEqual(await opened(1), { type: 'openTimeline', entity: 10249 });
    await cell(2, 1).dblclick();
    assert.deepEqual(await opened(2), { type: 'openTimeline', entity: 10250 });
    await cell(0, 1).click();
    await press('Enter');
    assert.deepEqual(await opened(3), { type: 'openTimeline', entity: 10248 });
    // Rows without entities have neither.
    await show();
    await cell(0, 0).click({ button: 'right' });
    assert.equal(await webview.page.getByRole('menuitem', { name: /^Open Timeline/ }).count(), 0);
  });

  it('marks cells visually and for screen readers, with the reason', async () => {
    await show(orderRows(100, marked));
    const marks = () =>
      webview.page
        .locator('.cell.marked')
        .evaluateAll((cells) =>
          cells.map((cell) => [
            cell.getAttribute('data-cell'),
            cell.querySelector('.codicon')?.className.split('-').at(-1),
          ]),
        );
    assert.deepEqual(await marks(), [
      ['0:0', 'error'],
      ['2:5', 'error'],
      ['3:2', 'warning'],
    ]);
    const reason = '"10248" is no DATE: queries and imports stop here.';
    assert.equal(await cell(0, 0).getAttribute('title'), `10248\n${reason}`);
    await webview.page.getByRole('gridcell', { name: `10248 Error: ${reason}` }).waitFor();
    await webview.page.getByRole('gridcell', { name: 'NULL Warning: No Start Timestamp' }).waitFor();
    // The icon is before the value, within the cell.
    const icon = await cell(0, 0).locator('.codicon').boundingBox();
    const box = await cell(0, 0).boundingBox();
    assert.ok(
      icon && box && icon.x >= box.x && icon.x + icon.width < box.x + box.width - 30,
      JSON.stringify([icon, box]),
    );
    await keepScreenshot(webview.page, 'results-marked');
    await cell(0, 0).click();
    await press('Control+c');
    assert.deepEqual(await webview.waitForPosted('copy'), { type: 'copy', text: '10248' });
    const next = webview.page.getByRole('button', { name: 'Next Marked Cell' });
    const visited: unknown[] = [];
    for (let step = 0; step < 3; step += 1) {
      await next.click();
      visited.push(await focused());
    }
    assert.deepEqual(visited, ['2:5', '3:2', '0:0']);
    // A mark stays with its value when rows are sorted.
    await webview.page.getByRole('columnheader', { name: /order_id/ }).click();
    await webview.page.getByRole('columnheader', { name: /order_id/ }).click();
    await cell(99, 0).waitFor({ state: 'detached' });
    await next.click();
    assert.equal(await focused(), '96:2');
    await show(orderRows(100));
    await next.waitFor({ state: 'hidden' });
    assert.deepEqual(await marks(), []);
  });

  it('scrolls through 10,000 rows, rendering few of them', async () => {
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

  it('scrolls through 500 columns, rendering few of them', async () => {
    const columns = Array.from({ length: 500 }, (_, index) => ({ name: `c${index}`, type: 'integer', nulls: 0 }));
    const rows = Array.from({ length: 100 }, (_, row) => columns.map((_column, column) => row * column));
    await show(orderRows(0, { columns, rows }));
    const drawn = () => webview.page.locator('.heading').count();
    assert.ok((await drawn()) < 30, String(await drawn()));
    const grid = webview.page.locator('#grid');
    assert.equal(await grid.getAttribute('aria-colcount'), '501');
    await cell(0, 0).focus();
    assert.equal(await press('Control+End'), '99:499');
    assert.equal(await cell(99, 499).innerText(), String(99 * 499));
    assert.ok((await drawn()) < 30, String(await drawn()));
    // Each is below its name, also the last of 500.
    const [heading, last] = await Promise.all([cell(-1, 499).boundingBox(), cell(99, 499).boundingBox()]);
    assert.deepEqual([heading?.x, heading?.width], [last?.x, last?.width]);
    await grid.evaluate((node) => (node.scrollLeft = node.scrollWidth / 2));
    await cell(90, 250).waitFor();
    assert.equal(await focused(), '99:499');
    assert.equal(await press('Home'), '99:0');
    await press('Control+a', 'Control+c');
    const copied = await webview.waitForPosted('copy');
    assert.deepEqual(
      copied.type === 'copy' && copied.text.split('\n').map((row) => row.split('\t').length),
      Array(100).fill(500),
    );
  });

  it('shortens long values, and copies them completely', async () => {
    const long = 'x'.repeat(1_000_000);
    const columns = [{ name: 'note', type: 'text', nulls: 0 }];
    await show(orderRows(0, { columns, rows: Array.from({ length: 20 }, () => [long]) }));
    assert.equal((await cell(0, 0).textContent())?.trim(), 'x'.repeat(1000));
    assert.match((await cell(0, 0).getAttribute('title')) ?? '', /^x{1000}\n… 1,000,000 characters in all$/);
    await cell(0, 0).click();
    await press('Control+c');
    const copied = await webview.waitForPosted('copy');
    assert.equal(copied.type === 'copy' && copied.text.length, 1_000_000);
  });

  it('shows invisible characters as symbols, and copies them unchanged', async () => {
    const columns = ['one', 'two', 'three', 'four'].map((name) => ({ name, type: 'text', nulls: 0 }));
    const texts = ['\uFEFFlead', ' line 1\nline 2 ', 'مرحبا (1)', ''];
    await show(orderRows(0, { columns, rows: [texts, [null, 'NULL', 'x\u200by', 'a\u00a0b']] }));
    const marks = (row: number, column: number) =>
      cell(row, column)
        .locator('.character')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each, '::before').content));
    assert.deepEqual(await marks(0, 0), ['"U+FEFF"']);
    assert.deepEqual(await marks(0, 1), ['"·"', '"↵"', '"·"']);
    assert.deepEqual(await marks(1, 2), ['"U+200B"']);
    assert.equal(await cell(0, 1).locator('.value').textContent(), ' line 1\nline 2 ');
    const styles = await Promise.all(
      [1, 0].map((column) => cell(1, column).evaluate((node) => getComputedStyle(node).fontStyle)),
    );
    assert.deepEqual(styles, ['normal', 'italic']);
    await keepScreenshot(webview.page, 'results-characters');
    for (const [column, text] of texts.entries()) {
      await cell(0, column).click();
      await press('Control+c');
      const copied = await webview.waitForPosted('copy', column + 1);
      assert.equal(copied.type === 'copy' && copied.text, text);
    }
  });

  it('is navigated like a spreadsheet', async () => {
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

  it('keeps the focused cell visible beside sticky headers', async () => {
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

  it('keeps the focus on a cell scrolled out of view', async () => {
    await show(orderRows(10_000));
    await cell(2, 1).click();
    await webview.page.locator('#grid').evaluate((node) => (node.scrollTop = 3000 * 22));
    await cell(3000, 0).waitFor();
    assert.equal(await focused(), '2:1');
    assert.equal(await press('ArrowDown'), '3:1');
  });

  it('copies a cell, of a time the exact value, which its tooltip has too', async () => {
    await show();
    await cell(3, 1).click();
    assert.equal((await cell(3, 1).innerText()).trim(), '2025-07-04 08:15:00Z');
    assert.equal(await cell(3, 1).getAttribute('title'), '2025-07-04T08:15:00.000000Z');
    await press('Control+c');
    assert.deepEqual(await webview.waitForPosted('copy'), { type: 'copy', text: '2025-07-04T08:15:00.000000Z' });
    await press('ArrowRight', 'Control+c');
    assert.deepEqual(await webview.waitForPosted('copy', 2), { type: 'copy', text: 'NULL' });
  });

  it('creates a test from the selected rows of a query of a graph, in any sort order', async () => {
    await show(orderRows(3));
    await cell(0, 0).click({ button: 'right' });
    assert.equal(await webview.page.getByRole('menuitem', { name: /Create Test/ }).count(), 0);
    await press('Escape');
    await webview.send({
      type: 'result',
      title: 'Place Order',
      source: 'northwind',
      result: orderRows(3),
      canTest: true,
    });
    await cell(0, 0).click({ button: 'right' });
    await webview.page.getByRole('menuitem', { name: 'Sort Downwards' }).click();
    await cell(0, 0).click();
    await press('Shift+ArrowDown');
    await cell(1, 0).click({ button: 'right' });
    await webview.page.getByRole('menuitem', { name: 'Create Test from 2 Rows…' }).click();
    assert.deepEqual(await webview.waitForPosted('createTest'), { type: 'createTest', rows: [2, 1] });
  });

  it('selects cells and no text with a click with Shift, and copies them', async () => {
    await show(orderRows(3));
    await cell(0, 0).click();
    await cell(1, 1).click({ modifiers: ['Shift'] });
    assert.equal(await webview.page.evaluate(() => String(window.getSelection())), '');
    assert.equal(await webview.page.locator('[role=gridcell][aria-selected=true]').count(), 4);
    assert.equal(await focused(), '1:1');
    await press('Control+c');
    assert.deepEqual(await webview.waitForPosted('copy'), {
      type: 'copy',
      text: '10248\t2025-07-01T08:15:00.000000Z\n10249\t2025-07-02T08:15:00.000000Z',
    });
  });

  it('copies a block, a row and everything, by keyboard and by menu', async () => {
    await show(orderRows(3));
    await cell(0, 0).click();
    await press('Shift+ArrowRight', 'Shift+ArrowDown', 'Control+c');
    assert.deepEqual(await webview.waitForPosted('copy'), {
      type: 'copy',
      text: '10248\t2025-07-01T08:15:00.000000Z\n10249\t2025-07-02T08:15:00.000000Z',
    });
    assert.equal(await webview.page.locator('[role=gridcell][aria-selected=true]').count(), 4);
    await cell(1, 3).click({ button: 'right' });
    await webview.page.getByRole('menuitem', { name: 'Copy Row' }).click();
    const row = await webview.waitForPosted('copy', (await webview.posted()).length - 1);
    assert.match(row.type === 'copy' ? row.text : '', /^10249\t.*\tTOMSP\tfalse\t3\.7\t$/);
    assert.equal(await focused(), '1:3');
    await webview.page.getByRole('button', { name: 'Copy' }).click();
    await webview.page.getByRole('menuitem', { name: 'Copy All with Names' }).click();
    const all = await webview.waitForPosted('copy', (await webview.posted()).length - 1);
    assert.match(all.type === 'copy' ? all.text : '', /^order_id\torder_date.*\n10248\t.*\n10249\t.*\n10250/s);
    await cell(0, 0).click();
    await press('Control+a');
    assert.equal(await webview.page.locator('[role=gridcell][aria-selected=true]').count(), 21);
  });

  it('sorts by a column, by pointer and by keyboard, and unsorts', async () => {
    await show(orderRows(100));
    const header = webview.page.getByRole('columnheader', { name: /shipped_date/ });
    const first = () => webview.page.locator('[data-cell="0:2"]').innerText();
    await header.click();
    assert.deepEqual([await header.getAttribute('aria-sort'), await first()], ['ascending', '2025-08-01 10:00:00Z']);
    await header.click();
    assert.equal(await first(), '2025-08-28 10:00:00Z');
    assert.equal(await cell(99, 2).count(), 0);
    await header.click();
    assert.deepEqual([await header.getAttribute('aria-sort'), await cell(0, 0).innerText()], ['none', '10248']);
    await cell(0, 0).click();
    assert.equal(await press('ArrowUp'), '-1:0');
    await press('Enter', 'Enter', 'ArrowDown');
    assert.deepEqual([await focused(), await cell(0, 0).innerText()], ['0:0', '10347']);
    // The number of a row is its position in the response.
    assert.equal(await webview.page.locator('.rows .row .corner').first().innerText(), '100');
  });

  it('resizes columns, and fits them to their content', async () => {
    await show(orderRows(100));
    const width = async (column: number) =>
      (await webview.page.locator('.heading').nth(column).boundingBox())?.width ?? 0;
    const edge = webview.page.locator('.heading .edge').first();
    const before = await width(0);
    const box = await edge.boundingBox();
    assert.ok(box);
    await webview.page.mouse.move(box.x + 4, box.y + 8);
    await webview.page.mouse.down();
    await webview.page.mouse.move(box.x + 64, box.y + 8);
    await webview.page.mouse.up();
    assert.equal(Math.round(await width(0)), Math.round(before) + 60);
    assert.equal(await webview.page.getByRole('columnheader', { name: /order_id/ }).getAttribute('aria-sort'), 'none');
    await cell(0, 0).focus();
    await press('ArrowUp', 'Shift+ArrowLeft');
    assert.equal(Math.round(await width(0)), Math.round(before) + 44);
    const note = await width(6);
    await edge.page().locator('.heading .edge').nth(6).dblclick();
    assert.ok((await width(6)) > note + 100, `${note}, then ${await width(6)}`);
  });

  it('restores sort order, widths, scroll position and selection of the same result after being hidden', async () => {
    await show(orderRows(1000));
    const header = () => webview.page.getByRole('columnheader', { name: /order_id/ });
    const grid = () => webview.page.locator('#grid');
    const look = async () => [
      await header().getAttribute('aria-sort'),
      Math.round((await header().boundingBox())?.width ?? 0),
      await grid().evaluate((node) => [node.scrollTop, node.scrollLeft]),
      await webview.page.locator('.cell[tabindex="0"]').first().getAttribute('data-cell'),
      await webview.page.locator('.rows .row .corner').first().innerText(),
    ];
    const fresh = await look();
    await header().click();
    await header().click();
    await cell(2, 1).click();
    await press('ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowRight', 'ArrowDown');
    await grid().evaluate((node) => ([node.scrollTop, node.scrollLeft] = [300 * 22, 40]));
    await cell(300, 1).waitFor();
    const left = await look();
    assert.notDeepEqual(left, fresh);
    const kept = await webview.kept();

    const comeBack = async () => {
      await webview.page.close();
      webview = await server.open(browser, { bundle: 'results', width: 900, height: 400, kept });
    };
    await comeBack();
    await show(orderRows(1000));
    await cell(300, 1).waitFor();
    assert.deepEqual(await look(), left);
    await show(orderRows(1000));
    assert.deepEqual(await look(), fresh);

    await comeBack();
    await show(orderRows(999));
    assert.deepEqual(await look(), fresh);
  });

  it('exports rows in the sorted order', async () => {
    await show(orderRows(3));
    await webview.page.getByRole('columnheader', { name: /order_id/ }).click();
    await webview.page.getByRole('columnheader', { name: /order_id/ }).click();
    for (const [label, format, pattern] of [
      ['Export as CSV…', 'csv', /^order_id,order_date.*\r\n10250,.*\r\n10249,/],
      ['Export as CSV for Spreadsheets…', 'csv', /^order_id,order_date.*\r\n10250,.*\r\n10249,/],
      ['Export as JSON…', 'json', /^\[\n {2}\{\n {4}"order_id": 10250,/],
      ['Export as Markdown…', 'markdown', /^\| order_id \|.*\n\| --- \|.*\n\| 10250 \|/],
    ] as const) {
      const seen = (await webview.posted()).length;
      await webview.page.getByRole('button', { name: 'Export' }).click();
      await webview.page.getByRole('menuitem', { name: label, exact: true }).click();
      const saved = await webview.waitForPosted('saveRows', seen);
      assert.ok(saved.type === 'saveRows');
      assert.deepEqual([saved.name, saved.format], ['Place Order', format]);
      assert.match(saved.text, pattern);
    }
  });

  it('lists the queries of the session, and shows or reruns one', async () => {
    await show();
    const run = (id: number, title: string) => ({ id, title, at: '2026-11-21T08:00:00.000Z' });
    await webview.send({
      type: 'history',
      runs: [
        { ...run(3, 'Place Order'), state: 'done', rows: 100 },
        { ...run(2, 'Ship Order'), state: 'failed' },
        { ...run(1, 'Pay'), state: 'cancelled' },
      ],
      shown: 3,
    });
    const history = webview.page.getByRole('button', { name: 'Queries of This Session' });
    await history.click();
    const items = await webview.page.getByRole('menuitem').allInnerTexts();
    assert.match(items.join('; '), /Place Order.*100 rows; Ship Order.*failed; Pay.*cancelled/s);
    await webview.page.getByRole('menuitem', { name: /Ship Order/ }).click();
    assert.deepEqual(await webview.waitForPosted('showRun'), { type: 'showRun', id: 2 });
    await webview.page.getByRole('button', { name: 'Run Again' }).click();
    assert.deepEqual(await webview.waitForPosted('rerun'), { type: 'rerun' });
  });

  it('shows a table of facts', async () => {
    const result = { ...orderRows(2), columns: orderRows(2).columns.map((column) => ({ ...column, type: '' })) };
    await webview.send({ type: 'facts', title: 'orders', facts: 'table · 7 columns', result });
    await webview.page.locator('#grid').waitFor();
    assert.equal(await summary(), 'table · 7 columns');
    assert.equal(await webview.page.locator('.heading .detail').count(), 0);
  });

  it('shows that no row matches', async () => {
    await show(orderRows(0));
    assert.equal(await summary(), '0 rows · 38 ms · northwind');
    assert.match(
      await webview.page.locator('#no-rows').innerText(),
      /No rows\s+The query ran.*Columns: order_id \(integer\)/s,
    );
  });

  it('shows a failure with its remedy, and links to its position', async () => {
    await webview.send({ type: 'running', title: 'Place Order', elapsedMs: 0 });
    await webview.send({ type: 'failure', title: 'Place Order', error: failure });
    // The announcement is the error, not a query of many lines.
    assert.match(
      await webview.page.getByRole('alert').innerText(),
      /^The query failed\s+column "order_dat" does not exist\s+Did you mean order_date\?[^?]*$/,
    );
    await webview.page.getByText('orders.entity.yaml, line 12').waitFor();
    const query = webview.page.getByRole('region', { name: 'The query that ran, with its error in line 3' });
    const offending = query.locator('mark');
    assert.deepEqual(
      [
        await query.innerText(),
        await offending.innerText(),
        await offending.evaluate((node) => getComputedStyle(node).textDecorationLine),
      ],
      [failure.query?.sql, '"orders"."order_dat"', 'underline'],
    );
    await keepScreenshot(webview.page, 'results-failure');
    await webview.page.getByRole('button', { name: 'Go to Text' }).click();
    const { file, range } = failure;
    assert.deepEqual(await webview.waitForPosted('revealRange'), { type: 'revealRange', range, file });
  });

  it('shows a cancelled query without an error', async () => {
    await webview.send({ type: 'failure', title: 'Pay', error: { code: 'cancelled', message: 'Cancelled.' } });
    await webview.page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    assert.equal(await summary(), 'cancelled');
    assert.equal(await webview.page.locator('svg.exclamation').count(), 0);
  });

  it('shows the error position in a long query, and a query whose error has no position', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `column_${index},`).join('\n');
    const sql = `SELECT ${lines}\n<script>1</script> x`;
    const start = sql.indexOf('column_120');
    const error = { code: 'sql-error' as const, message: 'No.', query: { sql, place: { start, end: start + 10 } } };
    await webview.send({ type: 'failure', title: 'Pay', error });
    const offending = webview.page.locator('.offending');
    const [box, query] = [await offending.boundingBox(), await webview.page.locator('.query').boundingBox()];
    assert.ok(
      box && query && box.y >= query.y && box.y + box.height <= query.y + query.height,
      JSON.stringify([box, query]),
    );
    await webview.send({ type: 'failure', title: 'Pay', error: { ...error, query: { sql } } });
    await offending.waitFor({ state: 'detached' });
    assert.equal(await webview.page.locator('.query').innerText(), sql);
  });

  it('shows a failure without a position', async () => {
    await webview.send({
      type: 'failure',
      title: 'Pay',
      error: { code: 'source-unreachable', message: 'The host does not answer.' },
    });
    await webview.page.getByText('The host does not answer.').waitFor();
    assert.equal(await webview.page.getByRole('button').count(), 0);
  });
});
