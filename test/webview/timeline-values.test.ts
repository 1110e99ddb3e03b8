import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ImportedIncidents, importIncidents } from './imported-incidents.ts';
import { assertSeen } from './visible.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

/** Values of an incident that change while nothing happens, one of them a long one. */
const agreements = {
  files: {
    'data/agreements.csv': `incident,since,agreement,note
INC0000990,08-03-2016 10:00,gold,
INC0000990,11-03-2016 10:00,platinum,${'The customer pays for twice the usual speed from now on. '.repeat(4)}
`,
  },
  graph: `
entities:
  - { name: Agreements, entityType: incident, dataObject: agreements, key: incident, validFrom: since, properties: [agreement, note] }
`,
};

describe('timeline with values over time', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;
  let incidents: ImportedIncidents;

  before(async () => {
    [browser, server, incidents] = await Promise.all([
      sharedChromium(),
      startWebviewServer(),
      importIncidents(agreements),
    ]);
  });
  after(() => Promise.all([server.close(), incidents.remove()]));
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  async function openTimeline(size: { readonly width: number; readonly height: number }, openNumber?: unknown) {
    webview = await server.open(browser, {
      bundle: 'event-graph',
      ...size,
      answer: async (request) => (request.method === 'openNumber' ? openNumber : incidents.answer(request)),
    });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    const { page } = webview;
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('#entity-search').fill('INC0000990');
    await page.locator('.hit', { hasText: 'INC0000990' }).first().click();
    await page.getByRole('list', { name: 'Events' }).waitFor();
    return page;
  }

  it('shows at which event the chosen properties change', async () => {
    const page = await openTimeline({ width: 1366, height: 768 });
    const choice = page.locator('.property-choice');
    await choice.locator('summary').click();
    const boxes = choice.getByRole('checkbox');
    const all = await boxes.count();
    assert.ok(all > 5, String(all));
    const changed = page.locator('.line .change');
    assert.ok((await changed.count()) > 0, 'properties that change are shown at first');
    await choice.getByRole('button', { name: 'Show None' }).click();
    assert.equal(await changed.count(), 0);
    await choice.locator('li', { hasText: 'priority' }).getByRole('checkbox').check();
    const [first] = await changed.allInnerTexts();
    assert.match(first ?? '', /^priority\s+\d - \w+$/, 'the first value has none before it');
    await choice.getByRole('button', { name: 'Show All' }).click();
    const texts = (await changed.allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
    assert.ok(
      texts.some((text) => text.includes(' → ')),
      texts.join('; '),
    );
    for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `timeline-values-1366x768-${theme}`);
    }
    // The choice outlives the page.
    assert.equal((((await webview.kept()) as { shownValues?: unknown[] }).shownValues ?? []).length, all);
  });

  it('is readable at half the width, and opens the SQL of a property', async () => {
    const page = await openTimeline({ width: 640, height: 760 }, { ok: true, value: null });
    await keepScreenshot(page, 'timeline-values-640x760');
    const change = page.locator('.line .change').first();
    await change.scrollIntoViewIfNeeded();
    const box = await change.boundingBox();
    assert.ok(box && box.x > 0 && box.x + box.width <= 640, JSON.stringify(box));
    await page.locator('.property-choice summary').click();
    await page.locator('.property-choice li', { hasText: 'priority' }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Show Its SQL' }).click();
    const request = await waitUntil('it was asked', async () =>
      (await webview.requests()).find(({ method }) => method === 'openNumber'),
    );
    const { number } = request.params as { number: { kind: string; property: string } };
    assert.deepEqual([number.kind, number.property], ['history', 'priority']);
  });

  for (const [width, height] of [
    [1366, 768],
    [640, 760],
  ] as const) {
    it(`shows values that change between events at their times, readable in ${width}×${height} and all themes`, async () => {
      const page = await openTimeline({ width, height });
      await page.locator('.property-choice summary').click();
      await page.locator('.property-choice').getByRole('button', { name: 'Show None' }).click();
      // A day is shown in the first visible row, even if hidden values precede it.
      const next = page.locator('.line li', { hasText: '11:53:00' });
      assert.match(await next.innerText(), /^2016-03-11/);
      for (const name of ['agreement', 'note'])
        await page.locator('.property-choice li', { hasText: name }).getByRole('checkbox').check();
      await page.locator('.property-choice summary').click();
      const rows = page.locator('.line li', { hasText: 'Values change' });
      assert.deepEqual(
        (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 70).trim()),
        [
          '2016-03-08 10:00:00 Values change agreement gold',
          '2016-03-11 10:00:00 Values change agreement gold → platinum note The c',
        ],
      );
      const last = rows.last();
      await last.scrollIntoViewIfNeeded();
      await assertSeen(last.locator('.change').first(), 'a value');
      for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
        await useTheme(page, theme);
        await keepScreenshot(page, `timeline-dated-${width}x${height}-${theme}`);
      }
      assert.deepEqual(await findAccessibilityProblems(page), []);
    });
  }

  it('shows why a number cannot be opened, until the message is dismissed', async () => {
    const error = { code: 'query-failed', message: 'The store is being replaced.', remedy: 'Try again.' };
    const page = await openTimeline({ width: 1366, height: 768 }, { ok: false, error });
    await page.locator('.entity').getByRole('button').first().click();
    await page.getByRole('menuitem', { name: 'Show Its Rows' }).click();
    const alert = page.getByRole('alert');
    assert.match(await alert.innerText(), /The store is being replaced\. Try again\./);
    await keepScreenshot(page, 'event-graph-failure');
    await alert.getByRole('button', { name: 'Close' }).click();
    await alert.waitFor({ state: 'detached' });
  });
});
