import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { sharedChromium } from '../support/vscode-host.ts';
import { entityRows } from './entity-rows.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('first draw of a page', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());

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

  for (const bundle of ['entities', 'event-graph', 'explorer', 'results'] as const) {
    it(`${bundle} › it loads no file before it has drawn`, async () => {
      const { page, errors } = await server.open(browser, { bundle });
      const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      assert.deepEqual(
        files.filter((name) => !/codicon\.ttf/.test(name)),
        [],
      );
      assert.ok((await page.locator('#root').innerHTML()) !== '');
      assert.deepEqual(errors, []);
      await page.close();
    });
  }

  it('entities › draws the rows in its HTML at once, and replaces them when a message arrives', async () => {
    const [row, ...others] = entityRows;
    assert.ok(row);
    const named = { ...row, name: '</script><!-- "a" & <b>' };
    const first = { type: 'entities', rows: [named], trusted: true, isEarlier: true } as const;
    const webview = await server.open(browser, { bundle: 'entities', first });
    const names = webview.page.locator('.rows .name');
    await webview.page.locator('#table[aria-busy="true"]').waitFor();
    assert.deepEqual(await names.allInnerTexts(), [named.name]);
    await webview.waitForPosted('drawn');
    await webview.send({ type: 'entities', rows: others, trusted: true });
    await webview.page.locator('#table:not([aria-busy="true"])').waitFor();
    assert.equal(await names.count(), others.length);
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });
});
