import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/vscode-host.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('first draw of a page', () => {
  let browser: Browser;
  let server: WebviewServer;
  before(async () => {
    [browser, server] = await Promise.all([launchChromium(), startWebviewServer()]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const bundle of ['canvas', 'entities', 'event-graph', 'explorer', 'results'] as const) {
    it(`${bundle} › its load event waits for no font of the icons`, async () => {
      const { page, errors } = await server.open(browser, { bundle });
      const { loaded, fonts } = await page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation');
        const resources = performance.getEntriesByType('resource').filter(({ name }) => /codicon\.ttf/.test(name));
        return {
          loaded: navigation instanceof PerformanceNavigationTiming ? navigation.loadEventStart : Number.NaN,
          fonts: resources.map(({ startTime }) => startTime),
        };
      });
      assert.ok(loaded > 0);
      assert.ok(
        fonts.every((startTime) => startTime >= loaded),
        `load at ${loaded}, the font at ${fonts.join(', ')}`,
      );
      assert.ok((await page.locator('#root').innerHTML()) !== '');
      assert.deepEqual(errors, []);
      await page.close();
    });
  }
});
