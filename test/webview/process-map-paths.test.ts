import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type { GraphFilter, ProcessMapView } from '../../protocol/event-graph.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { assertSeen } from './visible.ts';
import {
  type PostedRequest,
  type WebviewPage,
  type WebviewServer,
  startWebviewServer,
  useTheme,
} from './webview-page.ts';

const whole = { width: 1366, height: 768 };
const half = { width: 640, height: 760 };

describe('paths of the process map', () => {
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

  async function load(size = whole, kept?: unknown): Promise<Page> {
    const answer = (request: PostedRequest): Promise<unknown> => incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', ...size, answer, kept });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    return webview.page;
  }
  async function open(size = whole, kept?: unknown): Promise<Page> {
    const page = await load(size, kept);
    await page.locator('#drawing [data-node]').first().waitFor();
    return page;
  }
  const settled = (page: Page): Promise<void> => page.locator('#panel .stale').waitFor({ state: 'detached' });

  it('show counts, medians, 90 % or total times, by width, colour and label', async () => {
    const page = await open();
    const real = (await incidents.answer({
      ...{ type: 'request', id: 0, method: 'map' },
      params: { filter: { entityType: 'incident' }, pathMeasure: 'total' },
    })) as { value: ProcessMapView };
    const [slowest] = real.value.edges.toSorted((one, other) => other.total - one.total);
    assert.ok(slowest);
    const choices = page.getByRole('group', { name: 'Paths show' });
    const choose = (name: string) => choices.getByRole('button', { name, exact: true });
    for (const name of ['Count', 'Median', '90 %', 'Total']) await assertSeen(choose(name), name);
    assert.equal(await choose('Count').getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('.scale').count(), 0);
    await choose('Total').click();
    const scale = page.locator('.scale');
    await scale.waitFor();
    await settled(page);
    await assertSeen(scale, 'the scale of colours');
    assert.equal(await scale.getAttribute('aria-label'), `Colours of paths: 0 s to ${slowest.totalText}.`);
    await assertSeen(
      page.locator('.legend').getByText('Paths: total time between · directly-follows pairs.'),
      'what paths show',
    );
    const lines = await page.locator('[data-edge]').evaluateAll((edges) =>
      edges.map((edge) => {
        const line = edge.querySelector('path');
        return {
          label: edge.getAttribute('aria-label') ?? '',
          width: Number(line?.getAttribute('stroke-width')),
          colour: line ? getComputedStyle(line).stroke : '',
        };
      }),
    );
    const [widest] = lines.toSorted((one, other) => other.width - one.width);
    assert.match(
      widest?.label ?? '',
      new RegExp(`^${slowest.source} → ${slowest.target}: .* total ${slowest.totalText}$`),
    );
    assert.equal(lines.filter(({ colour }) => colour === widest?.colour).length, 1, 'its colour is its own');
    const labels = await page.locator('[data-label]').allTextContents();
    assert.ok(
      labels.map((text) => text.trim()).includes(`${slowest.totalText} · ${slowest.count.toLocaleString('en')}`),
      labels.join(),
    );
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `map-total-time-${theme}`);
      const looks = await page
        .getByRole('group', { name: 'Paths show' })
        .getByRole('button')
        .evaluateAll((buttons) =>
          buttons.map((button) => ({
            isChosen: button.getAttribute('aria-pressed') === 'true',
            border: getComputedStyle(button).borderColor,
          })),
        );
      const [chosen] = looks.filter(({ isChosen }) => isChosen);
      assert.equal(
        looks.filter(({ border }) => border === chosen?.border).length,
        1,
        `only the choice has its look: ${theme}`,
      );
      assert.deepEqual(await findAccessibilityProblems(page), []);
    }
    // By keyboard, and kept with the page.
    await choose('Median').focus();
    await page.keyboard.press('Enter');
    await page.locator('.legend').getByText('Paths: median time between · directly-follows pairs.').waitFor();
    await settled(page);
    await keepScreenshot(page, 'map-median');
    const kept = await webview.kept();
    await page.close();
    const again = await open(half, kept);
    assert.equal(await again.getByRole('button', { name: 'Median', exact: true }).getAttribute('aria-pressed'), 'true');
    await assertSeen(again.locator('.scale'), 'the scale in half of a window');
    await keepScreenshot(again, 'map-median-half');
  });

  it('open by a click on their label, as on their line', async () => {
    const page = await open();
    const label = page.locator('[data-label="0"]');
    await label.scrollIntoViewIfNeeded();
    await label.click();
    const facts = page.getByRole('region', { name: 'Path' });
    await assertSeen(facts, 'the path');
    assert.equal(await page.locator('#drawing .chosen').getAttribute('data-edge'), '0');
    assert.match(await facts.innerText(), /Median time\s+.*90 % within\s+.*Total time\s+/s);
  });

  it('have a menu: their entities, the slow ones, and the rows behind', async () => {
    const page = await open();
    const filters = async () =>
      (await webview.requests())
        .filter(({ method }) => method === 'map')
        .map(({ params }) => (params as { filter: GraphFilter }).filter);
    const label = page.locator('[data-label]', { hasText: /^\s*227 · / });
    await label.scrollIntoViewIfNeeded();
    await label.click({ button: 'right' });
    const menu = page.getByRole('menu');
    await assertSeen(menu, 'the menu');
    const items = await menu.getByRole('menuitem').allInnerTexts();
    assert.match(
      items.join('|'),
      /^Only Entities with This Path\|Cases with This Path\|Only Entities Slower Here than the Median, 3 min\|Only Entities Slower Here than 90 %, .*\|What Goes with This Path\|Show Its Events\|Show Its Entities\|Show Its Rows\|Show Its SQL$/,
    );
    await keepScreenshot(page, 'map-path-menu');
    await menu.getByRole('menuitem', { name: 'Only Entities with This Path' }).click();
    const chip = page.locator('.filter-bar .chip');
    await chip.waitFor();
    assert.deepEqual(await chip.allInnerTexts(), ['Active → Awaiting User Info']);
    const path = { source: 'Active', target: 'Awaiting User Info', follows: 'directly' };
    assert.deepEqual((await filters()).at(-1), { entityType: 'incident', paths: [path] });
    await settled(page);
    const entities = () => page.getByRole('region', { name: 'Summary' }).locator('dd').first().innerText();
    const taking = Number(await entities());
    assert.ok(taking > 0 && taking <= 227, String(taking));
    // The same by keyboard, from the details of an activity; a path has one condition.
    await page.locator('[data-node]', { hasText: 'Active' }).first().click();
    await page
      .getByRole('region', { name: 'Active' })
      .getByRole('button', { name: 'Awaiting User Info' })
      .last()
      .press('Enter');
    await page.locator('#picture').press('Enter');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await waitUntil('the slow ones are left', async () =>
      /^Active → Awaiting User Info: longer than /.test((await chip.allInnerTexts()).join('|')) ? true : undefined,
    );
    await settled(page);
    assert.ok(Number(await entities()) < taking, 'slower ones are fewer');
    await chip.click();
    await waitUntil('it is removed', async () => ((await chip.count()) === 0 ? true : undefined));
    assert.deepEqual((await filters()).at(-1), { entityType: 'incident' });
  });

  it('end outside of boxes, so that the whole arrowhead is seen', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'All Paths' }).click();
    await waitUntil('all are there', async () => ((await page.locator('[data-edge]').count()) > 40 ? true : undefined));
    const hidden = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('#drawing [data-node] rect:first-of-type, #drawing [data-end] rect')];
      return [...document.querySelectorAll('#drawing [data-arrow]')].flatMap((arrow) => {
        const one = arrow.getBoundingClientRect();
        return boxes.flatMap((box) => {
          const other = box.getBoundingClientRect();
          const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          const name = box.parentElement?.getAttribute('aria-label');
          return wide > 2 && high > 2 ? [`${arrow.parentElement?.getAttribute('aria-label')} in ${name}`] : [];
        });
      });
    });
    await keepScreenshot(page, 'map-arrowheads');
    assert.deepEqual(hidden, []);
  });

  it('can be dragged into sight; a drag selects no text and chooses nothing', async () => {
    const page = await open({ width: 900, height: 420 });
    const picture = page.locator('#picture');
    const scrolled = () => picture.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
    await page.locator('[data-node="0"]').click();
    assert.equal(await page.locator('#drawing .chosen').count(), 1);
    const [left = 0, top = 0] = await scrolled();
    const box = await picture.boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height - 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60, { steps: 4 });
    assert.equal(await picture.evaluate((element) => getComputedStyle(element).cursor), 'grabbing');
    await page.mouse.move(x, y - 120, { steps: 4 });
    await page.mouse.up();
    assert.deepEqual(await scrolled(), [left, top + 120]);
    assert.equal(await page.evaluate(() => String(getSelection())), '');
    assert.equal(await page.locator('#drawing .chosen').count(), 1, 'the chosen activity stays');
    assert.equal(await picture.evaluate((element) => getComputedStyle(element).cursor), 'grab');
    await page.mouse.click(x, y);
    assert.deepEqual(await scrolled(), [left, top + 120], 'a click is no drag');
  });

  it('fit when the page was loaded in the background, and when the window grows, until the user zooms', async () => {
    const page = await load({ width: 500, height: 400 });
    await page.evaluate(() => document.documentElement.style.setProperty('display', 'none'));
    await waitUntil('the map is loaded', async () =>
      (await page.locator('#drawing [data-node]').count()) > 0 ? true : undefined,
    );
    await page.evaluate(() => document.documentElement.style.removeProperty('display'));
    const zoom = async () => Number.parseInt(await page.locator('.zoom > span').innerText(), 10);
    const becomes = (what: string, is: (percent: number) => boolean) =>
      waitUntil(what, async () => (is(await zoom()) ? true : undefined));
    await becomes('it is as small as can be read', (percent) => percent === 75);
    await assertSeen(page.locator('[data-start]'), 'the start');
    await page.setViewportSize({ width: 2200, height: 2400 });
    await becomes('it uses the place', (percent) => percent === 100);
    await page.setViewportSize({ width: 500, height: 400 });
    await becomes('it fits again', (percent) => percent === 75);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const chosen = await zoom();
    await page.setViewportSize({ width: 2200, height: 2400 });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    assert.equal(await zoom(), chosen);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    assert.equal(await zoom(), 100);
  });
});
