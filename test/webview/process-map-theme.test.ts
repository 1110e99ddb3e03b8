import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

/** The whole window, and half of it beside an editor. */
const sizes = [
  { width: 1366, height: 768 },
  { width: 640, height: 760 },
] as const;
const themeNames = ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const;

describe('process map in a theme', () => {
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

  async function open(size: { readonly width: number; readonly height: number }, messages?: Record<string, string>) {
    webview = await server.open(browser, {
      bundle: 'event-graph',
      ...size,
      answer: (request) => incidents.answer(request),
      messages,
    });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await webview.page.locator('#drawing [data-node]').first().waitFor();
    return webview.page;
  }

  for (const size of sizes) {
    const name = `${size.width}x${size.height}`;
    it(`opens at ${name} with a visible start and readable labels`, async () => {
      const page = await open(size);
      const picture = await page.locator('#picture').boundingBox();
      const start = await page.locator('[data-start]').boundingBox();
      const nodes = await page.locator('#drawing [data-node]').evaluateAll((all) =>
        all
          .map((each) => ({
            name: each.getAttribute('aria-label') ?? '',
            box: each.getBoundingClientRect().toJSON(),
          }))
          .sort((one, other) => one.box.top - other.box.top),
      );
      const [first] = nodes;
      assert.match(first?.name ?? '', /^Open Incident: /);
      assert.deepEqual([isInside(start, picture), isInside(first?.box, picture)], [true, true]);
      const heights = await page
        .locator('#drawing [data-node] text, #drawing [aria-hidden] text')
        .evaluateAll((all) => all.map((text) => text.getBoundingClientRect().height));
      assert.ok(Math.min(...heights) >= 9, `the smallest text is ${Math.min(...heights)} pixels high`);
      await expectLegendInSight(page, [
        'Entities of type incident.',
        'Activities: distinct events.',
        'Paths: directly-follows pairs · median time between.',
        'incident',
      ]);
      for (const theme of themeNames) {
        await useTheme(page, theme);
        await keepScreenshot(page, `process-map-${name}-${theme}`);
      }
      await page.locator('#entity-type').selectOption({ label: 'of all types' });
      await page.getByRole('combobox', { name: 'Count' }).waitFor();
      await expectLegendInSight(page, [
        'Entities of all types, a colour each.',
        'Activities: distinct events.',
        'Paths: distinct pairs of events of a type · median time between.',
        'incident',
        'caller',
      ]);
      await keepScreenshot(page, `process-map-${name}-all-types`);
    });
  }

  it('fills sliders up to their value, and leaves the rest in the colour of the page', async () => {
    const page = await open(sizes[0]);
    const paths = page.getByLabel('Paths', { exact: true });
    assert.ok(Number(await paths.inputValue()) < 90, 'a part of the paths is shown');
    for (const theme of themeNames) {
      await useTheme(page, theme);
      const picture = await paths.screenshot({ animations: 'disabled' });
      const [filled, rest, beside] = await brightness(browser, picture, [
        [0.05, 0.5],
        [0.97, 0.5],
        [0.97, 0.05],
      ]);
      assert.ok(filled !== undefined && rest !== undefined && beside !== undefined);
      assert.ok(Math.abs(rest - beside) < 110, `${theme}: ${rest} on a page of ${beside}`);
      assert.ok(Math.abs(rest - beside) > 20, `${theme}: ${rest} on a page of ${beside} cannot be seen`);
      assert.ok(Math.abs(filled - rest) > 15, `${theme}: ${filled} is like the rest, ${rest}`);
    }
  });

  it('shows the full names of activities in distributions of a third of a window', async () => {
    const page = await open({ width: 362, height: 700 });
    await page.getByRole('tab', { name: 'Distributions' }).click();
    const names = page.locator('.bars .clip');
    await names.first().waitFor();
    const cut = await names.evaluateAll((all) =>
      all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
    );
    assert.deepEqual(cut, []);
    await keepScreenshot(page, 'distributions-narrow');
  });

  it('uses the chart palette, with one colour per type on all maps', async () => {
    const page = await open(sizes[0]);
    const bar = await page.locator('#drawing [data-node] rect:nth-of-type(2)').first().getAttribute('fill');
    await page.locator('#entity-type').selectOption({ label: 'of all types' });
    await page.getByRole('combobox', { name: 'Count' }).waitFor();
    const paths = await page
      .locator('#drawing [data-edge] path:first-of-type')
      .evaluateAll((all) => [...new Set(all.map((path) => path.getAttribute('stroke') ?? ''))]);
    assert.match(bar ?? '', /^var\(--vscode-charts-/);
    assert.ok(paths.includes(bar ?? ''), `${bar} of the incidents among ${paths.join()}`);
    assert.ok(paths.every((colour) => colour.includes('var(--vscode-charts-')));
  });

  it('is in the language of the page', async () => {
    const page = await open(sizes[0], {
      'Entities of type {0}.': 'Entitäten vom Typ {0}.',
      'Activities: {0}.': 'Aktivitäten: {0}.',
      'distinct events': 'verschiedene Ereignisse',
      Start: 'Anfang',
      '{0} times': '{0}-mal',
      ...{ 'by day': 'nach Tagen', 'by week': 'nach Wochen', 'by month': 'nach Monaten' },
    });
    const legend = await page.locator('[data-legend]').getAttribute('aria-label');
    assert.match(legend ?? '', /^Entitäten vom Typ incident. Aktivitäten: verschiedene Ereignisse. Paths:/);
    assert.equal(await page.locator('[data-start]').textContent(), '\nAnfang');
    assert.match((await page.locator('[data-edge]').first().getAttribute('aria-label')) ?? '', /: [\d,]+-mal, median /);
    await page.getByRole('tab', { name: 'Distributions' }).click();
    await page.getByText(/^nach (Tagen|Wochen|Monaten)$/).waitFor();
  });
});

/** Of points of a picture, given as shares of its width and height: how bright they are, 0 to 255. */
async function brightness(
  browser: BrowserContext,
  png: Buffer,
  points: readonly (readonly [x: number, y: number])[],
): Promise<readonly number[]> {
  // A separate page has no content security policy.
  const blank = await browser.newPage();
  const found = await blank.evaluate(
    async ([source, places]) => {
      const image = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      return places.map(([x, y]) => {
        const [red = 0, green = 0, blue = 0] =
          context?.getImageData(Math.floor(x * image.width), Math.floor(y * image.height), 1, 1).data ?? [];
        return (red + green + blue) / 3;
      });
    },
    [`data:image/png;base64,${png.toString('base64')}`, points] as const,
  );
  await blank.close();
  return found;
}

/** The units of a map, whole within the page, and not a second time in the drawing, where scrolling would cut them. */
async function expectLegendInSight(page: Page, lines: readonly string[]): Promise<void> {
  const legend = page.getByRole('region', { name: 'Legend' });
  assert.deepEqual((await legend.innerText()).split(/\n+/), lines);
  const size = page.viewportSize();
  for (const line of lines) {
    const box = await legend.getByText(line, { exact: true }).boundingBox();
    assert.ok(isInside(box, size && { x: 0, y: 0, ...size }), `${line} at ${JSON.stringify(box)}`);
  }
  assert.equal(await page.locator('[data-legend]').isVisible(), false);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function isInside(box: Box | null | undefined, outer: Box | null): boolean {
  if (!box || !outer) return false;
  const isAcross = box.x >= outer.x && box.x + box.width <= outer.x + outer.width;
  return isAcross && box.y >= outer.y && box.y + box.height <= outer.y + outer.height;
}
