import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { type CanvasHost, openCanvasHost } from './canvas-host.ts';
import { entityRows } from './entity-rows.ts';
import { answered, apiView } from './explorer-news.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { graph, lineRange, orders } from './graph-views.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { failure, marked, orderRows } from './query-results.ts';
import { type ThemeName, themes } from './themes.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

const file = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, products, order_lines]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [number, gone]
    where: orders.total >
  - activityName: Win Customer
    dataObject: customers
relationships:
  - source: Place Order
    target: Win Customer
    mappings: [{ source: customer_id, target: id }, { expression: source.id > }]
`;

/** States with a document. */
const canvasStates: readonly (readonly [name: string, text: string, act: (page: Page) => Promise<void>])[] = [
  [
    'choosing data objects',
    file,
    async (page) => {
      await page.getByRole('button', { name: 'Choose Data Objects' }).first().click();
      await page.getByRole('button', { name: 'Metadata of orders' }).click();
      await page.locator('#metadata').getByText('customer_id').waitFor();
    },
  ],
  [
    'element dialog',
    file,
    async (page) => {
      await page.locator('[data-key="element:Place Order"]').dblclick();
      await page.locator('#where-problem').waitFor();
      await page.getByText('Process Context').click();
      await page.locator('#change-timestamp input').click();
      await page.getByRole('option').first().waitFor();
    },
  ],
  [
    'relationship dialog',
    file,
    async (page) => {
      await page.locator('.relationship').first().dblclick();
      await page.locator('dialog .field-problem').waitFor();
      await page.locator('#add-cross-table').click();
      await page.getByRole('button', { name: 'Add source mapping' }).click();
    },
  ],
  [
    'context menu and find',
    file,
    async (page) => {
      await page.locator('#viewport').focus();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('order');
      await page.locator('[data-key="element:Place Order"]').click({ button: 'right' });
      await page.getByRole('menuitem').first().waitFor();
    },
  ],
];

/** What is done on each tab of the event graph before it is judged. */
const tabs: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'Process Map': (page) => page.locator('[data-node="1"]').first().click(),
  Measures: (page) => page.locator('.quantiles').first().waitFor(),
  Cases: (page) => page.getByRole('row').nth(1).click(),
  async Timeline(page) {
    await page.locator('.hit').first().click();
    await page.locator('.line li').first().waitFor();
  },
  'Over Time': (page) => page.locator('svg').first().waitFor(),
  Distributions: (page) => page.locator('.column').first().waitFor(),
  Compare: async () => undefined,
  Why: async () => undefined,
  Rules: async () => undefined,
  'Data Quality': (page) => page.locator('.finding summary').first().click(),
  Changes: async () => undefined,
};

/** Every state of all webviews: how to reach it, and what the page then shows. */
const states: readonly (readonly [
  name: string,
  bundle: 'canvas' | 'entities' | 'event-graph' | 'explorer' | 'results',
  reach: (webview: WebviewPage, host: CanvasHost | undefined) => Promise<void>,
])[] = [
  [
    'canvas',
    'canvas',
    async (webview) => {
      await webview.send({ type: 'graph', number: 1, view: orders });
      await webview.page.locator('[data-key="element:Place Order"]').click();
      const syntaxError = { message: 'A bracket is not closed.', range: lineRange(3) };
      await webview.send({ type: 'graph', number: 1, view: graph([], [], { syntaxError }) });
      await webview.page.locator('#stale').waitFor();
    },
  ],
  [
    'empty canvas',
    'canvas',
    async (webview) => {
      await webview.send({ type: 'graph', number: 1, view: graph([], [], { dataObjects: [{ name: 'orders' }] }) });
      await webview.page.locator('#empty').waitFor();
    },
  ],
  ...canvasStates.map(
    ([name, , act]) =>
      [
        name,
        'canvas',
        async (webview: WebviewPage, host: CanvasHost | undefined) => {
          assert.ok(host, 'these states need a document');
          await act(webview.page);
        },
      ] as const,
  ),
  [
    'API explorer',
    'explorer',
    async (webview) => {
      await webview.send({ type: 'explorer', news: { kind: 'view', view: apiView } });
      await webview.send({ type: 'explorer', news: answered() });
      await webview.page.getByRole('tab', { name: /Columns/ }).click();
      await webview.page.locator('#endpoint input').click();
      await webview.page.getByRole('option').first().waitFor();
    },
  ],
  [
    'entities',
    'entities',
    async (webview) => {
      await webview.send({ type: 'entities', rows: entityRows, trusted: false });
      await webview.page.getByText('Orders').click();
      await webview.page.mouse.move(0, 0);
    },
  ],
  [
    'no entities',
    'entities',
    async (webview) => {
      await webview.send({ type: 'entities', rows: [], trusted: true });
      await webview.page.locator('#no-entities').waitFor();
    },
  ],
  ...Object.entries(tabs).map(
    ([tab, act]) =>
      [
        `event graph ${tab}`,
        'event-graph',
        async (webview: WebviewPage) => {
          await webview.send({ type: 'eventGraph', name: 'incidents' });
          await webview.page.getByRole('tab', { name: tab, exact: true }).click();
          const shown = await webview.page.getByRole('tab').allTextContents();
          assert.deepEqual(shown.map((text) => text.trim()).toSorted(), Object.keys(tabs).toSorted());
          await act(webview.page);
        },
      ] as const,
  ),
  [
    'results',
    'results',
    async (webview) => {
      const result = orderRows(100, { truncated: true, warnings: ['shipped_date is often NULL.'] });
      await webview.send({ type: 'result', title: 'Place Order', source: 'northwind', result });
      await webview.page.locator('[data-cell="3:2"]').click();
      await webview.page.mouse.move(0, 0);
    },
  ],
  [
    'marked results',
    'results',
    async (webview) => {
      const result = orderRows(100, marked);
      await webview.send({ type: 'result', title: 'orders', source: 'northwind', result });
      await webview.page.locator('.cell.marked').first().waitFor();
    },
  ],
  [
    'running query',
    'results',
    async (webview) => {
      await webview.send({ type: 'running', title: 'Place Order', elapsedMs: 0 });
      await webview.page.getByRole('button', { name: 'Cancel' }).waitFor();
    },
  ],
  [
    'failed query',
    'results',
    async (webview) => {
      await webview.send({ type: 'failure', title: 'Place Order', error: failure });
      await webview.page.locator('#failure').waitFor();
    },
  ],
  [
    'empty result',
    'results',
    async (webview) => {
      await webview.send({ type: 'result', title: 'Place Order', source: 'northwind', result: orderRows(0) });
      await webview.page.locator('#no-rows').waitFor();
    },
  ],
];

describe('accessibility of all webviews', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let incidents: ImportedIncidents;

  before(async () => {
    [browser, server, incidents] = await Promise.all([sharedChromium(), startWebviewServer(), sharedIncidents()]);
  });
  after(() => server.close());

  for (const [name, bundle, reach] of states) {
    it(name, async () => {
      // Without motion nothing is half transparent in a test.
      const options = { reducedMotion: true };
      const text = canvasStates.find(([each]) => each === name)?.[1];
      const host = text ? await openCanvasHost(server, browser, { text, ...options }) : undefined;
      const webview =
        host?.webview ??
        (await server.open(browser, {
          ...{ bundle, ...options },
          answer: bundle === 'event-graph' ? incidents.answer : undefined,
        }));
      await reach(webview, host);
      assert.deepEqual(await findAccessibilityProblems(webview.page), []);
      for (const theme of Object.keys(themes) as ThemeName[]) {
        await useTheme(webview.page, theme);
        await keepScreenshot(webview.page, `${name.replaceAll(' ', '-')}-${theme}`);
        assert.deepEqual(await findAccessibilityProblems(webview.page, ['color-contrast']), [], theme);
      }
      assert.deepEqual(webview.errors, []);
      await webview.page.close();
    });
  }
});
