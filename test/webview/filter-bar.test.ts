import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type { EntityTimeline, GraphFilter } from '../../protocol/event-graph.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { assertSeen } from './visible.ts';
import { type PostedRequest, type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

const sizes = [
  { width: 1366, height: 768 },
  { width: 640, height: 760 },
] as const;

describe('filter of the event graph', () => {
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

  async function open(
    size: (typeof sizes)[number] = sizes[0],
    own: (request: PostedRequest) => Promise<unknown> = (request) => incidents.answer(request),
  ): Promise<Page> {
    webview = await server.open(browser, { bundle: 'event-graph', ...size, answer: own });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await webview.page.locator('#drawing [data-node]').first().waitFor();
    return webview.page;
  }
  const filterNow = async (): Promise<GraphFilter | undefined> =>
    ((await webview.kept()) as { filter?: GraphFilter } | null)?.filter;
  const becomes = (page: Page, text: string): Promise<true> =>
    waitUntil(`it says ${text}`, async () =>
      (await page.locator('#matching').allInnerTexts()).join() === text ? true : undefined,
    );

  for (const size of sizes) {
    it(`says how many entities it leaves, on each tab that it applies to: ${size.width} pixels`, async () => {
      const page = await open(size);
      assert.equal(await page.locator('#matching').count(), 0, 'all of them');
      await page.getByRole('tab', { name: 'Distributions' }).click();
      // An activity filters by its entities.
      await page
        .getByRole('region', { name: 'Activities' })
        .getByRole('button', { name: 'Awaiting User Info' })
        .first()
        .click();
      const filter = { entityType: 'incident', activities: [{ activity: 'Awaiting User Info', occurs: true }] };
      const outcome = await incidents.answer({
        ...{ type: 'request', id: 0, method: 'countEntities' },
        params: { filter },
      } as PostedRequest);
      const { value } = outcome as { value: number };
      assert.ok(value > 0 && value < 890, String(value));
      for (const tab of ['Distributions', 'Process Map', 'Throughput', 'Cases']) {
        await page.getByRole('tab', { name: tab }).click();
        await becomes(page, `${value} of 890 entities`);
        await assertSeen(page.locator('#matching'), `the number on ${tab}`);
        await assertSeen(page.locator('.filter-bar .chip'), `the condition on ${tab}`);
      }
      assert.deepEqual(await filterNow(), filter);
      await keepScreenshot(page, `filter-bar-${size.width}`);
    });
  }

  it('is undone step by step, by a button and by the keyboard', async () => {
    const page = await open();
    const undo = page.locator('#undo-filter');
    assert.equal(await undo.count(), 0);
    await page.locator('.variant').first().click();
    await page.locator('.filter-bar .chip').waitFor();
    const one = await filterNow();
    await page.locator('.variant').nth(1).click();
    await waitUntil('it is the other', async () =>
      (await filterNow())?.variant?.id === one?.variant?.id ? undefined : true,
    );
    await assertSeen(undo, 'Undo');
    await undo.click();
    assert.deepEqual(await filterNow(), one);
    await page.locator('#picture').focus();
    await page.keyboard.press('Control+z');
    assert.deepEqual(await filterNow(), { entityType: 'incident' });
    assert.equal(await page.locator('.filter-bar .chip').count(), 0);
    assert.equal(await undo.count(), 0);
    await page.keyboard.press('Control+z');
    assert.deepEqual(await filterNow(), { entityType: 'incident' });
  });

  it('keeps the events of a timeline in sight, however many entities are related', async () => {
    const related = Array.from({ length: 150 }, (_, index) => ({
      ...{ id: 1000 + index, entityType: 'caller', key: `Caller ${index}`, relationship: 'reports' },
    }));
    const page = await open(sizes[0], async (request) => {
      const answer = await incidents.answer(request);
      if (request.method !== 'timeline') return answer;
      const { value } = answer as { value: EntityTimeline };
      return { ok: true, value: { ...value, related } };
    });
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('.hit').first().click();
    await page.locator('.line > li').first().waitFor();
    await assertSeen(page.locator('.line > li').first(), 'the first event');
    assert.equal(
      await page.getByRole('list', { name: 'Related entities', exact: true }).getByRole('button').count(),
      12,
    );
    const more = page.getByText('138 more related entities');
    await assertSeen(more, 'that there are more');
    await keepScreenshot(page, 'timeline-related');
    await more.click();
    await assertSeen(page.getByRole('button', { name: 'Caller 12 reports' }), 'one of them');
  });
});
