import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type { EntityCases, MeasureAnswer, MeasureHistogram } from '../../protocol/analysis.ts';
import { durationText } from '../../protocol/duration-text.ts';
import type { GraphFilter } from '../../protocol/event-graph.ts';
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
const filter = { entityType: 'incident' };

describe('throughput and cases', () => {
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

  async function open(tab: string, size = whole): Promise<Page> {
    const answer = (request: PostedRequest): Promise<unknown> => incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', ...size, answer });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await webview.page.getByRole('tab', { name: tab }).click();
    return webview.page;
  }
  async function ask<T>(method: string, params: object): Promise<T> {
    const outcome = (await incidents.answer({ type: 'request', id: 0, method, params } as PostedRequest)) as {
      value: T;
    };
    return outcome.value;
  }
  const lastAsked = async (method: string) =>
    (await webview.requests()).filter((request) => request.method === method).at(-1)?.params as
      { readonly filter: GraphFilter } | undefined;
  const settled = (page: Page): Promise<true> =>
    waitUntil('all is read', async () => ((await page.locator('#panel .stale').count()) === 0 ? true : undefined));

  it('shows the distribution with its quantiles, and filters by a dragged part of it', async () => {
    const page = await open('Throughput');
    const { bins, numbers } = await ask<MeasureHistogram>('histogram', { filter, measure: 'throughput', bins: 40 });
    const section = page.getByRole('region', { name: 'Throughput time' });
    await section.locator('#bins').waitFor();
    const facts = (await section.locator('.quantiles').innerText()).replaceAll(/\s+/g, ' ');
    const text = (value: number | null | undefined) => durationText(value ?? NaN);
    assert.equal(
      facts,
      `Entities ${numbers.count} Median ${text(numbers.median)} 90 % within ${text(numbers.p90)} Mean ${text(numbers.mean)} Longest ${text(bins.at(-1)?.to)}`,
    );
    await assertSeen(section.locator('#bins'), 'the distribution');
    assert.equal(await section.locator('[data-bin]').count(), 40);
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `throughput-${theme}`);
      assert.deepEqual(await findAccessibilityProblems(page), []);
    }
    const box = await section.locator('#bins').boundingBox();
    assert.ok(box);
    const middle = (bin: number): number => box.x + (box.width * (bin + 0.5)) / 40;
    await page.mouse.move(middle(1), box.y + 50);
    await page.mouse.down();
    await page.mouse.move(middle(3), box.y + 60, { steps: 5 });
    const wanted = bins.slice(1, 4).reduce((sum, { count }) => sum + count, 0);
    await assertSeen(page.getByText(`: ${wanted} entities`), 'what is chosen');
    await keepScreenshot(page, 'throughput-brush');
    await page.mouse.up();
    const chip = page.locator('.filter-bar .chip');
    await chip.waitFor();
    await settled(page);
    assert.match(
      (await section.locator('.quantiles').innerText()).replaceAll(/\s+/g, ' '),
      new RegExp(`^Entities ${wanted} `),
    );
    assert.equal((await chip.innerText()).trim(), `throughput time ${text(bins[1]?.from)} – ${text(bins[3]?.to)}`);
    await chip.click();
    await settled(page);
    // By keyboard: the last two columns, the end included.
    await section.locator('#bins').focus();
    await page.keyboard.press('ArrowRight');
    for (let step = 0; step < 39; step += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await chip.waitFor();
    await settled(page);
    const longest = (bins[38]?.count ?? 0) + (bins[39]?.count ?? 0);
    assert.match(
      (await section.locator('.quantiles').innerText()).replaceAll(/\s+/g, ' '),
      new RegExp(`^Entities ${longest} `),
    );
  });

  it('compares variants, months and values of a property, whose names filter', async () => {
    const page = await open('Throughput');
    const section = page.getByRole('region', { name: 'In groups' });
    const rows = section.locator('tbody tr');
    await rows.first().waitFor();
    const shown = async () => (await rows.first().innerText()).split(/\s*\t\s*/).map((each) => each.trim());
    const expected = async (by: string) => {
      const [answer] = await ask<readonly MeasureAnswer[]>('measures', { filter, measures: ['throughput'], by: [by] });
      return answer?.groups ?? [];
    };
    const [variant] = await expected('variant');
    assert.ok(variant);
    const times = ({ median, p90, count }: typeof variant) => [
      durationText(median ?? NaN),
      durationText(p90 ?? NaN),
      count.toLocaleString('en'),
    ];
    assert.deepEqual((await shown()).filter(Boolean), [`Variant ${variant.by['variant']}`, ...times(variant)]);
    assert.match(await section.innerText(), /\d+ more groups with fewer entities\./);
    await section.getByRole('combobox').selectOption('month');
    await waitUntil('months are shown', async () => (/^\d{4}-\d\d/.test((await shown())[0] ?? '') ? true : undefined));
    const months = await rows.locator('th').allInnerTexts();
    assert.deepEqual(months, months.toSorted());
    await section.getByRole('combobox').selectOption('priority');
    const [priority] = await expected('priority');
    assert.ok(priority);
    await waitUntil('priorities are shown', async () =>
      (await shown())[0] === priority.by['priority'] ? true : undefined,
    );
    assert.deepEqual((await shown()).filter(Boolean), [priority.by['priority'], ...times(priority)]);
    await keepScreenshot(page, 'throughput-groups');
    await rows.first().getByRole('button').click();
    await waitUntil('it is the filter', async () => (await lastAsked('histogram'))?.filter.values);
    assert.deepEqual((await lastAsked('histogram'))?.filter, {
      entityType: 'incident',
      values: [{ property: 'priority', values: [priority.by['priority']] }],
    });
    assert.equal((await page.locator('.filter-bar .chip').innerText()).trim(), `priority = ${priority.by['priority']}`);
  });

  it('lists cases with measures and properties, sorted by any of them; Enter and a double click open the timeline', async () => {
    const page = await open('Cases');
    const rows = page.locator('[data-case]');
    await rows.first().waitFor();
    const { cases, all } = await ask<EntityCases>('cases', { filter, limit: 100 });
    assert.deepEqual(
      await rows.locator('td:first-child').allInnerTexts(),
      cases.map(({ key }) => key),
    );
    const [first] = cases;
    const throughput = page.getByRole('columnheader', { name: 'Throughput' });
    assert.equal(await throughput.getAttribute('aria-sort'), 'descending');
    assert.equal(await rows.first().locator('td').nth(1).innerText(), durationText(first?.throughput ?? NaN));
    await assertSeen(rows.first().locator('td').first(), 'the longest case');
    await assertSeen(page.getByText(`100 of ${all} entities.`), 'how many there are');
    await keepScreenshot(page, 'cases');
    assert.deepEqual(await findAccessibilityProblems(page), []);
    await page.getByRole('columnheader', { name: 'priority' }).getByRole('button').click();
    await settled(page);
    const column = (await page.getByRole('columnheader').allInnerTexts()).findIndex(
      (name) => name.trim() === 'priority',
    );
    const priorities = await rows.locator(`td:nth-child(${column + 1})`).allInnerTexts();
    assert.deepEqual(priorities, priorities.toSorted().toReversed());
    await page.getByRole('button', { name: 'Show More' }).click();
    await waitUntil('more are there', async () => ((await rows.count()) === 600 ? true : undefined));
    // One tab stop, arrows, Enter.
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    const key = await rows.nth(1).locator('td').first().innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: key }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected'), 'true');
    await page.getByRole('tab', { name: 'Cases' }).click();
    const other = await rows.nth(2).locator('td').first().innerText();
    await rows.nth(2).dblclick();
    await page.getByRole('heading', { name: other }).waitFor();
  });

  it('fit into half of a window, and ask for a type where all are shown', async () => {
    const page = await open('Throughput', half);
    await assertSeen(page.locator('#bins'), 'the distribution');
    await assertSeen(page.locator('.groups tbody tr').first(), 'the first group');
    await keepScreenshot(page, 'throughput-half');
    await page.getByRole('tab', { name: 'Cases' }).click();
    await assertSeen(page.locator('[data-case]').first().locator('td').first(), 'the first case');
    await keepScreenshot(page, 'cases-half');
    await page.locator('#entity-type').selectOption({ label: 'of all types' });
    await assertSeen(page.getByText('These numbers are those of entities of one type'), 'what to do');
    await page.getByRole('tab', { name: 'Throughput' }).click();
    await assertSeen(page.getByText('These numbers are those of entities of one type'), 'what to do');
  });
});
