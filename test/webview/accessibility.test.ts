import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { keepScreenshot, launchChromium } from '../support/vscode-host.ts';
import { graph, lineRange, orders } from './graph-views.ts';
import { failure, orderRows } from './query-results.ts';
import { type ThemeName, themes } from './themes.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeWindow {
  axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> };
}

/** Every state of both webviews: how to get there, and what is then on the page. */
const states: readonly (readonly [
  name: string,
  bundle: 'canvas' | 'results',
  reach: (webview: WebviewPage) => Promise<void>,
])[] = [
  [
    'canvas',
    'canvas',
    async (webview) => {
      await webview.send({ type: 'graph', view: orders });
      await webview.page.locator('[data-key="element:Place Order"]').click();
      await webview.send({ type: 'stale', message: 'A bracket is not closed.', range: lineRange(3) });
      await webview.page.locator('#stale').waitFor();
    },
  ],
  [
    'empty canvas',
    'canvas',
    async (webview) => {
      await webview.send({ type: 'graph', view: graph([]) });
      await webview.page.locator('#empty').waitFor();
    },
  ],
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
    'running query',
    'results',
    async (webview) => {
      await webview.send({ type: 'running', title: 'Place Order' });
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

for (const theme of Object.keys(themes) as ThemeName[]) {
  describe(`everyone can use it: ${theme}`, () => {
    let browser: Browser;
    let server: WebviewServer;

    before(async () => {
      [browser, server] = await Promise.all([launchChromium(), startWebviewServer()]);
    });
    after(() => Promise.all([browser.close(), server.close()]));

    for (const [name, bundle, reach] of states) {
      it(name, async () => {
        // Without motion nothing is half faded in when it is looked at.
        const webview = await server.open(browser, { bundle, theme, reducedMotion: true });
        await reach(webview);
        await keepScreenshot(webview.page, `${name.replaceAll(' ', '-')}-${theme}`);
        await webview.page.evaluate(axeSource);
        const { violations } = await webview.page.evaluate(() => (window as unknown as AxeWindow).axe.run());
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
        );
        assert.deepEqual(found, []);
        assert.deepEqual(webview.errors, []);
        await webview.page.close();
      });
    }
  });
}
