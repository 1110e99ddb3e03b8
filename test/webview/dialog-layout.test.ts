import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { assertSeen, unseenReason } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, products]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    where: total > 10
    properties: [number, total]
  - activityName: Win Customer
    dataObject: customers
    startTimestamp: since
  - dataObject: products
    startTimestamp: added_at
relationships:
  - { source: Place Order, target: Win Customer, mappings: [{ source: customer_id, target: id }] }
`;

/** The page of a canvas in a window of 1366×768 with the side bar open, and beside the text. */
const pages = [
  { name: 'wide', width: 1018, height: 690 },
  { name: 'half', width: 640, height: 760 },
] as const;

const rows = {
  columns: [
    { name: 'id', type: 'integer', nulls: 0 },
    { name: 'number', type: 'text', nulls: 0 },
    { name: 'placed_at', type: 'timestamp', nulls: 1 },
  ],
  rows: Array.from({ length: 20 }, (_, index) => [index, `O-${index}`, index === 3 ? null : '2024-05-01T08:00:00Z']),
  truncated: true,
  durationMs: 12,
  warnings: [],
};

describe('layout of dialogs', () => {
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

  const open = async (options: Partial<CanvasHostOptions>): Promise<void> => {
    host = await openCanvasHost(server, browser, { text, ...options });
  };
  const page = () => host.webview.page;
  const dialog = () => page().getByRole('dialog');
  const configure = async (key: string): Promise<void> => {
    await page().locator(`[data-key="${key}"]`).focus();
    await page().keyboard.press('Enter');
    await dialog().waitFor();
  };
  const test = () => dialog().locator('#test-query').click();

  it('six properties have room without a scroll bar of their own', async () => {
    await open({ ...pages[0], text });
    await configure('element:Place Order');
    const list = dialog().locator('.properties eg-virtual-list');
    await list.getByText('shipped_at').waitFor();
    assert.equal(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), 0);
  });

  it('names of renamed properties have visible labels, in the order of the rows', async () => {
    const named = '[{ column: total, name: value }, { column: number, name: no }]';
    await open({ ...pages[0], text: text.replace('[number, total]', named) });
    await configure('element:Place Order');
    const names = dialog().getByRole('group', { name: 'Names of properties' }).locator('vscode-text-field');
    await names.first().scrollIntoViewIfNeeded();
    const labels = await names.evaluateAll((fields) =>
      fields.map((field) => {
        const label = field.shadowRoot?.querySelector('label');
        const { width = 0, height = 0 } = label?.getBoundingClientRect() ?? {};
        return [field.textContent.trim(), width > 40 && height > 8];
      }),
    );
    const rowsInOrder = await dialog().locator('.property vscode-checkbox').allInnerTexts();
    const expected = rowsInOrder
      .map((each) => each.trim())
      .filter((each) => ['number', 'total'].includes(each))
      .map((each) => [`Name of ${each}`, true]);
    assert.equal(expected.length, 2);
    assert.deepEqual(labels, expected);
    await keepScreenshot(page(), 'dialog-property-names');
  });

  for (const { name, ...size } of pages) {
    it(`fields of starts and ends, and of expectations, stand in rows (${name})`, async () => {
      const written = `    lifecycle: { column: number, start: [start], end: [complete] }
    expect:
      unique: [number, [id, number]]
      values: { number: [open, closed] }
      rows: many
`;
      await open({ ...size, text: text.replace('    where:', `${written}    where:`), withProblems: true });
      await configure('element:Place Order');
      for (const title of ['Starts and Ends in Rows of Their Own', 'Expectations of Rows'])
        await dialog()
          .locator('details', { hasText: title })
          .evaluate((section: HTMLDetailsElement) => (section.open = true));
      const box = async (selector: string) => {
        const field = dialog().locator(selector).first();
        await field.scrollIntoViewIfNeeded();
        const { x, y, width, height } = (await field.boundingBox()) ?? assert.fail(selector);
        return { left: x, top: y, right: x + width, bottom: y + height };
      };
      const column = await box('#lifecycle');
      const [start, end] = [await box('#lifecycle-start'), await box('#lifecycle-end')];
      assert.equal(start.top, end.top, 'starts and ends stand beside one another');
      assert.deepEqual([column.left, column.right], [start.left, end.right], 'below their column');
      await keepScreenshot(page(), `dialog-starts-and-ends-${name}`);
      const problem = dialog().locator('.field-problem', { hasText: 'must be written like "1000..".' });
      await problem.waitFor();
      const rowsField = await box('#expect-rows');
      const place = await problem.boundingBox();
      assert.equal(place?.x, rowsField.left, 'the problem stands at its field');
      assert.ok(place.y >= rowsField.bottom && place.y < rowsField.bottom + 12);
      const [key, values] = [await box('#expect-unique-0'), await box('#expect-column-0')];
      const trashes = await dialog()
        .locator('.expectation .trash')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
      assert.equal(trashes.length, 3);
      assert.equal(new Set(trashes).size, 1, 'the bins stand below one another');
      assert.equal(key.left, values.left);
      const texts = await box('#expect-values-0');
      assert.ok(Math.abs(texts.top - (await box('#expect-column-0')).top) <= 8, 'values stand beside their column');
      await keepScreenshot(page(), `dialog-expectations-${name}`);
    });
  }

  it('selects of a cross table keep their width beside a preview, and times are readable', async () => {
    const crossTable =
      '{ dataObject: products, sourceMappings: [{ source: id, cross: added_at }], targetMappings: [{ cross: added_at, target: id }] }';
    const many = text.replace('mappings: [{ source: customer_id, target: id }]', `crossTable: ${crossTable}`);
    await open({ ...pages[0], text: many });
    const value = { ...rows, rows: [[1, 'O-1', '2024-05-01T08:51:15.000000Z']], sides: [], counts: undefined };
    host.answers = { previewJoin: () => ({ ok: true, value }) };
    await configure('relationship:Place Order → Win Customer');
    await test();
    await dialog().locator('.preview-table').waitFor();
    await keepScreenshot(page(), 'dialog-cross-table');
    const selects = dialog().locator('.cross-table section eg-combobox');
    assert.ok((await selects.count()) >= 2);
    for (const width of await selects.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width)))
      assert.ok(width >= 120, `${width}`);
    await dialog().getByRole('cell', { name: '2024-05-01 08:51:15Z' }).waitFor();
  });

  for (const { name, ...size } of pages) {
    it(`rows of Test Query are visible at once (${name})`, async () => {
      await open(size);
      host.answers = { testQuery: () => ({ ok: true, value: rows }) };
      await configure('element:Place Order');
      await keepScreenshot(page(), `dialog-element-${name}`);
      await test();
      await dialog().locator('.preview-table').waitFor();
      await keepScreenshot(page(), `dialog-rows-${name}`);
      for (const index of [0, 1, 2, 3]) {
        await assertSeen(dialog().locator('.preview-table tbody tr').nth(index).locator('td').first(), `row ${index}`);
      }
      await assertSeen(dialog().getByText('First 20 rows'), 'the number of rows');
      await assertSeen(dialog().locator('#confirm'), 'Confirm');
      await assertSeen(dialog().locator('#activity-name'), 'the first field');
    });

    it(`an error of the query is visible at its field (${name})`, async () => {
      await open(size);
      const error = {
        ...{ code: 'column-missing', message: 'The column "totall" does not exist.' },
        ...{ property: 'where', excerpt: 'totall', query: { sql: 'SELECT 1 WHERE totall > 10' } },
      };
      host.answers = { testQuery: () => ({ ok: false, error }) };
      await configure('element:Place Order');
      await test();
      await dialog().locator('.preview.failed').waitFor();
      await keepScreenshot(page(), `dialog-error-${name}`);
      await assertSeen(dialog().locator('.preview.failed strong'), 'the message');
      await assertSeen(dialog().locator('#where-problem'), 'the message at its field');
      assert.equal(await dialog().getByText('In Activity Name').count(), 0);
      assert.equal(await dialog().locator('#confirm').isDisabled(), true);
      await dialog().locator('#where').fill('total > 10');
      await dialog().locator('#where-problem').waitFor({ state: 'detached' });
      await waitUntil('it can be confirmed', async () =>
        (await dialog().locator('#confirm').isDisabled()) ? undefined : true,
      );
    });

    it(`a preview with counts sends no further request for counts (${name})`, async () => {
      await open(size);
      host.answers = {
        previewJoin: () => ({
          ok: true,
          value: {
            ...rows,
            columns: ['id', 'id'].map((column) => ({ name: column, type: 'integer', nulls: 0 })),
            rows: [[10248, 7]],
            sides: ['source', 'target'],
            counts: {
              pairs: 830,
              source: { rows: 900, nullKeys: 20, unmatched: 70, most: 1 },
              target: { rows: 91, nullKeys: 0, unmatched: 2, most: 31 },
            },
          },
        }),
      };
      await configure('relationship:Place Order → Win Customer');
      await test();
      await assertSeen(dialog().locator('.join-counts tbody tr').nth(1), 'the counts of both sides');
      assert.equal(await dialog().getByText('Counting matches…').count(), 0);
      assert.deepEqual(
        (await host.webview.requests()).filter(({ method }) => method === 'countJoin'),
        [],
      );
    });

    it(`the preview of a relationship shows both sides and how they match (${name})`, async () => {
      await open(size);
      host.answers = {
        previewJoin: () => ({
          ok: true,
          value: {
            ...rows,
            columns: [
              { name: 'id', type: 'integer', nulls: 0 },
              { name: 'id', type: 'integer', nulls: 0 },
              { name: 'customer_id', type: 'integer', nulls: 0 },
              { name: 'name', type: 'text', nulls: 0 },
            ],
            rows: [[10248, 7, 7, 'Vins et alcools Chevalier']],
            marks: [{ row: 0, column: 3, severity: 'warning', message: 'This name is doubtful.' }],
            sides: ['source', 'target', 'source', 'target'],
          },
        }),
        countJoin: () => ({
          ok: true,
          value: {
            pairs: 830,
            source: { rows: 900, nullKeys: 20, unmatched: 70, most: 1 },
            target: { rows: 91, nullKeys: 0, unmatched: 2, most: 31 },
          },
        }),
      };
      await configure('relationship:Place Order → Win Customer');
      assert.equal(await dialog().getByText('Nothing joins them yet.').count(), 0);
      await assertSeen(dialog().locator('.summary', { hasText: 'is linked to the' }), 'how they are joined');
      await keepScreenshot(page(), `dialog-relationship-${name}`);
      await test();
      await dialog().locator('.join-counts').waitFor();
      await keepScreenshot(page(), `dialog-join-${name}`);
      await assertSeen(dialog().locator('.join-counts tbody tr').nth(1), 'the counts of both sides');
      assert.deepEqual(
        (await dialog().locator('.join-counts tbody tr').allInnerTexts()).map((row) => row.split(/\s*\t\s*/)),
        [
          ['Place Order', '900', '20', '70', '1'],
          ['Win Customer', '91', '0', '2', '31'],
        ],
      );
      await assertSeen(dialog().locator('.preview-table tbody td').first(), 'the first row');
      const [sentence, join] = [
        await dialog().locator('.summary').boundingBox(),
        await dialog().locator('.join').boundingBox(),
      ];
      const cut = await dialog()
        .locator('.summary')
        .evaluate((element) => element.scrollHeight - element.clientHeight);
      assert.ok(sentence && join && sentence.y + sentence.height <= join.y && cut <= 0, `${cut}`);
      const number = dialog().locator('.join-counts td').first();
      assert.equal(await number.evaluate((cell) => getComputedStyle(cell).textAlign), 'end');
      // The query lists keys first; the table has the columns of each side beside each other.
      const texts = async (cells: string) =>
        (await dialog().locator(`.preview-table ${cells}`).allInnerTexts()).map((text) =>
          text.replaceAll(/\s+/g, ' ').trim(),
        );
      assert.deepEqual(await texts('.side-name'), ['Source Place Order', 'Target Win Customer']);
      await assertSeen(dialog().locator('.side-name').first(), 'the name of the source above its columns');
      const spans = await dialog()
        .locator('.preview-table th[scope=colgroup]')
        .evaluateAll((all) => all.map((each) => (each as HTMLTableCellElement).colSpan));
      assert.deepEqual(spans, [2, 2]);
      assert.deepEqual(await texts('th[scope=col]'), ['id integer', 'customer_id integer', 'id integer', 'name text']);
      const cells = await texts('tbody td');
      assert.deepEqual(cells.slice(0, 3), ['10248', '7', '7']);
      assert.match(cells[3] ?? '', /Vins et alcools Chevalier$/);
      assert.equal(await dialog().locator('.preview-table td.marked').getAttribute('title'), 'This name is doubtful.');
      const problems = await findAccessibilityProblems(page());
      assert.deepEqual(problems, []);
    });
  }

  it('Test Query works for an element without an Activity Name', async () => {
    await open({ width: 1018, height: 690 });
    let asked: unknown;
    host.answers = {
      testQuery: (params: unknown) => {
        asked = params;
        return { ok: true, value: rows };
      },
    };
    await configure('element:#2');
    await test();
    await dialog().locator('.preview-table').waitFor();
    assert.deepEqual(asked, {
      target: { kind: 'element', name: 'Unnamed activity on products' },
      draft: {
        ...{ kind: 'configureElement', element: '#2' },
        values: { activityName: 'Unnamed activity on products' },
      },
    });
  });

  it('the divider moves by keys and pointer, and its position is remembered', async () => {
    await open({ width: 1018, height: 690 });
    host.answers = { testQuery: () => ({ ok: true, value: rows }) };
    await configure('element:Place Order');
    await test();
    const divider = dialog().getByRole('separator');
    await divider.focus();
    await page().keyboard.press('ArrowLeft');
    assert.equal(await divider.getAttribute('aria-valuenow'), '50');
    const box = await divider.boundingBox();
    assert.ok(box);
    await page().mouse.move(box.x + 2, box.y + 40);
    await page().mouse.down();
    await page().mouse.move(box.x + 100, box.y + 40);
    await page().mouse.up();
    const now = Number(await divider.getAttribute('aria-valuenow'));
    assert.ok(now > 35 && now < 45, String(now));
    const { previewShare } = (await host.webview.kept()) as { previewShare: { beside: number; below: number } };
    assert.equal(Math.round(previewShare.beside * 100), now);
    assert.equal(previewShare.below, 0.5);
    // The size of the keys is saved as well, if the pointer comes late.
    await waitUntil('the size is saved for all canvases', async () => {
      const saved = (await host.webview.requests()).findLast(
        (message) => 'method' in message && message.method === 'savePreviewShare',
      );
      return saved !== undefined && isDeepStrictEqual((saved as { params: unknown }).params, { share: previewShare });
    });
  });

  it('the preview of a new canvas has the last used size', async () => {
    await open({
      ...{ width: 1018, height: 690 },
      answers: {
        previewShare: () => ({ ok: true, value: { beside: 0.3, below: 0.6 } }),
        testQuery: () => ({ ok: true, value: rows }),
      },
    });
    await configure('element:Place Order');
    await test();
    assert.equal(await dialog().getByRole('separator').getAttribute('aria-valuenow'), '30');
    const [pane, whole] = await Promise.all([
      dialog().getByRole('region', { name: 'Preview' }).boundingBox(),
      dialog().locator('.split').boundingBox(),
    ]);
    assert.ok(pane && whole);
    assert.ok(Math.abs(pane.width / whole.width - 0.3) < 0.02, `${pane.width} of ${whole.width}`);
  });

  it('Add Process Context opens its section only, with the focus in it', async () => {
    await open({ width: 640, height: 760 });
    await page().locator('[data-key="element:Place Order"]').focus();
    await page().keyboard.press('Shift+F10');
    await page().getByRole('menuitem', { name: 'Add Process Context…' }).click();
    await dialog().getByRole('heading', { name: 'Process Context of Place Order' }).waitFor();
    await keepScreenshot(page(), 'dialog-context');
    assert.equal(await dialog().locator('#activity-name').count(), 0);
    assert.equal(await page().evaluate(() => document.activeElement?.id), 'context-description');
    await page().keyboard.type('A customer orders.');
    await dialog().locator('#confirm').click();
    await waitUntil('it is written', () =>
      Promise.resolve(/processContext:\n\s+description: A customer orders\./.test(host.text()) || undefined),
    );
  });

  it('a new mapping shows no error until it loses the focus', async () => {
    await open({ width: 1018, height: 690 });
    await configure('relationship:Place Order → Win Customer');
    await dialog().locator('#add-mapping').click();
    await dialog().locator('[data-mapping="1"]').waitFor();
    await dialog().getByRole('combobox', { name: 'Source column of mapping 2' }).focus();
    await waitUntil('the empty mapping was checked', async () =>
      (await host.webview.requests()).some(
        ({ method, params }) => method === 'checkIntent' && JSON.stringify(params).includes('"source":""'),
      )
        ? true
        : undefined,
    );
    await waitUntil('it blocks', async () => ((await dialog().locator('#confirm').isDisabled()) ? true : undefined));
    assert.equal(await dialog().locator('[data-mapping="1"] .field-problem').count(), 0);
    assert.match(await unseenReason(dialog().locator('.field-problem')), /does not exist/);
  });
});
