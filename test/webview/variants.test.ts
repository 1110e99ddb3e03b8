import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { VariantsView } from '../../protocol/event-graph.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { durationText } from '../../protocol/duration-text.ts';
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

describe('variants beside the process map', () => {
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

  type Answer = (request: PostedRequest) => Promise<unknown> | undefined;

  /** The page beside the open side bar of a window of 1366×768; requests are answered by the real graph, unless a test does it. */
  async function open(own: Answer = () => undefined, size = { width: 1018, height: 690 }): Promise<void> {
    const answer = async (request: PostedRequest): Promise<unknown> => own(request) ?? incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', ...size, answer });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await page().locator('#drawing [data-node]').first().waitFor();
  }
  const page = () => webview.page;
  const section = () => page().getByRole('region', { name: 'Variants' });
  const rows = () => section().locator('.variant');
  const variantsAsked = async () => (await webview.requests()).filter(({ method }) => method === 'variants');
  const chip = () => page().locator('.filter-bar .chip');
  const entitiesBecome = (count: string) =>
    waitUntil(`the map has ${count} entities`, async () =>
      (await page().getByRole('region', { name: 'Summary' }).locator('dd').first().innerText()) === count
        ? true
        : undefined,
    );
  const realVariants = async (): Promise<VariantsView> => {
    const params = { filter: { entityType: 'incident' } };
    const outcome = (await incidents.answer({ method: 'variants', params } as PostedRequest)) as Outcome<VariantsView>;
    assert.ok(outcome.ok, JSON.stringify(outcome));
    return outcome.value;
  };
  /** The texts of a row: share, entities, median time, activities. */
  const textOf = async (index: number): Promise<readonly string[]> =>
    (await rows().nth(index).innerText()).split('\n').filter((line) => line.trim() !== '');

  it('are visible: the most frequent first, each with share, entities and activities', async () => {
    const real = await realVariants();
    const [first] = real.variants;
    assert.ok(first);
    await open();
    await rows().first().waitFor();
    assert.equal(await rows().count(), 5);
    for (let index = 0; index < 5; index += 1) await assertSeen(rows().nth(index), `variant ${index + 1}`);
    const share = `${Math.round((first.entities / real.entities) * 1000) / 10} %`;
    assert.deepEqual(await textOf(0), [
      share,
      `${first.entities} entities`,
      durationText(first.median),
      // All begin and end in the same way.
      `… → ${first.activities.slice(2, 5).join(' → ')} → …`,
    ]);
    assert.equal(new Set(await rows().locator('.variant-path').allInnerTexts()).size, 5, 'they can be told apart');
    const panel = page().locator('.side');
    const width = async (): Promise<number> => (await panel.boundingBox())?.width ?? 0;
    const before = await width();
    await page().locator('#side-splitter').focus();
    for (const key of ['ArrowLeft', 'ArrowLeft']) await page().keyboard.press(key);
    assert.equal(await width(), before + 80);
    await page().locator('#side-splitter').dblclick();
    assert.equal(await width(), before);
    assert.match((await rows().first().getAttribute('title')) ?? '', new RegExp(`: ${first.activities.join(' → ')}$`));
    const widths = await rows()
      .locator('.bar-fill')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    assert.deepEqual(
      widths,
      widths.toSorted((one, other) => other - one),
    );
    assert.match(await section().innerText(), new RegExp(`5 of ${real.all} variants: [\\d.]+ % of the entities\\.`));
    await keepScreenshot(page(), 'variants');
    await section().getByRole('button', { name: 'Show More' }).click();
    assert.equal(await rows().count(), real.variants.length);
    await section().getByRole('button', { name: 'Show Fewer' }).click();
    assert.equal(await rows().count(), 5);
  });

  it('the chosen variant filters the map, stays in the list, and is removed there or as a condition', async () => {
    const [, second] = (await realVariants()).variants;
    assert.ok(second);
    await open();
    const all = await page().getByRole('region', { name: 'Summary' }).locator('dd').first().innerText();
    await rows().nth(1).click();
    await entitiesBecome(second.entities.toLocaleString());
    const names = await page()
      .locator('#drawing [data-node]')
      .evaluateAll((nodes) => nodes.map((node) => (node.getAttribute('aria-label') ?? '').replace(/: .*/, '')));
    assert.deepEqual(new Set(names), new Set(second.activities));
    assert.match((await chip().allInnerTexts()).join(), /^variant Open Incident → Contact Service Desk → New × 2 → /);
    assert.equal(await rows().nth(1).getAttribute('aria-pressed'), 'true');
    // All of its activities can be read, and the others are still there to choose.
    await assertSeen(rows().nth(1).locator('.variant-path'), 'the activities');
    assert.match(await rows().nth(1).innerText(), /^Open Incident → Contact Service Desk → New × 2 → /m);
    assert.equal(await rows().count(), 5);
    assert.equal((await variantsAsked()).length, 1);
    await keepScreenshot(page(), 'variants-chosen');
    await rows().nth(1).click();
    await entitiesBecome(all);
    assert.equal(await rows().nth(1).getAttribute('aria-pressed'), 'false');
    await rows().first().click();
    await chip().click();
    await entitiesBecome(all);
    assert.equal(await chip().count(), 0);
  });

  it('are one tab stop, with arrow keys to move and Enter to choose', async () => {
    await open();
    await rows().first().focus();
    const focused = () =>
      page().evaluate(() => [...document.querySelectorAll('.variant')].indexOf(document.activeElement as Element));
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['End', 4],
      ['ArrowDown', 4],
      ['Home', 0],
      ['ArrowDown', 1],
    ] as const) {
      await page().keyboard.press(key);
      assert.equal(await focused(), at, key);
    }
    await page().keyboard.press('Enter');
    await chip().waitFor();
    assert.equal(await focused(), 1, 'the focus stays');
    assert.deepEqual(
      await rows().evaluateAll((all) => all.map((row) => (row as HTMLElement).tabIndex)),
      [-1, 0, -1, -1, -1],
    );
    await page().keyboard.press('Tab');
    assert.notEqual(await focused(), 2);
  });

  it('keep the focus while the map is read again, as do the sliders', async () => {
    await open();
    const slider = page().getByRole('slider', { name: 'Activities' });
    await slider.focus();
    await page().keyboard.press('Home');
    await waitUntil('the map is another', async () =>
      (await slider.getAttribute('aria-valuetext')) === '1 of 12' ? true : undefined,
    );
    assert.equal(await page().evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Activities');
  });

  it('follow the filter: each type has its own, and all types together have none', async () => {
    await open();
    await rows().first().click();
    await chip().waitFor();
    await page().locator('#entity-type').selectOption({ label: 'of all types' });
    await assertSeen(section().getByText('Choose an entity type above'), 'what to do');
    assert.equal(await chip().count(), 0, 'a variant is one of its type');
    const other = await page().locator('#entity-type option').nth(2).getAttribute('value');
    await page().locator('#entity-type').selectOption(other);
    await rows().first().waitFor();
    const last = (await variantsAsked()).at(-1)?.params;
    assert.deepEqual(last, { filter: { entityType: other } });
    await page().getByLabel('Tell start and change apart').check();
    await waitUntil('they are asked for again', async () => ((await variantsAsked()).length === 3 ? true : undefined));
    assert.deepEqual((await variantsAsked()).at(-1)?.params, { filter: { entityType: other }, lifecycle: true });
  });

  it('show why they cannot be read, and are read again on request; a running read shows its time and Cancel', async () => {
    const error = { code: 'store-unreadable', message: 'The disk is full', remedy: 'Free some space.' };
    let reply: unknown = { ok: false, error };
    let goOn = (): void => undefined;
    let held = Promise.resolve();
    await open(({ method }) => (method === 'variants' ? held.then(() => reply ?? undefined) : undefined));
    const failure = section().getByRole('alert');
    await assertSeen(failure, 'the reason');
    assert.match(await failure.innerText(), /The disk is full\. Free some space\./);
    assert.ok((await page().locator('#drawing [data-node]').count()) > 0, 'the map is there');
    held = new Promise((resolve) => (goOn = resolve));
    await section().getByRole('button', { name: 'Try Again' }).click();
    await assertSeen(section().getByText('Reading the variants…'), 'that they are read');
    await assertSeen(section().locator('eg-elapsed'), 'the time so far');
    await section().getByRole('button', { name: 'Cancel' }).click();
    await section().getByText('Reading the graph was cancelled.').waitFor();
    goOn();
    reply = { ok: true, value: { variants: [], all: 0, entities: 0 } };
    await section().getByRole('button', { name: 'Try Again' }).click();
    await assertSeen(section().getByText('No entity of this filter has events.'), 'that there are none');
  });

  for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
    it(`are readable and distinguishable in the theme ${theme}`, async () => {
      await open(undefined, { width: 640, height: 690 });
      await useTheme(page(), theme);
      await rows().nth(1).click();
      await chip().waitFor();
      await page().locator('#panel .stale').waitFor({ state: 'detached' });
      await rows().nth(1).scrollIntoViewIfNeeded();
      await assertSeen(rows().nth(1), 'the chosen variant');
      await keepScreenshot(page(), `variants-${theme}`);
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      // Not by colour alone: a mark at its edge.
      const marks = await rows().evaluateAll((all) => all.map((row) => getComputedStyle(row).boxShadow));
      assert.deepEqual(
        marks.map((mark) => mark === 'none'),
        [true, false, true, true, true],
      );
    });
  }
});
