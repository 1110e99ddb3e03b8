import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { createGraphMessages } from '../../client/src/graph-messages.ts';
import { movedDown } from '../../protocol/first-lines.ts';
import type { CardView, RelationshipView } from '../../protocol/graph-view.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { element, graph, largeGraph, lineRange, orders, relationship } from './graph-views.ts';
import {
  type WebviewOptions,
  type WebviewPage,
  type WebviewServer,
  startWebviewServer,
  workerFiles,
} from './webview-page.ts';

describe('canvas', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  const open = async (options: Partial<WebviewOptions> = {}): Promise<void> => {
    webview = await server.open(browser, { bundle: 'canvas', ...options });
  };
  const show = async (view = orders): Promise<void> => {
    await webview.send({ type: 'graph', number: 1, view });
    await card(view.elements.at(-1)?.id ?? '').waitFor();
  };
  const card = (id: string) => webview.page.locator(`[data-key="element:${id}"]`);
  const label = (id: string) => webview.page.locator(`[data-key="relationship:${id}"]`);
  const line = (id: string) => webview.page.locator(`[data-relationship="${id}"]`);
  const focused = () =>
    webview.page.evaluate(() => document.activeElement?.getAttribute('data-key') ?? document.activeElement?.id);
  const zoom = () => webview.page.locator('.zoom').innerText();

  it('announces that it is ready, and waits for a graph', async () => {
    await open();
    assert.deepEqual(await webview.posted(), [{ type: 'ready' }]);
    await webview.page.getByText('Drawing the entity graph…').waitFor();
  });

  it('draws every element and relationship with its state', async () => {
    await open();
    await show();
    assert.deepEqual(await webview.page.locator('.toolbar h1').innerText(), 'Northwind orders');
    assert.match(await webview.page.locator('.toolbar').innerText(), /6 elements · 8 relationships\s+3 to configure/);
    const tooltip = await webview.page.locator('.toolbar h1').getAttribute('title');
    assert.match(tooltip ?? '', /8 relationships · northwind$/);
    assert.equal(await webview.page.getByRole('list', { name: 'Elements' }).getByRole('listitem').count(), 6);
    assert.equal(await webview.page.getByRole('list', { name: 'Relationships' }).getByRole('listitem').count(), 8);
    const lines = card('Place Order').locator('.line span.clip:not(.time)');
    assert.deepEqual(await lines.allInnerTexts(), [
      'Place Order',
      'orders',
      'order_date',
      'shipped_date',
      'order_id, required_date, +4',
    ]);
    const product = card('List Product');
    assert.equal(await product.locator('svg.exclamation').count(), 1);
    assert.match(
      await product.innerText(),
      /Start Timestamp is missing\. Choose the column that marks when a record enters this activity\./,
    );
    assert.equal(await card('Place Order').locator('svg.exclamation').count(), 0);
    assert.equal(
      await card('Place Order').locator('.context').getAttribute('title'),
      'Process context: The order is taken by an employee; the change event is its shipping.',
    );
    const crossTable = await label('works in').locator('.clip').allInnerTexts();
    assert.deepEqual(crossTable, ['works in', 'employee_territories', 'employee_id, territory_id']);
    await keepScreenshot(webview.page, 'canvas-dark');
  });

  it('has an accessible description', async () => {
    await open();
    await show();
    const aloud = [
      'List Product Data Object products Properties product_name, unit_price Unconfigured: Start Timestamp is missing. Choose the column that marks when a record enters this activity.',
      'Hire Employee Data Object employees Start Timestamp hire_date Properties last_name, first_name, title',
      'takes from Hire Employee to Place Order joined by employee_id = employee_id',
      'approves from Hire Employee to Place Order Draft: Nothing joins its ends.',
      'works in from Hire Employee to Open Territory through cross table employee_territories joined by employee_id, territory_id',
      'ships with from Place Order to no element Draft: It has no target.',
    ];
    for (const name of aloud) {
      assert.equal(await webview.page.getByRole('button', { name, exact: true }).count(), 1, name);
    }
  });

  it('distinguishes drafts from configured relationships by a dotted line and an open arrowhead', async () => {
    await open();
    await show();
    const look = (id: string) =>
      line(id).evaluate((path) => {
        const { stroke, strokeDasharray, strokeLinecap } = getComputedStyle(path);
        const colour = document.createElement('i').style;
        colour.color = getComputedStyle(document.body).getPropertyValue('--vscode-errorForeground');
        return {
          red: stroke === colour.color,
          dots: strokeDasharray !== 'none' && strokeLinecap === 'round',
          end: path.getAttribute('marker-end'),
        };
      });
    assert.deepEqual(await look('approves'), { red: true, dots: true, end: 'url(#arrow-draft)' });
    assert.deepEqual(await look('ships with'), { red: true, dots: true, end: 'url(#arrow-draft)' });
    assert.deepEqual(await look('takes'), { red: false, dots: false, end: 'url(#arrow-solid)' });
    assert.equal(await webview.page.locator('.missing').count(), 1);
    const starts = (await line('works in').getAttribute('d'))?.match(/M/g);
    assert.equal(starts?.length, 2, 'a line on each side of the cross table');
  });

  it('goes to the text with F12, and selects the element at the text cursor', async () => {
    await open();
    await show();
    await card('Place Order').focus();
    await webview.page.keyboard.press('F12');
    assert.deepEqual(await webview.waitForPosted('revealRange'), { type: 'revealRange', range: lineRange(10) });
    await label('takes').click();
    const quiet = { type: 'revealRange', range: lineRange(72), quiet: true };
    assert.deepEqual(await webview.waitForPosted('revealRange', 2), quiet);
  });

  it('follows the text cursor', async () => {
    await open();
    await show();
    await webview.send({ type: 'textSelection', position: { line: 40, character: 5 } });
    await webview.page.locator('[data-key="element:Hire Employee"][aria-current="true"]').waitFor();
    assert.deepEqual(await webview.posted(), [{ type: 'ready' }]);
  });

  it('is one tab stop, navigated by arrow keys', async () => {
    await open();
    await show(
      graph(
        [element('Order', 1), element('Pay', 2), element('Ship', 3)],
        [
          relationship('pays', 4, { source: 'Order', target: 'Pay', label: 'a = b' }),
          relationship('ships', 5, { source: 'Order', target: 'Ship', label: 'a = b' }),
        ],
      ),
    );
    await webview.page.locator('#viewport').focus();
    await webview.page.keyboard.press('Tab');
    assert.equal(await focused(), 'element:Order');
    await webview.page.keyboard.press('Tab');
    assert.doesNotMatch((await focused()) ?? '', /^(element|relationship):/);
    await card('Order').focus();
    const walk = async (...keys: string[]) => {
      for (const key of keys) await webview.page.keyboard.press(key);
      return focused();
    };
    assert.match((await walk('ArrowRight', 'ArrowRight')) ?? '', /^element:(Pay|Ship)$/);
    assert.equal(await walk('Home'), 'element:Order');
    assert.equal(await walk('End'), 'element:Ship');
    assert.equal(await walk('Escape'), 'viewport');
  });

  it('zooms by keys, buttons and Ctrl+wheel, and pans by keys, wheel and dragging', async () => {
    await open();
    await show(graph([element('Pay', 1)]));
    const place = () =>
      webview.page.locator('#world').evaluate((world) => new DOMMatrix(getComputedStyle(world).transform).toJSON());
    await webview.page.locator('#viewport').focus();
    assert.equal(await zoom(), '100 %');
    await webview.page.keyboard.press('+');
    assert.equal(await zoom(), '125 %');
    await webview.page.keyboard.press('-');
    await webview.page.keyboard.press('-');
    assert.equal(await zoom(), '80 %');
    await webview.page.keyboard.press('0');
    assert.equal(await zoom(), '100 %');
    await webview.page.getByRole('button', { name: 'Zoom In' }).click();
    assert.equal(await zoom(), '125 %');
    await webview.page.getByRole('button', { name: 'Fit' }).click();
    assert.equal(await zoom(), '100 %');

    const start = await place();
    await webview.page.locator('#viewport').focus();
    await webview.page.keyboard.press('ArrowRight');
    assert.equal((await place()).e, start.e - 60);
    await webview.page.mouse.move(200, 200);
    await webview.page.mouse.down();
    await webview.page.mouse.move(260, 230, { steps: 3 });
    await webview.page.mouse.up();
    assert.deepEqual([(await place()).e, (await place()).f], [start.e, start.f + 30]);
    await webview.page.mouse.wheel(0, 50);
    await waitUntil('the wheel moves the canvas', async () => ((await place()).f === start.f - 20 ? true : undefined));
    await webview.page.keyboard.down('Control');
    await webview.page.mouse.wheel(0, -100);
    await webview.page.keyboard.up('Control');
    await waitUntil('the wheel zooms', async () => ((await zoom()) === '128 %' ? true : undefined));
  });

  it('scrolls the focused element into view', async () => {
    await open({ width: 500, height: 300 });
    await show();
    await webview.page.locator('#viewport').focus();
    for (let step = 0; step < 3; step += 1) await webview.page.keyboard.press('+');
    await webview.page.keyboard.press('Tab');
    await webview.page.keyboard.press('End');
    const box = await card('Add Order Line').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 500 && box.y >= 36, JSON.stringify(box));
  });

  it('keeps selection, zoom and the position of the selected card when the graph changes', async () => {
    await open();
    await show();
    await card('Place Order').click();
    await webview.page.keyboard.press('-');
    const [before, percent] = [await card('Place Order').boundingBox(), await zoom()];
    const more = [element('Pick Goods', 3), element('Pack Goods', 4), ...orders.elements];
    const link = relationship('packs', 99, { source: 'Pack Goods', target: 'Place Order', label: 'a = b' });
    await webview.send({ type: 'graph', number: 1, view: graph(more, [...orders.relationships, link]) });
    await card('Pick Goods').waitFor();
    const after = await card('Place Order').boundingBox();
    assert.ok(before && after);
    assert.ok(Math.abs(before.x - after.x) < 1 && Math.abs(before.y - after.y) < 1, JSON.stringify([before, after]));
    assert.deepEqual([await zoom(), await card('Place Order').getAttribute('aria-current')], [percent, 'true']);
    assert.equal(await focused(), 'element:Place Order');
  });

  it('the lines of a selected card are on top of the others, each once, and as before when nothing is selected', async () => {
    const drawn = (selector: string) =>
      webview.page
        .locator(`#lines ${selector}`)
        .evaluateAll((lines) => lines.map((each) => each.getAttribute('data-relationship')));
    await open();
    await show();
    const all = await drawn('.edge');
    await card('Place Order').click();
    const chosen = await drawn('.edge.chosen');
    assert.ok(chosen.length > 0 && chosen.length < all.length, chosen.join());
    assert.deepEqual(await drawn('.edge'), [...all.filter((id) => !chosen.includes(id)), ...chosen]);
    await webview.page.keyboard.press('Escape');
    assert.deepEqual([await drawn('.edge'), await drawn('.edge.chosen')], [all, []]);
  });

  it('hiding the details of cards when zooming out changes no style of the boxes themselves', async () => {
    const stylesOf = (selector: string) =>
      webview.page
        .locator(selector)
        .first()
        .evaluate((box) => {
          const [own, bar] = [getComputedStyle(box), getComputedStyle(box, '::before')];
          return [own, bar].map((style) => [...style].map((name) => `${name}: ${style.getPropertyValue(name)}`));
        });
    const boxes = ['.card', '.relationship.label', '.relationship.cross'];
    const stylesAt = async (world: string) => {
      await webview.page.locator(world).waitFor({ state: 'attached' });
      return Promise.all(boxes.map(stylesOf));
    };
    await open();
    await show();
    const full = await stylesAt('#world.full');
    await webview.page.locator('#viewport').focus();
    while ((await webview.page.locator('#world.full').count()) > 0) await webview.page.keyboard.press('-');
    assert.deepEqual(await stylesAt('#world.names'), full);
  });

  it('opens with the data objects in sight; the others follow the first picture, and the palette keeps its width', async () => {
    const names = [...Array.from({ length: 200 }, (_, index) => `table_${index}`), 'order_to_cash_items'];
    await open();
    await webview.page.evaluate(() => {
      const seen: (readonly [rows: number, width: number, cards: number])[] = [];
      (window as unknown as { seen: typeof seen }).seen = seen;
      new MutationObserver(() => {
        const palette = document.querySelector('#palette');
        if (!palette) return;
        const rows = palette.querySelectorAll('.palette-object').length;
        seen.push([rows, palette.getBoundingClientRect().width, document.querySelectorAll('.card').length]);
      }).observe(document.body, { subtree: true, childList: true });
    });
    const objects = { dataObjects: names.map((name) => ({ name })) };
    await webview.send({ type: 'graph', number: 1, view: { ...largeGraph(40), ...objects } });
    await webview.page.locator('.palette-object', { hasText: 'order_to_cash_items' }).waitFor();
    const seen = await webview.page.evaluate(
      () => (window as unknown as { seen: (readonly [number, number, number])[] }).seen,
    );
    const opened = seen.filter(([rows]) => rows < names.length);
    assert.ok(opened.length > 0 && opened.every(([rows]) => rows > 720 / 26), JSON.stringify(seen));
    assert.ok(
      opened.some(([, , cards]) => cards === 40),
      'the picture comes first',
    );
    const [[, width] = assert.fail()] = seen;
    assert.ok(width > 200 && width < 216, String(width));
    assert.deepEqual(new Set(seen.map(([, each]) => each)), new Set([width]));
    assert.deepEqual(await webview.page.locator('.palette-object .clip').allInnerTexts(), names);
    assert.equal(await webview.page.locator('#palette li:not(:visible)').count(), 0);
  });

  it('draws only the latest of several pending graphs', async () => {
    await open();
    for (const size of [150, 80, 40]) await webview.send({ type: 'graph', number: 1, view: largeGraph(size) });
    await webview.send({ type: 'graph', number: 1, view: graph([element('Last', 1)]) });
    await card('Last').waitFor();
    // Another running layout would end before this one.
    await show(graph([element('Last', 1), element('Really Last', 2)]));
    assert.equal(await webview.page.locator('.card').count(), 2);
  });

  it('asks for the whole graph when a change was lost', async () => {
    const selling = (dataObject: string) =>
      graph(orders.elements.map((each) => (each.id === 'Place Order' ? { ...each, dataObject } : each)));
    const toMessages = createGraphMessages();
    await open();
    await webview.send(toMessages(orders).whole);
    await card('Place Order').getByText('orders', { exact: true }).waitFor();
    await webview.send(toMessages(selling('sales')).change ?? assert.fail());
    await card('Place Order').getByText('sales', { exact: true }).waitFor();
    toMessages(selling('lost'));
    const { whole, change = assert.fail() } = toMessages(selling('deals'));
    await webview.send(change);
    await webview.waitForPosted('ready', 1);
    assert.equal(await card('Place Order').getByText('sales', { exact: true }).count(), 1);
    await webview.send(whole);
    await card('Place Order').getByText('deals', { exact: true }).waitFor();
  });

  it('lines that are added above entries change their places in the text, and nothing of the drawing', async () => {
    const toMessages = createGraphMessages();
    const lower = <T extends CardView | RelationshipView>(entry: T): T => ({
      ...entry,
      range: movedDown(entry.range, 3),
      extent: movedDown(entry.extent, 3),
    });
    await open();
    await webview.send(toMessages(orders).whole);
    await card('Place Order').click();
    await webview.page.evaluate(() => {
      const world = document.querySelector('#world') ?? document.body;
      const observer = new MutationObserver((records) => world.setAttribute('data-changes', String(records.length)));
      observer.observe(world, { subtree: true, childList: true, characterData: true });
    });
    const seen = (await webview.posted()).length;
    const [elements, relationships] = [orders.elements.map(lower), orders.relationships.map(lower)];
    await webview.send(toMessages({ ...orders, elements, relationships }).change ?? assert.fail());
    await webview.page.keyboard.press('F12');
    const range = lineRange(13);
    assert.deepEqual(await webview.waitForPosted('revealRange', seen), { type: 'revealRange', range });
    assert.equal(await webview.page.locator('#world').getAttribute('data-changes'), null);
    await webview.send({ type: 'textSelection', position: { line: 63, character: 5 } });
    await webview.page.locator('[data-key="relationship:orders"][aria-current="true"]').waitFor();
  });

  it('keeps the last valid drawing while the text is invalid', async () => {
    await open();
    await show();
    const syntaxError = { message: 'Line 12: a bracket is not closed.', range: lineRange(11) };
    const before = await card('Place Order').boundingBox();
    await webview.send({ type: 'graph', number: 1, view: graph([], [], { syntaxError }) });
    const banner = webview.page.locator('#stale');
    await banner.waitFor();
    assert.match(await banner.innerText(), /a bracket is not closed\. The picture shows the last version/);
    const [over, beside] = await Promise.all(
      [banner, webview.page.locator('#palette')].map((part) => part.boundingBox()),
    );
    assert.ok(over && beside && over.x >= beside.x + beside.width, 'the banner leaves the data objects free');
    assert.equal(await webview.page.locator('.card').count(), 6);
    assert.deepEqual(await card('Place Order').boundingBox(), before);
    await banner.getByRole('button', { name: 'Go to Error' }).click();
    assert.deepEqual(await webview.waitForPosted('revealRange'), { type: 'revealRange', range: lineRange(11) });
    await webview.send({ type: 'graph', number: 1, view: orders });
    await banner.waitFor({ state: 'detached' });
    assert.equal(await webview.page.locator('.card').count(), 6);
  });

  it('does not ask for data objects while the file cannot be read', async () => {
    await open();
    const syntaxError = { message: 'Line 12: a bracket is not closed.', range: lineRange(11) };
    const readable = { ...orders, dataObjects: [], syntaxError };
    await webview.send({ type: 'graph', number: 1, view: readable });
    await webview.page.locator('#stale').waitFor();
    assert.equal(await webview.page.locator('#palette').count(), 1);
    assert.equal(await webview.page.getByText('No data objects are selected yet.').count(), 0);
  });

  it('shows a hint when there is no element', async () => {
    await open();
    await webview.send({ type: 'graph', number: 1, view: graph([], [], { dataObjects: [{ name: 'orders' }] }) });
    await webview.page.getByRole('heading', { name: 'Next: add the first element' }).waitFor();
    await webview.page.getByRole('button', { name: 'Go to Text' }).click();
    const start = { line: 0, character: 0 };
    assert.deepEqual(await webview.waitForPosted('revealRange'), { type: 'revealRange', range: { start, end: start } });
    await show();
  });

  it('explains why a file cannot be drawn', async () => {
    await open();
    const syntaxError = { message: 'A bracket is not closed.', range: lineRange(2) };
    await webview.send({ type: 'graph', number: 1, view: graph([], [], { name: '', syntaxError }) });
    const alert = webview.page.getByRole('alert');
    assert.match(await alert.innerText(), /The file cannot be read\s+A bracket is not closed\./);
    assert.equal(await webview.page.locator('h1').innerText(), 'Unnamed Entity Graph');
    await alert.getByRole('button', { name: 'Go to Error' }).click();
    assert.deepEqual(await webview.waitForPosted('revealRange'), { type: 'revealRange', range: lineRange(2) });
    await show();
    await alert.waitFor({ state: 'detached' });
  });

  it('without the layout worker draws a simple layout, says so and retries', async () => {
    await open({ withoutWorker: true });
    await show();
    const banner = webview.page.getByRole('alert');
    assert.match(await banner.innerText(), /could not be arranged: the layout program could not be loaded\./);
    assert.equal(await webview.page.locator('.card').count(), 6);
    await webview.page.unroute(workerFiles);
    await banner.getByRole('button', { name: 'Try Again' }).click();
    await banner.waitFor({ state: 'detached' });
    assert.equal(await webview.page.locator('.card').count(), 6);
  });

  it('respects reduced motion', async () => {
    await open({ reducedMotion: true });
    await show();
    const animation = await webview.page.locator('#world').evaluate((world) => getComputedStyle(world).animationName);
    assert.equal(animation, 'none');
  });

  it('restores its state after being hidden', async () => {
    await open();
    await show();
    await card('Pay').or(card('Place Order')).click();
    await webview.page.keyboard.press('g');
    await webview.page.keyboard.press('+');
    const kept = (await webview.kept()) as { viewport: unknown };
    const percent = await zoom();
    await webview.page.close();
    await open({ kept });
    await show();
    assert.deepEqual(
      ((await webview.kept()) as { viewport: unknown } | null)?.viewport ?? kept.viewport,
      kept.viewport,
    );
    assert.equal(await zoom(), percent);
    assert.equal(await card('Place Order').getAttribute('aria-current'), 'true');
    assert.equal(await webview.page.getByRole('button', { name: 'Show Grid' }).getAttribute('aria-pressed'), 'true');
  });

  it('escapes names', async () => {
    const name = '<img src=x onerror=alert(1)> "Åse" & \'{{x}}\'';
    await open();
    await show(
      graph([element(name, 1), element('B', 2)], [relationship(name, 3, { source: name, target: 'B', label: name })]),
    );
    assert.equal(await webview.page.locator('.card .title').first().innerText(), name);
    assert.equal(await webview.page.locator('img').count(), 0);
  });
});
