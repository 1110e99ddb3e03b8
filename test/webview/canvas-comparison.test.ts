import assert from 'node:assert/strict';
import type { BrowserContext, Locator } from 'playwright-core';
import type { TextComparison } from '../../protocol/compared-canvas.ts';
import { deltasOf } from '../../protocol/graph-effect.ts';
import { comparedOrders } from '../support/compared-orders.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ThemeName, themes } from './themes.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

const wide = { width: 1366, height: 690 };
const sizes = { wide, half: { width: 683, height: 690 } };

describe('a comparison on the canvas', () => {
  let server: WebviewServer;
  let browser: BrowserContext;
  let host: CanvasHost;
  let text: string;
  let comparison: TextComparison;
  before(async () => {
    [browser, server, { text, comparison }] = await Promise.all([
      sharedChromium(),
      startWebviewServer(),
      comparedOrders(),
    ]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });
  const page = () => host.webview.page;
  const tell = (isOutdated = false): Promise<void> =>
    host.webview.send({ type: 'comparison', shown: { canvas: comparison.canvas, isOutdated } });
  const open = async (size: { readonly width: number; readonly height: number } = wide): Promise<void> => {
    const done = (): unknown => ({ ok: true, value: null });
    host = await openCanvasHost(server, browser, { text, ...size, answers: { textComparison: done, saveImage: done } });
    await page().locator('.card').first().waitFor();
  };
  const card = (key: string): Locator => page().locator(`[data-key=${JSON.stringify(key)}]`);
  const gone = (): Locator => page().locator('.card.change-gone');
  const posted = async (method: string): Promise<readonly unknown[]> =>
    (await host.webview.requests()).flatMap((request) => (request.method === method ? [request.params] : []));
  const boxes = (): Promise<Readonly<Record<string, string>>> =>
    page().evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLElement>('.card')].map(({ dataset, style }) => [
          dataset['key'] ?? '',
          `${style.left} ${style.top}`,
        ]),
      ),
    );

  it('shows the numbers of a card by a click on them, and of each changed entry by its menu', async () => {
    await open();
    await tell();
    const [id, change] =
      Object.entries(comparison.canvas.elements).find(([, { text: said }]) => /events/.test(said)) ?? [];
    assert.ok(id !== undefined && change);
    const changed = page().locator('.card.change-changed', { hasText: change.text }).first();
    await changed.locator('.change').click();
    const shown = { action: 'showNumbers', entry: change.entry };
    assert.deepEqual(change.entry, { section: 'elements', name: 'Place Order' });
    assert.deepEqual((await posted('textComparison')).at(-1), shown);
    await changed.click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Show Numbers' }).click();
    assert.deepEqual(await posted('textComparison'), [shown, shown]);
    await gone().click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Show Numbers' }).click();
    const ofGone = comparison.canvas.goneElements[0]?.change.entry;
    assert.deepEqual((await posted('textComparison')).at(-1), { action: 'showNumbers', entry: ofGone });
    // Equal entries have no numbers, and neither have those of an earlier text.
    await page().keyboard.press('Escape');
    await page()
      .locator('.card:not(.change-changed):not(.change-new):not(.change-gone)')
      .first()
      .click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    assert.equal(await page().getByRole('menuitem', { name: 'Show Numbers' }).count(), 0);
  });

  it('marks new, changed and gone cards and lines with the numbers of the code lenses', async () => {
    await open();
    await tell();
    await gone().waitFor();
    const marks = await page().evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.card, .relationship')].flatMap((each) => {
        const kind = ['new', 'changed', 'gone'].find((name) => each.classList.contains(`change-${name}`));
        const said = each.querySelector('.change .clip')?.textContent ?? '';
        return kind === undefined ? [] : [`${kind} ${each.querySelector('.title .clip')?.textContent ?? ''}: ${said}`];
      }),
    );
    assert.deepEqual(marks.toSorted(), [
      'changed Place Order: −91 events',
      'changed delivers: −84 relations',
      'changed invoices of order: −90 relations',
      'gone Reject Item: −75 events, 1 property',
      'gone contains: −979 relations',
      'new Announce Delivery: +448 events',
      'new announces: +364 relations',
    ]);
    const { changes } = comparison.effect;
    assert.ok(changes);
    const lost = deltasOf(changes).find(({ part, name }) => part === 'events' && name === 'Place Order');
    assert.deepEqual(lost, { part: 'events', name: 'Place Order', kind: 'gone', count: 91 });
    const lines = await page().evaluate(() =>
      [...document.querySelectorAll<SVGElement>('.edge:is(.change-new, .change-changed, .change-gone)')].map(
        ({ dataset, classList }) => `${dataset['relationship'] ?? dataset['correlation']} ${classList[2]}`,
      ),
    );
    assert.ok(lines.length >= 5, lines.join());
    const correlations = page().locator('.edge.correlation:is(.change-new, .change-gone)');
    assert.ok((await correlations.count()) > 0);
    // Zoomed out, too.
    await page().evaluate(() => document.querySelector('#world')?.classList.remove('full'));
    const colours = await correlations.evaluateAll((all) =>
      all.map((line) => {
        const kind = line.classList.contains('change-new') ? 'new' : 'gone';
        const head = document.querySelector(`#arrow-${kind} path`);
        const arrow = line.getAttribute('marker-end') === `url(#arrow-${kind})` && head;
        return [getComputedStyle(line).stroke, arrow ? getComputedStyle(arrow).fill : ''] as const;
      }),
    );
    for (const [line, head] of colours) assert.equal(line, head);
    assert.match(
      await page().locator('#comparison .sides').innerText(),
      /^origin\/main \(1f2e3d4c5b\), .*2026.* → This text, /,
    );
    assert.equal(await page().locator('#comparison .marks').innerText(), 'New 2\nChanged 3\nGone 2');
    assert.match(await page().locator('#comparison .total').innerText(), /^−166 events, \+448 events, −83 entities/);
  });

  for (const [name, size] of Object.entries(sizes)) {
    it(`has room for all of it, and is accessible in all themes (${name})`, async () => {
      await open(size);
      await tell();
      await gone().waitFor();
      await page().locator('#viewport').focus();
      await page().keyboard.press('f');
      for (const button of ['Show Numbers', 'Stop Comparing'])
        await assertSeen(page().getByRole('button', { name: button }), button);
      await assertSeen(gone(), 'the gone card');
      const overlaps = await page().evaluate(() => {
        const found = [...document.querySelectorAll('.card, .relationship, #comparison')].map((each) => ({
          name: each.id || (each.querySelector('.title')?.textContent ?? '').trim(),
          box: each.getBoundingClientRect(),
        }));
        return found.flatMap(({ name: one, box: a }, index) =>
          found
            .slice(index + 1)
            .flatMap(({ name: other, box: b }) =>
              a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
                ? [`${one} covers ${other}`]
                : [],
            ),
        );
      });
      assert.deepEqual(overlaps, []);
      for (const theme of Object.keys(themes) as readonly ThemeName[]) {
        await useTheme(page(), theme);
        assert.deepEqual(await findAccessibilityProblems(page()), [], theme);
        await keepScreenshot(page(), `comparison-${name}-${theme}`);
      }
      await tell(true);
      await page().getByText('Before the latest edits').waitFor();
      await assertSeen(page().locator('#comparison .marks'), 'the legend');
      for (const theme of Object.keys(themes) as readonly ThemeName[]) {
        await useTheme(page(), theme);
        assert.deepEqual(await findAccessibilityProblems(page()), [], theme);
      }
      await keepScreenshot(page(), `comparison-outdated-${name}`);
    });
  }

  it('is reached and ended by keyboard, and a gone card can be looked at, not edited', async () => {
    await open();
    await tell();
    await gone().waitFor();
    await gone().focus();
    for (const key of ['Enter', 'F2', 'Delete', 'Shift+ArrowRight', 'Control+Enter']) await page().keyboard.press(key);
    await gone().dblclick();
    assert.equal(await page().locator('dialog').count(), 0);
    assert.deepEqual([...(await posted('edit')), ...(await posted('openResults'))], []);
    await gone().focus();
    await page().keyboard.press('Shift+F10');
    assert.deepEqual(await page().getByRole('menuitem').allInnerTexts(), ['Show Numbers', 'Stop Comparing']);
    await page().keyboard.press('Enter');
    await page().keyboard.press('Control+a');
    assert.equal(await page().locator('.card.change-gone.selected').count(), 0);
    await page().getByRole('button', { name: 'Show Numbers' }).focus();
    await page().keyboard.press('Tab');
    await page().keyboard.press('Enter');
    const ofEntry = { action: 'showNumbers', entry: { section: 'elements', name: 'Reject Item' } };
    assert.deepEqual(await posted('textComparison'), [ofEntry, ofEntry, { action: 'stop' }]);
    assert.deepEqual(host.layout(), { elements: {} });
  });

  it('leaves the cards of the file where they are, and says when it is older than the text', async () => {
    await open();
    const before = await boxes();
    await tell();
    await gone().waitFor();
    const during = await boxes();
    for (const [key, place] of Object.entries(before)) assert.equal(during[key], place, key);
    await tell(true);
    await page().getByText('Before the latest edits').waitFor();
    // The marks are still on the cards, so what they mean is, too; the numbers of the whole graph are not.
    assert.equal(await page().locator('#comparison .marks').innerText(), 'New 2\nChanged 3\nGone 2');
    assert.equal(await page().locator('#comparison .total').count(), 0);
    await page().getByRole('button', { name: 'Compare Again' }).click();
    assert.deepEqual(await posted('textComparison'), [{ action: 'compareAgain' }]);
    await host.webview.send({ type: 'comparison', shown: null });
    await gone().waitFor({ state: 'detached' });
    assert.deepEqual([await boxes(), await page().locator('#comparison').count()], [before, 0]);
    assert.equal(await card('element:Place Order').locator('.change').count(), 0);
  });

  it('is in the exported image, with its legend', async () => {
    await open();
    await tell();
    await gone().waitFor();
    await page().locator('#viewport').focus();
    await page().keyboard.press('Shift+F10');
    await page().getByRole('menuitem', { name: 'Export as SVG…' }).click();
    const [image] = await waitUntil('the image came', async () => {
      const images = (await posted('saveImage')) as readonly { readonly base64: string }[];
      return images.length > 0 ? images : undefined;
    });
    const svg = Buffer.from(image?.base64 ?? '', 'base64').toString('utf8');
    for (const said of [
      'origin/main (1f2e3d4c5b)',
      'New 2',
      'Changed 3',
      'Gone 2',
      'Reject Item',
      '−91 events',
      '−979 relations',
    ])
      assert.ok(svg.includes(said), said);
  });
});
