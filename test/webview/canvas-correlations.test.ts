import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, projectFolder, sharedChromium } from '../support/vscode-host.ts';
import { type CanvasHost, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const ofUnknownType = `version: 1
dataSource: shop
elements:
  - { activityName: Visit, dataObject: orders, key: id, startTimestamp: placed_at, ownEntity: false, correlatesWith: [{ entityType: visitor, key: customer_id, qualifier: of }] }
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, correlatesWith: [{ entityType: visitor, key: customer_id }] }
`;

describe('entities of rows on the canvas', () => {
  let server: WebviewServer;
  let browser: BrowserContext;
  let host: CanvasHost;
  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });
  const page = () => host.webview.page;
  const open = async (text: string, size: { width: number; height: number }): Promise<void> => {
    host = await openCanvasHost(server, browser, { text, ...size });
    await page().locator('.card').first().waitFor();
  };
  const orderToCash = (): Promise<string> =>
    readFile(join(projectFolder, 'samples/order-to-cash/order-to-cash.entity.yaml'), 'utf8');

  for (const [name, size] of [
    ['wide', { width: 1366, height: 690 }],
    ['half', { width: 683, height: 690 }],
    ['large', { width: 1920, height: 1000 }],
  ] as const) {
    it(`joins every card of order-to-cash, which has no island (${name})`, async () => {
      await open(await orderToCash(), size);
      await keepScreenshot(page(), `correlations-${name}`);
      const view = await page().evaluate(() => ({
        cards: [...document.querySelectorAll<HTMLElement>('.card')].map((card) => card.dataset['key'] ?? ''),
        lines: [...document.querySelectorAll<SVGPathElement>('[data-correlation]')].map(
          (line) => line.dataset['correlation'] ?? '',
        ),
        lengths: [...document.querySelectorAll<SVGPathElement>('[data-correlation]')].map((line) =>
          line.getTotalLength(),
        ),
      }));
      assert.equal(view.lines.length, 7, view.lines.join());
      assert.ok(view.lengths.every((length) => length > 10));
      assert.ok(view.cards.length >= 12);
      const legend = page().locator('#legend');
      await assertSeen(legend, 'the legend of the colours');
      assert.match(await legend.innerText(), /order\s+delivery\s+invoice\s+payment\s+customer\s+material/);
    });
  }

  it('shows an entity type that only rows name, and events without an entity in its colour', async () => {
    await open(ofUnknownType, { width: 1000, height: 600 });
    const type = page().locator('.entity-type');
    await assertSeen(type, 'the entity type');
    assert.equal(await type.innerText(), 'visitor');
    assert.equal(await page().locator('[data-correlation]').count(), 2);
    const colour = (place: string): Promise<string> =>
      page()
        .locator(place)
        .first()
        .evaluate((node) => node.style.getPropertyValue('--type'));
    assert.equal(await colour('[data-key="element:Visit"]'), await colour('.entity-type'));
    assert.notEqual(await colour('[data-key="element:Place Order"]'), await colour('.entity-type'));
    assert.match((await page().locator('[data-key="element:Visit"]').textContent()) ?? '', /also about: visitor/);
    assert.deepEqual(await findAccessibilityProblems(page()), []);
  });
});
