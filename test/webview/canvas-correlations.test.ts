import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, projectFolder, sharedChromium } from '../support/vscode-host.ts';
import { type CanvasHost, openCanvasHost } from './canvas-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ThemeName, themes } from './themes.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

const ofUnknownType = `version: 1
dataSource: shop
elements:
  - { activityName: Visit, dataObject: orders, key: id, startTimestamp: placed_at, ownEntity: false, correlatesWith: [{ entityType: visitor, key: customer_id, qualifier: of }] }
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, correlatesWith: [{ entityType: visitor, key: customer_id }] }
`;

const withRelationship = `${ofUnknownType}relationships:
  - { name: leads to, source: Visit, target: Place Order, mappings: [{ source: id, target: id }] }
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

  it('chooses a line by a click, reaches it by keyboard, and removes it in one step that undo brings back', async () => {
    await open(ofUnknownType, { width: 1000, height: 600 });
    const before = host.text();
    const line = page().locator('[data-line="correlation:Place Order:0"]');
    const middle = await line.evaluate((path: SVGPathElement) => {
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 4);
      const { a, b, c, d, e, f } = path.getScreenCTM() ?? new DOMMatrix();
      return { x: a * x + c * y + e, y: b * x + d * y + f };
    });
    await page().mouse.click(middle.x + 3, middle.y + 3);
    const handle = page().locator('[data-key="correlation:Place Order:0"]');
    assert.equal(await handle.getAttribute('aria-current'), 'true');
    assert.equal(await handle.getAttribute('aria-label'), 'Place Order is also about visitor');
    await assertSeen(handle, 'the handle of the line');
    await page().locator('[data-key="element:Place Order"]').focus();
    for (let step = 0; step < 4; step += 1) {
      await page().keyboard.press('ArrowRight');
      if (await handle.evaluate((node) => node === document.activeElement)) break;
    }
    assert.equal(await handle.evaluate((node) => node === document.activeElement), true, 'an arrow key reaches it');
    await keepScreenshot(page(), 'correlation-focused');
    await page().keyboard.press('Enter');
    await page().locator('#correlation-key-0').waitFor();
    await page().keyboard.press('Escape');
    await handle.focus();
    await page().keyboard.press('Delete');
    await waitUntil('the correlation is gone', async () =>
      /placed_at, correlatesWith/.test(host.text()) ? undefined : true,
    );
    assert.match(host.text(), /activityName: Visit.*correlatesWith/);
    await host.undo();
    assert.equal(host.text(), before);
  });

  it('deletes nothing before the question about what goes along is confirmed, and all of it in one step', async () => {
    await open(withRelationship, { width: 1000, height: 600 });
    const before = host.text();
    const handle = page().locator('[data-key="correlation:Place Order:0"]');
    await handle.focus();
    await handle.press('Enter');
    await page().locator('#correlation-key-0').waitFor();
    await page().keyboard.press('Escape');
    await page()
      .locator('[data-key="element:Visit"]')
      .click({ modifiers: ['Shift'], position: { x: 20, y: 10 } });
    await page().keyboard.press('Delete');
    const question = page().locator('dialog[open]');
    await question.waitFor();
    await page().keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assert.equal(host.text(), before);
    await page().locator('[data-key="element:Visit"]').focus();
    await page().keyboard.press('Delete');
    await question.getByRole('button', { name: 'Delete' }).click();
    await waitUntil('both are gone', async () =>
      /correlatesWith|activityName: Visit|relationships:\n {2}-/.test(host.text()) ? undefined : true,
    );
    await host.undo();
    assert.equal(host.text(), before);
  });

  for (const where of ['a mark', 'the legend'] as const) {
    it(`a line drawn from a card to an entity type at ${where} is one more correlation, one undo`, async () => {
      await open(ofUnknownType, { width: 1000, height: 600 });
      const before = host.text();
      await page().keyboard.press('Escape');
      await page().locator('#viewport').focus();
      await page().keyboard.press('r');
      const [from, to] = await Promise.all([
        page().locator('[data-key="element:Place Order"]').boundingBox(),
        page()
          .locator(where === 'a mark' ? '.entity-type' : '#legend [data-type="visitor"]')
          .boundingBox(),
      ]);
      assert.ok(from && to);
      await page().mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page().mouse.down();
      await page().mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
      await page().mouse.up();
      const key = page().locator('#correlation-key-1');
      await key.waitFor();
      assert.equal(host.text(), before, 'nothing is written before Confirm');
      await waitUntil('the key has the focus', async () =>
        (await key.evaluate((node) => node.contains(document.activeElement))) ? true : undefined,
      );
      await page().keyboard.type('number');
      await page().keyboard.press('Tab');
      await page().getByRole('button', { name: 'Confirm' }).click({ timeout: 20_000 });
      await waitUntil('it is written', async () => (host.text() === before ? undefined : true));
      assert.match(host.text(), /entityType: visitor, key: number/);
      await host.undo();
      assert.equal(host.text(), before);
    });
  }

  it('lines and their handles stand out from the background where only names are shown, in all themes', async () => {
    await open(await orderToCash(), { width: 1366, height: 690 });
    while ((await zoomOf()) > 0.62) await page().getByRole('button', { name: 'Zoom Out' }).click();
    assert.ok((await zoomOf()) > 0.5);
    for (const theme of Object.keys(themes) as ThemeName[]) {
      await useTheme(page(), theme);
      await keepScreenshot(page(), `correlations-names-${theme}`);
      for (const what of ['path.edge.correlation', '.correlation-handle']) {
        const contrasts = await contrastsOf(what);
        assert.ok(contrasts.length > 0 && Math.min(...contrasts) >= 3, `${theme}, ${what}: ${contrasts.join(', ')}`);
      }
    }
  });

  it('colours of entity types stand out from the background in all themes', async () => {
    await open(await orderToCash(), { width: 1366, height: 690 });
    const swatches = page().locator('#legend .swatch');
    await swatches.nth(5).waitFor();
    for (const theme of Object.keys(themes) as ThemeName[]) {
      await useTheme(page(), theme);
      const ground = await page().evaluate(() => getComputedStyle(document.body).backgroundColor);
      for (const colour of await swatches.evaluateAll((all) =>
        all.map((each) => getComputedStyle(each).backgroundColor),
      )) {
        const [one = 0, other = 0] = [lightOf(colour), lightOf(ground)].toSorted((left, right) => right - left);
        assert.ok((one + 0.05) / (other + 0.05) >= 2.9, `${theme}: ${colour} on ${ground}`);
      }
    }
  });

  /** The relative luminance of `rgb(…)`. */
  function lightOf(colour: string): number {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((channel) => {
      const share = Number(channel) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  const zoomOf = async (): Promise<number> =>
    Number(/\d+/.exec(await page().locator('.toolbar .zoom').innerText())?.[0]) / 100;

  /** The contrast of the most distinct pixel of each part in sight to the background, in a picture of the page. */
  async function contrastsOf(selector: string): Promise<readonly number[]> {
    const picture = (await page().screenshot()).toString('base64');
    // Functions of this file run in the page, which lacks the compiler's helper.
    await page().evaluate('globalThis.__name = (value) => value');
    return page().evaluate(
      async ([source, wanted]) => {
        const blob = Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([blob], { type: 'image/png' }));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
        if (!context) return [];
        context.drawImage(bitmap, 0, 0);
        const lightAt = (pixels: Uint8ClampedArray, at: number): number => {
          const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
            const share = (pixels[at + channel] ?? 0) / 255;
            return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const ratio = (one: number, other: number): number =>
          (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        const corner = document.querySelector('#viewport')?.getBoundingClientRect();
        const ground = lightAt(context.getImageData((corner?.right ?? 0) - 4, (corner?.bottom ?? 0) - 4, 1, 1).data, 0);
        return [...document.querySelectorAll<SVGGraphicsElement | HTMLElement>(wanted)].flatMap((part) => {
          let place = part.getBoundingClientRect();
          if (part instanceof SVGPathElement) {
            // Near its start, where it leaves its card.
            const matrix = part.getScreenCTM();
            const length = part.getTotalLength();
            const [from, to] = [0.2, 0.3].map((share) =>
              part.getPointAtLength(length * share).matrixTransform(matrix ?? undefined),
            );
            if (!from || !to) return [];
            place = new DOMRect(
              Math.min(from.x, to.x) - 1,
              Math.min(from.y, to.y) - 1,
              Math.abs(from.x - to.x) + 3,
              Math.abs(from.y - to.y) + 3,
            );
          }
          if (
            place.left < (corner?.left ?? 0) ||
            place.top < (corner?.top ?? 0) ||
            place.right > (corner?.right ?? 0) ||
            place.bottom > (corner?.bottom ?? 0)
          )
            return [];
          const { data } = context.getImageData(
            place.left,
            place.top,
            Math.max(1, place.width),
            Math.max(1, place.height),
          );
          let most = 1;
          for (let at = 0; at < data.length; at += 4) most = Math.max(most, ratio(lightAt(data, at), ground));
          return [Math.round(most * 100) / 100];
        });
      },
      [picture, selector] as const,
    );
  }

  it('the legend is reached by keyboard', async () => {
    await open(withRelationship, { width: 900, height: 600 });
    const button = page().locator('#legend [data-type="order"] button');
    for (let tabs = 0; tabs < 40 && !(await button.evaluate((each) => each === document.activeElement)); tabs += 1)
      await page().keyboard.press('Tab');
    await page().keyboard.press('Enter');
    await page().locator('.card.selected[data-key="element:Place Order"]').waitFor();
  });

  it('the legend selects the cards of a type', async () => {
    await open(await orderToCash(), { width: 1366, height: 690 });
    await page().locator('#legend [data-type="order"] button').click();
    const chosen = await page().locator('.card.selected').count();
    assert.equal(chosen, 5);
  });
});
