import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator } from 'playwright-core';
import type { CatalogState } from '../../protocol/catalog-state.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const text = `# The shop
version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, products]   # what we sell, and to whom
elements:
  # it all begins here
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [number]   # more later

  - activityName: Win Customer
    dataObject: customers
    startTimestamp: since
relationships: []
`;

describe('canvas editing', () => {
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
    host = await openCanvasHost(server, browser, { text, ...options });
  };
  const page = () => host.webview.page;
  const card = (id: string) => page().locator(`[data-key="element:${id}"]`);
  const label = (id: string) => page().locator(`[data-key="relationship:${id}"]`);
  const textBecomes = (expected: RegExp | string) =>
    waitUntil(`the text has ${String(expected)}`, async () =>
      (typeof expected === 'string' ? host.text().includes(expected) : expected.test(host.text())) ? true : undefined,
    ).catch(() => assert.fail(`${String(expected)} is not in\n${host.text()}`));
  const dialog = () => page().getByRole('dialog');
  const field = (name: string) => dialog().getByRole('combobox', { name, exact: true });
  const confirm = () => dialog().locator('#confirm');
  const isDisabled = async () => (await confirm().getAttribute('disabled')) !== null;
  /** The last input is checked first. */
  const confirmDraft = async (): Promise<void> => {
    await waitUntil('it can be confirmed', async () => ((await isDisabled()) ? undefined : true));
    await confirm().click();
  };

  it('Add Data Objects supports search, add, remove, add all, metadata and next', async () => {
    await open({ text: 'version: 1\nname: New\ndataSource: shop\n' });
    const available = page().getByRole('region', { name: 'Available Data Objects' });
    const selected = page().getByRole('region', { name: 'Selected Data Objects' });
    await available.getByText('order_lines').waitFor();
    assert.equal(await page().locator('#next').isDisabled(), true);
    await page().getByRole('button', { name: 'Add orders' }).click();
    await textBecomes('dataObjects: [orders]');
    await available.getByRole('searchbox').fill('cust');
    await page().getByRole('button', { name: 'Add customers' }).press('Enter');
    await textBecomes('dataObjects: [orders, customers]');
    await available.getByRole('searchbox').fill('');
    // Rows move while the list fills: wait before dragging.
    await waitUntil('three are left', async () =>
      (await available.locator('.object').count()) === 3 ? true : undefined,
    );
    await available.locator('.object', { hasText: 'products' }).dragTo(selected);
    await textBecomes('dataObjects: [orders, customers, products]');
    await page().getByRole('button', { name: 'Remove customers' }).click();
    await textBecomes('dataObjects: [orders, products]');
    await page().getByRole('button', { name: 'Add All' }).click();
    await textBecomes('[orders, products, customers, order_lines, wide]');
    await page().getByRole('button', { name: 'Metadata of orders' }).click();
    const metadata = page().locator('#metadata');
    await metadata.getByText('customer_id').waitFor();
    assert.match(
      await metadata.innerText(),
      /Columns\s+6\s+Rows \(estimate\)\s+6,000\s+Data size\s+1\.2 MB\s+Key\s+id/,
    );
    await keepScreenshot(page(), 'canvas-choose');
    await page().keyboard.press('Escape');
    await metadata.waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Remove All' }).click();
    await textBecomes('dataObjects: []');
    await page().getByRole('button', { name: 'Add orders' }).click();
    await page().locator('#next').click();
    await page().getByRole('heading', { name: 'Next: add the first element' }).waitFor();
    await page().locator('#palette').getByText('orders').waitFor();
  });

  describe('with several data sources', () => {
    const of = (name: string) => ({ name, kind: 'table', columnCount: 3, rowEstimate: 40, key: ['id'] }) as const;
    const itsm = { dataSource: 'itsm', kind: 'SQLite', isNamed: true };
    const incidents = { ok: true, value: { objects: [of('incident'), of('orders')] } } as const;
    const mixed = text
      .replace('products]', 'products, { source: itsm, objects: [incident] }]')
      .replace(
        'relationships: []',
        '  - { activityName: Open Incident, dataSource: itsm, dataObject: incident, startTimestamp: opened }\nrelationships:\n' +
          '  - { name: about, source: Open Incident, target: Place Order, mappings: [{ source: number, target: number }] }\n' +
          '  - { name: buys, source: Place Order, target: Win Customer, mappings: [{ source: customer_id, target: id }] }',
      );
    const openMixed = (read: () => unknown = () => incidents, width = 1366): Promise<void> => {
      let isRead = false;
      return open({
        text: mixed,
        ...{ width, height: 768 },
        answers: {
          otherSources({ read: asked }: { readonly read?: string }) {
            isRead ||= asked === 'files';
            const files = {
              dataSource: 'files',
              kind: 'Files',
              isNamed: false,
              ...(isRead ? { catalog: read() } : {}),
            };
            return { ok: true, value: [{ ...itsm, catalog: incidents }, files] };
          },
        },
      });
    };
    const region = (name: string) => page().getByRole('region', { name });
    const rowsIn = (name: string) => region(name).getByRole('treeitem').allInnerTexts();
    const focused = () =>
      page().evaluate(() => document.activeElement?.querySelector('.names .clip')?.textContent ?? '');

    it('Choose Data Objects is a tree, which the keyboard opens, reads, filters and chooses from', async () => {
      await openMixed(() => ({ ok: true, value: { objects: [of('shipments')] } }));
      await page().getByRole('button', { name: 'Choose Data Objects' }).click();
      const available = region('Available Data Objects');
      const row = (name: string) => available.getByRole('treeitem').filter({ hasText: name }).first();
      await row('order_lines').waitFor();
      const oneLine = (texts: readonly string[]): readonly string[] => texts.map((each) => each.split('\n')[0] ?? '');
      assert.deepEqual(oneLine(await rowsIn('Available Data Objects')), [
        ...['shop', 'order_lines', 'wide', 'itsm', 'orders', 'files'],
      ]);
      assert.deepEqual(oneLine(await rowsIn('Selected Data Objects')), [
        ...['shop', 'orders', 'customers', 'products', 'itsm', 'incident'],
      ]);
      for (const name of ['shop', 'order_lines', 'itsm', 'files']) await assertSeen(row(name), name);
      // One tab stop; the arrows do the rest.
      await available.getByRole('searchbox').focus();
      await page().keyboard.press('Tab');
      assert.equal(await focused(), 'shop');
      await page().keyboard.press('End');
      assert.equal(await focused(), 'files');
      assert.equal(await row('files').getAttribute('aria-expanded'), 'false');
      await page().keyboard.press('ArrowRight');
      await row('shipments').waitFor();
      await assertSeen(row('shipments'), 'an object of a source that was read when it was opened');
      await page().keyboard.press('ArrowDown');
      assert.equal(await focused(), 'shipments');
      await keepScreenshot(page(), 'canvas-choose-sources');
      await page().keyboard.press('Enter');
      await textBecomes('{ source: files, objects: [shipments] }]');
      // An object of the same name as one of the file stays apart from it.
      await page().getByRole('button', { name: 'Add orders' }).click();
      await textBecomes('{ source: itsm, objects: [incident, orders] }');
      await page().getByRole('button', { name: 'Metadata of incident' }).click();
      await page().locator('#metadata').getByText('itsm').waitFor();
      await page().keyboard.press('Escape');
      await page().keyboard.press('Escape');

      await available.getByRole('searchbox').fill('LINES');
      await row('wide').waitFor({ state: 'detached' });
      assert.deepEqual(oneLine(await rowsIn('Available Data Objects')), ['shop', 'order_lines']);
      await available.getByRole('searchbox').fill('nothing of this name');
      await assertSeen(available.getByText('No match.'), 'that nothing matches');
      await available.getByRole('searchbox').fill('');
      await row('shop').focus();
      await page().keyboard.press('ArrowLeft');
      await row('order_lines').waitFor({ state: 'detached' });
      assert.deepEqual(oneLine(await rowsIn('Available Data Objects')).slice(0, 2), ['shop', 'itsm']);
      assert.deepEqual(await findAccessibilityProblems(page()), []);
    });

    it('the tree shows why a source could not be read, and reads it again on request', async () => {
      const error = { code: 'connection-failed', message: 'The file is locked.', remedy: 'Close it elsewhere.' };
      let answer: unknown = { ok: false, error };
      await openMixed(() => answer, 700);
      await page().getByRole('button', { name: 'Data Objects' }).first().click();
      const available = region('Available Data Objects');
      await available.getByRole('searchbox').fill('files');
      await available.getByRole('treeitem').first().click();
      await available.getByRole('searchbox').fill('');
      const files = available.getByRole('treeitem').filter({ hasText: 'Files' });
      await files.scrollIntoViewIfNeeded();
      if ((await files.getAttribute('aria-expanded')) === 'false') await files.locator('.source').click();
      const said = available.getByText('The file is locked.');
      await said.scrollIntoViewIfNeeded();
      await assertSeen(said, 'why it is not known');
      await assertSeen(available.getByText('Close it elsewhere.'), 'the remedy');
      await keepScreenshot(page(), 'canvas-choose-unread');
      answer = { ok: true, value: { objects: [of('shipments')] } };
      await available.getByRole('button', { name: 'Try Again' }).click();
      await available.getByText('shipments').waitFor();
    });

    it('a data source that another view reads shows its step, can be cancelled, and replaces an old failure', async () => {
      const error = { code: 'connection-failed', message: 'The server is away.' };
      let answer: unknown = { ok: false, error };
      await openMixed(() => answer);
      await page().getByRole('button', { name: 'Choose Data Objects' }).click();
      const available = region('Available Data Objects');
      await available.getByRole('treeitem').filter({ hasText: 'Files' }).locator('.source').click();
      const said = available.getByText('The server is away.');
      await said.waitFor();
      const tell = (state: CatalogState) => host.webview.send({ type: 'otherCatalog', dataSource: 'files', state });
      const step = 'Connecting to db.example:5432';
      await tell({ kind: 'reading', dataSource: 'files', step, elapsedMs: 61_000 });
      await assertSeen(available.getByText(step), 'the step');
      await assertSeen(available.locator('eg-elapsed'), 'the time so far');
      assert.match(await available.locator('eg-elapsed').innerText(), /^1 min 0\d s$/);
      assert.equal(await said.count(), 0);
      await assertSeen(available.getByRole('button', { name: 'Cancel' }), 'Cancel');
      await keepScreenshot(page(), 'canvas-choose-reading');
      await available.getByRole('button', { name: 'Cancel' }).click();
      const stopped = (await host.webview.requests()).find(({ method }) => method === 'stopReading');
      assert.deepEqual(stopped?.params, { dataSource: 'files' });
      answer = { ok: true, value: { objects: [of('shipments')] } };
      await tell({ kind: 'known' });
      await assertSeen(available.getByText('shipments'), 'its data object');
      assert.equal(await available.getByText(step).count(), 0);
    });

    it('the canvas shows the cards of the chosen data sources only', async () => {
      await openMixed();
      await card('Open Incident').waitFor();
      assert.deepEqual(await page().locator('#palette li .clip, #palette li.clip').allInnerTexts(), [
        ...['shop', 'orders', 'customers', 'products', 'itsm', 'incident'],
      ]);
      const filter = page().getByRole('button', { name: 'Filter by Data Source' });
      await assertSeen(filter, 'the filter');
      await filter.click();
      await keepScreenshot(page(), 'canvas-source-filter');
      const items = page().getByRole('menuitemcheckbox');
      assert.deepEqual(await items.allInnerTexts(), ['shop (2)', 'itsm (1)']);
      await page().keyboard.press('ArrowDown');
      await page().keyboard.press('Enter');
      await card('Open Incident').waitFor({ state: 'detached' });
      await label('about').waitFor({ state: 'detached' });
      await assertSeen(card('Place Order'), 'a card of the chosen data source');
      await assertSeen(label('buys'), 'a relationship within it');
      await assertSeen(page().getByText('1 of 2 data sources'), 'that something is left out');
      assert.equal(await page().evaluate(() => document.activeElement?.id), 'source-filter');
      await keepScreenshot(page(), 'canvas-sources-filtered');
      // Find ignores hidden cards, and the last data source cannot be hidden.
      await filter.click();
      assert.equal(await items.first().getAttribute('aria-disabled'), 'true');
      await page().keyboard.press('Escape');
      // A new element is never hidden.
      await page().locator('.palette-object', { hasText: 'incident' }).click();
      await textBecomes('- dataSource: itsm\n    dataObject: incident');
      await card('Open Incident').waitFor();
      assert.equal(await page().getByText('1 of 2 data sources').count(), 0);
      assert.deepEqual(await findAccessibilityProblems(page()), []);
    });

    it('a graph of one data source has no filter, and a flat list', async () => {
      await open();
      await card('Place Order').waitFor();
      assert.equal(await page().locator('#source-filter').count(), 0);
      await page().getByRole('button', { name: 'Choose Data Objects' }).click();
      await page().getByRole('button', { name: 'Add wide' }).waitFor();
      assert.equal(await page().getByRole('tree').count(), 0);
    });
  });

  it('removing a data object or an element lists its dependents, and removes all in one step', async () => {
    const related = text.replace(
      'relationships: []',
      'relationships:\n  - { source: Place Order, target: Win Customer, mappings: [{ source: customer_id, target: id }] }',
    );
    await open({ text: related });
    await card('Place Order').focus();
    await page().keyboard.press('Delete');
    await dialog().getByRole('heading', { name: 'Delete Place Order?' }).waitFor();
    assert.deepEqual(await dialog().getByRole('listitem').allInnerTexts(), ['Place Order → Win Customer']);
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(host.text(), related);
    await page().getByRole('button', { name: 'Choose Data Objects' }).click();
    await page().getByRole('button', { name: 'Remove customers' }).click();
    assert.deepEqual(await dialog().getByRole('listitem').allInnerTexts(), [
      'Win Customer',
      'Place Order → Win Customer',
    ]);
    await keepScreenshot(page(), 'canvas-confirm');
    await page().keyboard.press('Enter');
    await waitUntil('both are gone', async () => (/Win Customer/.test(host.text()) ? undefined : true));
    assert.doesNotMatch(host.text(), /dataObjects: .*customers/);
    await host.undo();
    assert.equal(host.text(), related);
    await page().getByRole('button', { name: 'Remove customers' }).waitFor();

    await page().locator('#next').click();
    await label('Place Order → Win Customer').waitFor();
    await card('Place Order').focus();
    await page().keyboard.press('Delete');
    await dialog().getByRole('heading', { name: 'Delete Place Order?' }).waitFor();
    await page().keyboard.press('Enter');
    await card('Place Order').waitFor({ state: 'detached' });
    assert.equal(await label('Place Order → Win Customer').count(), 0);
    const { graph } = parseEntityGraph(host.text());
    assert.deepEqual(
      [graph.elements.map(({ activityName }) => activityName?.value), graph.relationships.length],
      [['Win Customer'], 0],
    );
    await host.undo();
    assert.equal(host.text(), related);
    await label('Place Order → Win Customer').waitFor();
  });

  it('dropping a data object adds a provisional element, which a dialog configures', async () => {
    await open();
    await card('Place Order').waitFor();
    const before = await card('Place Order').boundingBox();
    await page()
      .locator('.palette-object', { hasText: 'products' })
      .dragTo(page().locator('#viewport'), { targetPosition: { x: 500, y: 420 } });
    await textBecomes(/\n\n {2}- dataObject: products\nrelationships/);
    await card('#2').waitFor();
    const dropped = await card('#2').boundingBox();
    const stage = await page().locator('#viewport').boundingBox();
    assert.ok(dropped && stage && before);
    assert.ok(Math.abs(dropped.x + dropped.width / 2 - stage.x - 500) < 3, JSON.stringify(dropped));
    assert.deepEqual(await card('Place Order').boundingBox(), before);
    assert.equal(await card('#2').locator('svg.exclamation').count(), 1);

    await card('#2').dblclick();
    await dialog().getByRole('button', { name: 'Clear' }).click();
    assert.equal(await isDisabled(), true);
    assert.match(await dialog().locator('#why').innerText(), /Give it an Activity Name/);
    await dialog().locator('#activity-name input').fill('List Product');
    await field('Start Timestamp').click();
    const options = dialog().getByRole('option');
    assert.deepEqual(await options.locator('span:first-child').allInnerTexts(), ['added_at', 'id', 'name']);
    assert.match(await options.nth(1).innerText(), /no timestamp/);
    await page().keyboard.type('add');
    await page().keyboard.press('Enter');
    await dialog().getByRole('checkbox', { name: 'name' }).click();
    await keepScreenshot(page(), 'canvas-element-dialog');
    await confirmDraft();
    await dialog().waitFor({ state: 'detached' });
    await textBecomes(
      '  - activityName: List Product\n    dataObject: products\n    startTimestamp: added_at\n    properties: [name]\n',
    );
    await card('List Product').waitFor();
    assert.equal(await card('List Product').locator('svg.exclamation').count(), 0);
    // The name has changed; the position has not, and is stored for colleagues.
    const named = await card('List Product').boundingBox();
    assert.ok(named && Math.abs(named.x - dropped.x) < 40, JSON.stringify([named, dropped]));
    await waitUntil('the place is kept', async () => (host.layout().elements['List Product'] ? true : undefined));
    // Comments and everything else are unchanged; undo reverts both steps.
    assert.match(host.text(), /# what we sell, and to whom[\s\S]*# it all begins here[\s\S]*# more later/);
    await host.undo();
    await host.undo();
    assert.equal(host.text(), text);
  });

  it('drawing a relationship suggests a join from a foreign key, which a dialog confirms', async () => {
    await open();
    await card('Place Order').waitFor();
    await page().getByRole('button', { name: 'Add Data Relationships' }).click();
    await card('Place Order').hover();
    await page().mouse.down();
    await card('Win Customer').hover();
    await page().mouse.up();
    await textBecomes('relationships:\n  - source: Place Order\n    target: Win Customer\n');
    await dialog().waitFor();
    const line = page().locator('[data-relationship="Place Order → Win Customer"]');
    assert.match((await line.getAttribute('class')) ?? '', /draft/);
    assert.equal(await isDisabled(), true);
    await dialog()
      .getByRole('button', { name: /customer_id = id foreign key orders_customer_id_fkey/ })
      .click();
    await dialog()
      .getByText('Each Place Order is linked to the Win Customer whose id equals its customer_id.')
      .waitFor();
    await keepScreenshot(page(), 'canvas-relationship-dialog');
    await confirmDraft();
    await dialog().waitFor({ state: 'detached' });
    await textBecomes('    mappings:\n      - { source: customer_id, target: id }\n');
    await page().locator('.edge.solid').waitFor({ state: 'attached' });
  });

  it('a relationship is created by keyboard, with an operator, an expression and the trash bin', async () => {
    await open();
    await card('Place Order').waitFor();
    await page().locator('#viewport').focus();
    await page().keyboard.press('r');
    await card('Place Order').focus();
    await page().keyboard.press('Enter');
    await card('Win Customer').focus();
    await page().keyboard.press('Enter');
    await dialog().waitFor();
    await dialog().locator('#add-mapping').click();
    await field('Source column of mapping 1').fill('placed_at');
    await page().keyboard.press('Tab');
    await dialog().getByRole('combobox', { name: 'Operator of mapping 1' }).click();
    await dialog().getByRole('option', { name: '>=', exact: true }).click();
    await field('Target column of mapping 1').fill('since');
    await page().keyboard.press('Tab');
    await dialog().locator('#add-expression').click();
    await dialog().locator('#expression-1').fill('source.customer_id = target.');
    await dialog().locator('.field-problem').waitFor();
    await dialog().locator('#expression-1').fill('source.customer_id = target.id');
    await dialog().locator('.field-problem').waitFor({ state: 'detached' });
    await dialog().locator('#add-mapping').click();
    assert.match(await dialog().locator('#why').innerText(), /Complete each mapping/);
    await dialog().getByRole('button', { name: 'Remove mapping 3' }).click();
    await confirmDraft();
    await textBecomes(
      "      - { source: placed_at, operator: '>=', target: since }\n      - expression: source.customer_id = target.id\n",
    );
    await label('Place Order → Win Customer').waitFor();
    await waitUntil('the focus is back', async () =>
      (await page().evaluate(() => document.activeElement?.getAttribute('data-key'))) ===
      'relationship:Place Order → Win Customer'
        ? true
        : undefined,
    );
  });

  it('properties are mapped by dragging, and through a cross table', async () => {
    await open({
      text: text
        .replace('relationships: []\n', 'relationships:\n  - source: Place Order\n    target: List Product\n')
        .replace(
          'relationships:\n',
          '  - activityName: List Product\n    dataObject: products\n    startTimestamp: added_at\nrelationships:\n',
        ),
    });
    await label('Place Order → List Product').dblclick();
    const source = dialog().getByRole('region', { name: 'Source: Place Order' });
    const target = dialog().getByRole('region', { name: 'Target: List Product' });
    // Arriving content moves what is below it, away from the pointer.
    await dialog()
      .getByRole('button', { name: /through order_lines/ })
      .waitFor();
    await standsStill(target.locator('[data-property="id"]'));
    await source.locator('[data-property="customer_id"]').dragTo(target.locator('[data-property="id"]'));
    await field('Source column of mapping 1').waitFor();
    assert.equal(await field('Source column of mapping 1').inputValue(), 'customer_id');
    await dialog().getByRole('button', { name: 'Remove mapping 1' }).click();
    await source.getByRole('combobox', { name: 'Add Property to source' }).fill('number');
    await page().keyboard.press('Enter');
    await source.locator('[data-property="number"]').waitFor();
    await dialog()
      .getByRole('button', { name: /through order_lines/ })
      .click();
    await dialog().getByText('a row of order_lines says so', { exact: false }).waitFor();
    await confirmDraft();
    await textBecomes(
      '    crossTable:\n      dataObject: order_lines\n      sourceMappings:\n        - { source: id, cross: order_id }\n      targetMappings:\n        - { cross: product_id, target: id }\n',
    );
    await page().locator('.relationship.cross').waitFor();
  });

  it('dialog input survives file changes, and conflicts are shown', async () => {
    await open();
    await card('Place Order').dblclick();
    await field('Change Timestamp').fill('shipped_at');
    await page().keyboard.press('Tab');
    await host.setText(
      host
        .text()
        .replace('name: Shop', 'name: My Shop')
        .replace('startTimestamp: placed_at', 'startTimestamp: shipped_at'),
    );
    await waitUntil('the other value follows', async () =>
      (await field('Start Timestamp').inputValue()) === 'shipped_at' ? true : undefined,
    );
    assert.equal(await dialog().getByText('Your input is kept').count(), 0);
    await host.setText(
      host
        .text()
        .replace('startTimestamp: shipped_at\n', 'startTimestamp: shipped_at\n    changeTimestamp: placed_at\n'),
    );
    await dialog().getByText('Your input is kept; check the highlighted fields and confirm again.').waitFor();
    assert.equal(await field('Change Timestamp').inputValue(), 'shipped_at');
    await confirmDraft();
    await textBecomes('    changeTimestamp: shipped_at\n');
    assert.match(host.text(), /name: My Shop/);
  });

  it('dialog input survives hiding the canvas', async () => {
    await open();
    await card('Place Order').dblclick();
    await field('Change Timestamp').fill('shipped_at');
    await page().keyboard.press('Tab');
    const kept = await waitUntil('the draft is kept', async () => {
      const state = (await host.webview.kept()) as { draft?: unknown } | null;
      return state?.draft ? state : undefined;
    });
    await page().close();
    await open({ kept });
    await dialog().waitFor();
    assert.equal(await field('Change Timestamp').inputValue(), 'shipped_at');
    await confirmDraft();
    await textBecomes('    changeTimestamp: shipped_at\n');
    // The text is written before the page is notified.
    await waitUntil('the draft is forgotten', async () =>
      ((await host.webview.kept()) as { draft?: unknown }).draft === undefined ? true : undefined,
    );
  });

  it('a rejected draft shows its whole query with the error underlined, by keyboard', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `  "orders"."column_${index}" AS "column_${index}",`);
    const sql = `SELECT\n${lines.join('\n')}\n  nonsense(orders.number)\nFROM "orders"`;
    const start = sql.indexOf('nonsense');
    await open();
    host.answers = {
      testQuery: () => ({
        ok: false,
        error: {
          code: 'sql-error',
          message: 'function nonsense does not exist',
          property: 'where',
          excerpt: 'nonsense',
          query: { sql, place: { start, end: start + 'nonsense'.length } },
        },
      }),
    };
    await card('Place Order').dblclick();
    await page().keyboard.press('Control+Enter');
    const title = dialog().getByText('The query that ran, with its error in line 62');
    await title.waitFor();
    const query = dialog().getByRole('region', { name: 'The query that ran, with its error in line 62' });
    assert.equal(await query.isVisible(), false);
    await title.focus();
    await page().keyboard.press('Enter');
    await query.waitFor();
    assert.equal(await query.textContent(), sql);
    const offending = query.locator('mark');
    assert.deepEqual(
      [await offending.innerText(), await offending.evaluate((node) => getComputedStyle(node).textDecorationLine)],
      ['nonsense', 'underline'],
    );
    await waitUntil('the place is in view', async () => {
      const [mark, box] = [await offending.boundingBox(), await query.boundingBox()];
      const footer = await dialog().locator('footer').boundingBox();
      if (!mark || !box || !footer) return undefined;
      return mark.y >= box.y && mark.y + mark.height <= Math.min(footer.y, box.y + box.height) ? true : undefined;
    });
    await keepScreenshot(page(), 'canvas-refused-query');
  });

  it('nothing is reported as missing in a source that was not read', async () => {
    await open();
    const unread = { ok: false, error: { code: 'catalog-unknown', message: 'Nobody has read it.' } };
    host.answers = { columns: () => ({ ok: true, value: [] }), dataObjects: () => unread };
    await card('Place Order').dblclick();
    assert.match(await dialog().locator('.property').first().innerText(), /number\s+not known yet/);
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('Enter is handled by the dialog in front', async () => {
    await open();
    const before = host.text();
    await card('Place Order').dblclick();
    const more = dialog().getByText('Advanced SQL');
    await more.focus();
    await page().keyboard.press('Enter');
    await dialog().locator('#where').waitFor();
    await dialog().locator('#where').fill("orders.number = 'A'");
    await dialog().locator('header').getByRole('button', { name: 'Cancel' }).focus();
    await page().keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(host.text(), before);
  });

  it('SQL errors are shown below the line, and Test Query shows the first rows of a draft with NULLs', async () => {
    await open();
    await card('Place Order').dblclick();
    await dialog().getByText('Advanced SQL').click();
    await dialog().locator('#where').fill("orders.number = 'A' AND");
    const problem = dialog().locator('#where-problem');
    await problem.waitFor();
    assert.match(await problem.innerText(), /ends too early/);
    await dialog().locator('#where').fill("orders.number = 'A'");
    await problem.waitFor({ state: 'detached' });
    const asked: unknown[] = [];
    host.answers = {
      testQuery: (params: unknown) => {
        asked.push(params);
        return {
          ok: true,
          value: {
            columns: [
              { name: 'id', type: 'integer', nulls: 0 },
              { name: 'placed_at', type: 'timestamp', nulls: 1 },
            ],
            rows: [
              [1, '2026-01-01T00:00:00.000000Z'],
              [2, null],
            ],
            truncated: false,
            durationMs: 12,
            warnings: [],
            marks: [
              { row: 1, column: 1, severity: 'warning', message: 'No Start Timestamp: this row gives no event.' },
            ],
          },
        };
      },
    };
    await page().keyboard.press('Control+Enter');
    await dialog().locator('.preview table').waitFor();
    assert.match(await dialog().locator('.preview').innerText(), /2 rows · 12 ms ·\s+placed_at: 1 of 2 empty/);
    const marked = dialog().locator('.preview td:has(.mark)');
    assert.deepEqual(
      [
        await marked.count(),
        await marked.getAttribute('title'),
        (await marked.innerText()).replaceAll(/\s+/g, ' ').trim(),
      ],
      [1, 'No Start Timestamp: this row gives no event.', 'Warning: No Start Timestamp: this row gives no event. NULL'],
    );
    assert.equal(await marked.locator('.codicon-warning').isVisible(), true);
    await marked.scrollIntoViewIfNeeded();
    await keepScreenshot(page(), 'element-dialog-preview-marked');
    assert.deepEqual(asked, [
      {
        target: { kind: 'element', name: 'Place Order' },
        draft: { kind: 'configureElement', element: 'Place Order', values: { where: "orders.number = 'A'" } },
      },
    ]);
  });

  it('a query can be cancelled and shown, the source refreshed, and the dialog closed without changes', async () => {
    await open();
    await card('Place Order').dblclick();
    host.answers = { testQuery: () => new Promise(() => undefined), showQuery: () => ({ ok: true, value: null }) };
    await dialog().locator('#test-query').click();
    await dialog().locator('.preview.running').getByText('Cancel').click();
    await dialog().locator('.preview').getByText('Cancelled.').waitFor();
    const all = await page().evaluate(() => (window as unknown as { posted: { type: string }[] }).posted);
    assert.equal(all.filter(({ type }) => type === 'cancelRequest').length, 1);
    await field('Change Timestamp').fill('shipped_at');
    await page().keyboard.press('Tab');
    await dialog().getByText('Show Query').click();
    await dialog().getByText('Load Property List').click();
    const requests = await host.webview.requests();
    assert.deepEqual(
      requests.filter(({ method }) => method === 'showQuery').map(({ params }) => params),
      [
        {
          target: { kind: 'element', name: 'Place Order' },
          draft: { kind: 'configureElement', element: 'Place Order', values: { changeTimestamp: 'shipped_at' } },
        },
      ],
    );
    assert.deepEqual(requests.filter(({ method }) => method === 'dataObjects').at(-1)?.params, { refresh: true });
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(host.text(), text);
    assert.equal(await page().evaluate(() => document.activeElement?.getAttribute('data-key')), 'element:Place Order');
  });

  it('an unvalidated draft cannot be confirmed', async () => {
    await open();
    await card('Place Order').dblclick();
    await field('Start Timestamp').fill('placed');
    await field('Start Timestamp').press('Tab');
    // Sooner than the automatic check of the input, or refused because of it.
    await confirm().dispatchEvent('click');
    await dialog().locator('.field-problem').waitFor();
    assert.equal(host.text(), text);
    assert.equal(await isDisabled(), true);
  });

  it('Enter confirms a corrected draft before its validation has finished', async () => {
    await open();
    await card('Place Order').dblclick();
    await field('Start Timestamp').fill('placed');
    await field('Start Timestamp').press('Tab');
    await dialog().locator('.field-problem').waitFor();
    assert.equal(await isDisabled(), true);
    await field('Start Timestamp').fill('shipped_at');
    await page().keyboard.press('Enter');
    await page().keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await textBecomes('    startTimestamp: shipped_at\n');
  });

  it('Escape while Confirm validates makes no edit, and while the edit is written waits for its answer', async () => {
    await open();
    const before = host.text();
    const opened = async (name: string): Promise<void> => {
      await card(name).dblclick({ position: { x: 20, y: 10 } });
      await dialog().waitFor();
    };
    await opened('Place Order');
    let go = (): void => undefined;
    const held = () => new Promise<void>((resolve) => (go = resolve));
    let waiting = held();
    let edits = 0;
    host.answers = {
      checkIntent: () => waiting.then(() => ({ ok: true, value: { problems: [] } })),
      edit: () => ((edits += 1), { ok: true, value: {} }),
    };
    await confirm().click();
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await opened('Win Customer');
    go();
    await pause(100);
    assert.equal(edits, 0);
    assert.equal(await dialog().count(), 1, 'the dialog opened meanwhile stays');

    waiting = held();
    let isWriting = false;
    const edit = async () => {
      isWriting = true;
      await waiting;
      return { ok: false, error: { code: 'edit-refused', message: 'No.' } };
    };
    host.answers = { edit };
    await confirmDraft();
    await waitUntil('it is written', async () => (isWriting ? true : undefined));
    await page().keyboard.press('Escape');
    assert.equal(await dialog().count(), 1);
    go();
    await dialog().getByText('No.').waitFor();
    await page().keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(host.text(), before);
  });

  it('an element can be related to itself, and two elements more than once', async () => {
    await open();
    await card('Place Order').waitFor();
    for (const target of ['Place Order', 'Win Customer', 'Win Customer']) {
      await page().getByRole('button', { name: 'Add Data Relationships' }).click();
      await card('Place Order').click({ position: { x: 20, y: 10 } });
      await card(target).click({ position: { x: 20, y: 10 } });
      await dialog().waitFor();
      await page().keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    }
    const names = ['Place Order → Place Order', 'Place Order → Win Customer', 'Place Order → Win Customer 2'];
    for (const name of names)
      await page().locator(`.edge.draft[data-relationship="${name}"]`).waitFor({ state: 'attached' });
    const boxes = await Promise.all(names.map((name) => label(name).boundingBox()));
    assert.equal(new Set(boxes.map((box) => `${box?.x} ${box?.y}`)).size, 3, 'labels stand apart');
  });

  it('five hundred columns can be scrolled and selected', async () => {
    await open({
      text: text
        .replace('dataObject: orders', 'dataObject: wide')
        .replace('placed_at', 'at')
        .replace('[number]', '[id]'),
    });
    await card('Place Order').dblclick();
    const list = dialog().locator('eg-virtual-list');
    await list.getByText('column_1', { exact: true }).waitFor();
    assert.ok((await list.locator('li').count()) < 60);
    await dialog().locator('#property-filter input').fill('column_49');
    await list.getByText('column_499', { exact: true }).waitFor({ state: 'detached' });
    await dialog().getByRole('checkbox', { name: 'column_490', exact: true }).waitFor();
    await dialog()
      .getByRole('checkbox', { name: /^Select (all columns|the \d+ found)$/ })
      .click();
    await confirmDraft();
    await textBecomes(/properties: \[id, column_49, column_490, [\w, ]*column_498\] {3}# more later/);
  });

  it('the context menu of an element works by mouse and by keyboard', async () => {
    await open();
    await card('Place Order').click({ button: 'right' });
    const items = page().getByRole('menuitem');
    assert.deepEqual((await items.locator('span:not(.codicon)').allInnerTexts()).slice(0, 7), [
      'Configure…',
      'Add Process Context…',
      'Duplicate',
      'Delete',
      'Test Query',
      'Show Query',
      'Go to Text',
    ]);
    await keepScreenshot(page(), 'canvas-menu');
    await page().keyboard.press('Escape');
    assert.equal(await page().evaluate(() => document.activeElement?.getAttribute('data-key')), 'element:Place Order');
    await page().keyboard.press('Shift+F10');
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await dialog().waitFor();
    await dialog()
      .locator('vscode-text-area', { hasText: 'Description' })
      .locator('textarea')
      .fill('A customer orders.');
    await confirmDraft();
    await textBecomes('    processContext:\n      description: A customer orders.\n');
    await card('Place Order').locator('.context').waitFor();
    await card('Place Order').click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Duplicate' }).click();
    await textBecomes('activityName: Place Order 2\n');
    await card('Place Order 2').focus();
    await page().keyboard.press('Delete');
    await waitUntil('it is gone', async () => (host.text().includes('Place Order 2') ? undefined : true));
  });

  it('cards move by dragging and by keyboard, keep their positions, and can be arranged again', async () => {
    await open();
    await card('Place Order').waitFor();
    const [before, other] = [await card('Place Order').boundingBox(), await card('Win Customer').boundingBox()];
    assert.ok(before);
    await page().mouse.move(before.x + 20, before.y + 10);
    await page().mouse.down();
    await page().mouse.move(before.x + 120, before.y + 210, { steps: 5 });
    await page().mouse.up();
    const moved = await card('Place Order').boundingBox();
    assert.ok(moved && Math.abs(moved.x - before.x - 100) < 1 && Math.abs(moved.y - before.y - 200) < 1);
    assert.deepEqual(await card('Win Customer').boundingBox(), other);
    await waitUntil('the place is kept', async () =>
      Object.keys(host.layout().elements).length === 1 ? true : undefined,
    );
    const dragged = JSON.stringify(host.layout().elements);
    await card('Place Order').focus();
    await page().keyboard.press('Shift+ArrowRight');
    await waitUntil('the next place is kept', async () =>
      JSON.stringify(host.layout().elements) === dragged ? undefined : true,
    );
    const kept = host.layout();
    assert.equal(host.text(), text);
    await page().close();
    await open({ layout: kept });
    await card('Place Order').waitFor();
    const apart = async () => {
      const [one, two] = [await card('Place Order').boundingBox(), await card('Win Customer').boundingBox()];
      return [Math.round((one?.x ?? 0) - (two?.x ?? 0)), Math.round((one?.y ?? 0) - (two?.y ?? 0))];
    };
    assert.deepEqual(await apart(), [
      Math.round(moved.x + 20 - (other?.x ?? 0)),
      Math.round(moved.y - (other?.y ?? 0)),
    ]);
    await page().getByRole('button', { name: 'Arrange' }).click();
    await waitUntil('nothing is kept', async () =>
      Object.keys(host.layout().elements).length === 0 ? true : undefined,
    );
    await waitUntil('cards are back', async () =>
      (await apart())[1] === Math.round(before.y - (other?.y ?? 0)) ? true : undefined,
    );
  });

  it('several cards can be selected, aligned and collapsed', async () => {
    await open();
    await card('Place Order').click();
    await card('Win Customer').click({ modifiers: ['Control'] });
    assert.equal(await page().locator('.card.selected').count(), 2);
    await card('Win Customer').click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Put in a Column' }).click();
    const boxes = async () => [await card('Place Order').boundingBox(), await card('Win Customer').boundingBox()];
    const [one, two] = await boxes();
    assert.ok(one && two && Math.abs(one.x - two.x) < 1 && Math.abs(one.y - two.y) > 50);
    await card('Win Customer').click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Collapse or Expand' }).click();
    const [smaller] = await boxes();
    assert.ok(smaller && smaller.height < one.height);
    await page().locator('#viewport').focus();
    await page().keyboard.press('Escape');
    assert.equal(await page().locator('.card.selected').count(), 0);
    await page().keyboard.press('Control+a');
    assert.equal(await page().locator('.card.selected').count(), 2);
  });

  it('Find matches any word', async () => {
    await open();
    await card('Place Order').waitFor();
    await page().locator('#viewport').focus();
    await page().keyboard.press('Control+f');
    await page().keyboard.type('customers');
    await page().getByText('1 of 1').waitFor();
    assert.equal(await card('Win Customer').getAttribute('aria-current'), 'true');
    await page().keyboard.press('Escape');
    assert.equal(await page().evaluate(() => document.activeElement?.getAttribute('data-key')), 'element:Win Customer');
  });

  it('editing is disabled while the text is invalid', async () => {
    await open();
    await card('Place Order').waitFor();
    await host.setText(text.replace('properties: [number]', 'properties: [number'));
    await page().locator('#stale').waitFor();
    assert.equal(await page().getByRole('button', { name: 'Add Data Relationships' }).isDisabled(), true);
    await card('Place Order').focus();
    await page().keyboard.press('Delete');
    await page().locator('#failure').getByText('nothing can be changed here', { exact: false }).waitFor();
    await page().keyboard.press('Enter');
    assert.equal(await dialog().count(), 0);
  });

  it('a refused edit is explained', async () => {
    await open({
      text: text
        .replace('dataObject: orders', 'dataObject: &o orders')
        .replace('dataObject: customers', 'dataObject: *o'),
    });
    await card('Place Order').focus();
    await page().keyboard.press('Delete');
    await page().locator('#failure').getByText('an anchor that is used elsewhere', { exact: false }).waitFor();
    assert.match(host.text(), /&o orders/);
  });

  it('the canvas can be exported as SVG and PNG', async () => {
    await open();
    await card('Place Order').waitFor();
    const saved: { kind: string; base64: string }[] = [];
    host.answers = {
      saveImage: (params: { kind: string; base64: string }) => {
        saved.push(params);
        return { ok: true, value: null };
      },
    };
    for (const name of ['Export as SVG…', 'Export as PNG…']) {
      await page().getByRole('button', { name: 'More Actions' }).click();
      await page().getByRole('menuitem', { name }).click();
    }
    await waitUntil('both are saved', async () => (saved.length === 2 ? true : undefined));
    const svg = Buffer.from(saved.find(({ kind }) => kind === 'svg')?.base64 ?? '', 'base64').toString();
    assert.match(svg, /^<svg xmlns[\s\S]*Place Order[\s\S]*<\/svg>$/);
    const png = Buffer.from(saved.find(({ kind }) => kind === 'png')?.base64 ?? '', 'base64');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.readUInt32BE(16) > 400);
  });

  it('a minimap appears for a partly visible canvas, and scrolls it', async () => {
    await open({ width: 720, height: 320 });
    await card('Place Order').waitFor();
    assert.equal(await page().locator('#minimap').count(), 0);
    await page().locator('#viewport').focus();
    for (let step = 0; step < 3; step += 1) await page().keyboard.press('+');
    const minimap = page().locator('#minimap');
    await minimap.waitFor();
    const before = await card('Win Customer').boundingBox();
    await minimap.click({ position: { x: 5, y: 5 } });
    assert.notDeepEqual(await card('Win Customer').boundingBox(), before);
    await page().keyboard.press('m');
  });
});

/** Later content moves what is below it, away from the pointer. */
async function standsStill(place: Locator): Promise<void> {
  let last = '';
  await waitUntil('it stands still', async () => {
    const now = JSON.stringify(await place.boundingBox());
    const isSame = now === last;
    last = now;
    await pause(200);
    return isSame || undefined;
  });
}
