import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { assertSeen } from './visible.ts';
import { type PostedRequest, type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('event graph: a slow question after an earlier answer', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;
  let incidents: ImportedIncidents;

  before(async () => {
    [browser, server, incidents] = await Promise.all([sharedChromium(), startWebviewServer(), sharedIncidents()]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });
  const page = () => webview.page;
  const period = () => page().getByLabel('with events from');

  it('shows progress without moving the answer; Cancel brings its filter back', async () => {
    let isSlow = false;
    const never = new Promise(() => undefined);
    const answer = (request: PostedRequest): Promise<unknown> =>
      isSlow && ['map', 'variants', 'countEntities'].includes(request.method) ? never : incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', width: 1200, height: 760, answer });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await page().locator('.variant').first().waitFor();
    await page().locator('.variant').first().click();
    const chips = page().locator('.filter-bar .chip');
    await chips.first().waitFor();
    await page().locator('.stale').waitFor({ state: 'detached' });
    const shown = async () => [
      await chips.allInnerTexts(),
      await page().locator('#matching').innerText(),
      await page().locator('#drawing [data-node]').allTextContents(),
      await page().locator('#panel').boundingBox(),
    ];
    const settled = await shown();
    isSlow = true;
    await period().fill('2015-01-01');
    const cancel = page().getByRole('button', { name: 'Cancel', exact: true });
    await cancel.waitFor();
    assert.equal(await period().inputValue(), '2015-01-01');
    assert.deepEqual(await shown(), settled, 'the earlier answer stays where it is');
    await assertSeen(cancel, 'Cancel');
    await assertSeen(page().locator('.still-reading p'), 'progress');
    await keepScreenshot(page(), 'event-graph-still-reading');
    // The next tab stop after the filter.
    await page().locator('.filter-bar button').last().focus();
    await page().keyboard.press('Tab');
    assert.equal(await cancel.evaluate((button) => button === document.activeElement), true);
    await page().keyboard.press('Enter');
    await cancel.waitFor({ state: 'detached' });
    assert.equal(await period().inputValue(), '');
    assert.deepEqual(await shown(), settled);
    assert.equal(await page().locator('.stale').count(), 0);
    assert.equal(
      await page()
        .getByRole('tab', { name: 'Map' })
        .evaluate((tab) => tab === document.activeElement),
      true,
    );
    // An earlier filter can still be brought back.
    isSlow = false;
    await page().locator('#undo-filter').click();
    await chips.first().waitFor({ state: 'detached' });
    await page().locator('.stale').waitFor({ state: 'detached' });
  });
});
