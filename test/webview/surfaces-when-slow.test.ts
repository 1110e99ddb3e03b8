import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator } from 'playwright-core';
import type { Failure } from '../../protocol/query-results.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost, shop } from './canvas-host.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { answered, apiView } from './explorer-news.ts';
import { orderRows } from './query-results.ts';
import { assertSeen } from './visible.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

const graph = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed_at }
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
entities:
  - { entityType: product, dataObject: products, key: id }
relationships:
  - { source: Place Order, target: Win Customer, mappings: [{ source: customer_id, target: id }] }
`;

const step = 'Connecting to db.example:5432';
const unreachable: Failure = { code: 'source-unreachable', message: 'shop does not answer.', remedy: 'Check host.' };

/** A data source whose next answers come after a delay, or do not come. */
interface SlowSource {
  delayMs: number;
  fails: boolean;
  /** Whether the last request succeeded. */
  isKnown: boolean;
  /** Answers do not come before: on a busy machine, a page may be drawn later than its source answers. */
  notBefore: Promise<void>;
  answer(value: unknown): Promise<unknown>;
}

function slowSource(delayMs: number, fails = false): SlowSource {
  return {
    ...{ delayMs, fails, isKnown: false, notBefore: Promise.resolve() },
    async answer(value) {
      const { fails: failing } = this;
      if (this.delayMs > 0) await pause(this.delayMs);
      await this.notBefore;
      if (failing) return { ok: false, error: unreachable };
      this.isKnown = true;
      return { ok: true, value };
    },
  };
}

/** A surface that waits for a data source. */
interface Surface {
  readonly name: string;
  /** Opens it, which asks the source. */
  open(source: SlowSource): Promise<WebviewPage>;
  /** The part of the page with the current step, its duration and Cancel. */
  waiting(webview: WebviewPage): Locator;
  /** Whether the page is notified of the current step. */
  readonly tellsStep: boolean;
  readonly again: string;
  /** The content that it shows once the source has answered. */
  content(webview: WebviewPage): Locator;
}

describe('surfaces whose data source is slow', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let incidents: ImportedIncidents;

  before(async () => {
    [browser, server, incidents] = await Promise.all([sharedChromium(), startWebviewServer(), sharedIncidents()]);
  });
  after(() => server.close());

  /** A canvas that reads its catalog from a source; requests tell their step like the extension's. */
  async function openCanvas(
    source: SlowSource,
    { text = graph, slow }: { readonly text?: string; readonly slow: 'catalog' | 'queries' },
  ): Promise<CanvasHost> {
    const objects = shop.objects.map(({ name, kind, primaryKey }) => ({ name, kind, key: primaryKey }));
    const columns = {
      ok: true,
      value: [{ name: 'id', type: 'integer', sense: 'integer', nullable: false, key: true }],
    };
    const catalog = {
      async dataObjects() {
        const state = { kind: 'reading', dataSource: 'shop', step, elapsedMs: 0 } as const;
        if (source.delayMs > 0) void (await opened).webview.send({ type: 'catalog', state });
        return source.answer({ objects });
      },
      columns: () => (source.isKnown ? columns : { ok: true, value: [] }),
    };
    const slowly = (method: string, value: unknown) => async () => {
      const { webview } = await opened;
      const request = (await webview.requests()).findLast((each) => each.method === method);
      if (request) await webview.send({ type: 'requestProgress', id: request.id, step });
      return source.answer(value);
    };
    const queries = {
      importPage: () => ({ ok: true, value: null }),
      testQuery: slowly('testQuery', orderRows(3)),
      previewJoin: slowly('previewJoin', { ...orderRows(3), sides: [] }),
      importPlan: slowly('importPlan', { engine: 'embedded', statements: 10 }),
    };
    const opened: Promise<CanvasHost> = openCanvasHost(server, browser, {
      ...{ text, width: 1018, height: 690, answers: slow === 'catalog' ? catalog : queries },
    });
    return opened;
  }

  /** The dialog of a card or line. */
  async function openDialog(source: SlowSource, key: string, slow: 'catalog' | 'queries'): Promise<WebviewPage> {
    const { webview } = await openCanvas(source, { slow });
    await webview.page.locator(`[data-key="${key}"]`).focus();
    await webview.page.keyboard.press('Enter');
    await webview.page.getByRole('dialog').waitFor();
    return webview;
  }

  async function testQuery(source: SlowSource, key: string): Promise<WebviewPage> {
    const webview = await openDialog(source, key, 'queries');
    await webview.page.locator('#test-query').click();
    return webview;
  }

  const reading = ({ page }: WebviewPage): Locator =>
    page.locator('dialog .reading, main > :not(dialog) .reading').first();
  const readingInDialog = ({ page }: WebviewPage): Locator => page.getByRole('dialog').locator('.reading');
  const preview = ({ page }: WebviewPage): Locator => page.locator('.preview.running');
  const rows = ({ page }: WebviewPage): Locator => page.locator('.preview-table').first();
  const column = ({ page }: WebviewPage): Locator => page.getByRole('dialog').getByText('id', { exact: true }).first();
  const relationship = 'relationship:Place Order → Win Customer';
  const catalogNotice = { tellsStep: true, again: 'Try Again' };
  const queryNotice = { waiting: preview, tellsStep: true, again: 'Test Query', content: rows };

  const surfaces: readonly Surface[] = [
    {
      ...{ name: 'canvas', ...catalogNotice, waiting: reading },
      open: async (source) =>
        (await openCanvas(source, { text: 'version: 1\nname: New\ndataSource: shop\n', slow: 'catalog' })).webview,
      content: ({ page }) => page.getByRole('button', { name: 'Add orders' }),
    },
    {
      ...{ name: 'dialog of an element', ...catalogNotice, waiting: readingInDialog, content: column },
      open: (source) => openDialog(source, 'element:Place Order', 'catalog'),
    },
    {
      ...{ name: 'dialog of a relationship', ...catalogNotice, waiting: readingInDialog, content: column },
      open: (source) => openDialog(source, relationship, 'catalog'),
    },
    {
      ...{ name: 'dialog of entities', ...catalogNotice, waiting: readingInDialog, content: column },
      open: (source) => openDialog(source, 'element:product', 'catalog'),
    },
    {
      ...{ name: 'Test Query of an element', ...queryNotice },
      open: (source) => testQuery(source, 'element:Place Order'),
    },
    {
      ...{ name: 'Test Query of a relationship', ...queryNotice },
      open: (source) => testQuery(source, relationship),
    },
    { ...{ name: 'Test Query of entities', ...queryNotice }, open: (source) => testQuery(source, 'element:product') },
    {
      ...{ name: 'page Import', tellsStep: true, again: 'Plan Again' },
      async open(source) {
        const { webview } = await openCanvas(source, { slow: 'queries' });
        await webview.page.locator('#step-import').click();
        return webview;
      },
      waiting: ({ page }) => page.locator('#import .import-row'),
      content: ({ page }) => page.locator('#import-plan'),
    },
    {
      // It reads the stored graph, which may be large.
      ...{ name: 'event graph', tellsStep: false, again: 'Try Again' },
      async open(source) {
        const webview = await server.open(browser, {
          ...{ bundle: 'event-graph', width: 1018, height: 690 },
          async answer(request) {
            const answered = (await incidents.answer(request)) as { readonly value: unknown };
            return request.method === 'overview' ? source.answer(answered.value) : answered;
          },
        });
        await webview.send({ type: 'eventGraph', name: 'incidents' });
        return webview;
      },
      waiting: ({ page }) => page.locator('.waiting').first(),
      content: ({ page }) => page.locator('#drawing [data-node]').first(),
    },
    {
      ...{ name: 'results', tellsStep: true, again: 'Run Again' },
      async open(source) {
        const webview = await server.open(browser, { bundle: 'results', width: 1018, height: 690 });
        void runLikeTheExtension(webview, source);
        return webview;
      },
      waiting: ({ page }) => page.locator('#root'),
      content: ({ page }) => page.locator('#grid'),
    },
    {
      ...{ name: 'API explorer', tellsStep: false, again: 'Send' },
      async open(source) {
        const webview = await server.open(browser, { bundle: 'explorer', width: 1018, height: 690 });
        void sendLikeTheExtension(webview, source);
        await webview.page.getByRole('button', { name: 'Send' }).click();
        return webview;
      },
      waiting: ({ page }) => page.locator('body'),
      content: ({ page }) => page.locator('#status'),
    },
  ];

  /** Sends a request of the API explorer each time the page asks for it. */
  async function sendLikeTheExtension(webview: WebviewPage, source: SlowSource): Promise<void> {
    await webview.send({ type: 'explorer', news: { kind: 'view', view: apiView } });
    for (let sent = 0; ; sent += 1) {
      await waitUntil('the page asks to send', async () => {
        const asked = await webview.posted();
        return (
          asked.filter((each) => each.type === 'explore' && each.action.kind === 'send').length > sent || undefined
        );
      });
      await webview.send({ type: 'explorer', news: { kind: 'sending' } });
      const outcome = (await source.answer(null)) as { readonly ok: boolean };
      if (outcome.ok) return webview.send({ type: 'explorer', news: answered() });
      await webview.send({ type: 'explorer', news: { kind: 'failure', error: unreachable } });
    }
  }

  /** Runs a query, and again when the page asks for it. */
  async function runLikeTheExtension(webview: WebviewPage, source: SlowSource): Promise<void> {
    for (let asked = 0; ; asked += 1) {
      const title = 'Place Order';
      await webview.send({ type: 'running', title, elapsedMs: 0 });
      await webview.send({ type: 'running', title, elapsedMs: 0, step });
      const outcome = (await source.answer(orderRows(3))) as
        | { readonly ok: true; readonly value: ReturnType<typeof orderRows> }
        | { readonly ok: false; readonly error: Failure };
      const runs = [{ id: 1, title, at: '2026-01-02T10:00:00Z', state: 'done' }] as const;
      if (outcome.ok) {
        await webview.send({ type: 'result', title, source: 'shop', result: outcome.value });
        return;
      }
      await webview.send({ type: 'failure', title, error: outcome.error });
      await webview.send({ type: 'history', runs, shown: 1 });
      await webview.waitForPosted('rerun', asked);
    }
  }

  const alerts = ({ page }: WebviewPage): Locator =>
    page.getByRole('alert').filter({ hasText: 'shop does not answer' });

  async function assertWaits(surface: Surface, webview: WebviewPage): Promise<void> {
    const notice = surface.waiting(webview);
    await assertSeen(notice.locator('eg-elapsed').first(), `${surface.name}: the time so far`);
    await assertSeen(notice.getByRole('button', { name: /Cancel/ }).first(), `${surface.name}: Cancel`);
    if (surface.tellsStep) await assertSeen(notice.getByText(step), `${surface.name}: the step`);
    assert.equal(await alerts(webview).count(), 0, surface.name);
  }

  /** Opens all surfaces beside each other, so that they wait at the same time. */
  const onAll = (work: (surface: Surface) => Promise<void>): Promise<unknown> => Promise.all(surfaces.map(work));

  async function close(surface: Surface, webview: WebviewPage): Promise<void> {
    assert.deepEqual(webview.errors, [], surface.name);
    await webview.page.close();
  }

  // In all other tests of these surfaces the source answers at once.
  it('each shows its content once a source answers after 400 ms, and no failure before', async () => {
    // A few at a time: opening them is the work here, not waiting.
    for (let first = 0; first < surfaces.length; first += 3)
      await Promise.all(surfaces.slice(first, first + 3).map(goesOn));
  });

  async function goesOn(surface: Surface): Promise<void> {
    const webview = await surface.open(slowSource(400));
    const failure = webview.page
      .locator('[role=alert], .unread')
      .first()
      .waitFor({ timeout: 0 })
      .then(
        () => assert.fail(`${surface.name} shows a failure`),
        () => undefined,
      );
    await Promise.race([failure, assertSeen(surface.content(webview), `${surface.name}: the content`)]);
    await close(surface, webview);
  }

  it('each shows what it waits for, then a failure after 10 s, and recovers when retried, after 5,000 ms', async function () {
    this.timeout(600_000);
    await onAll(async (surface) => {
      const source = slowSource(10_000, true);
      const seeing = async (work: () => Promise<unknown>): Promise<void> => {
        let goOn = (): void => undefined;
        source.notBefore = new Promise((resolve) => (goOn = resolve));
        await work();
        await assertWaits(surface, webview);
        await keepScreenshot(webview.page, `slow-${surface.name.replaceAll(' ', '-').toLowerCase()}`);
        goOn();
      };
      let webview!: WebviewPage;
      await seeing(async () => (webview = await surface.open(source)));
      // A dialog stands above the list of data objects, which has the reason, too.
      await assertSeen(alerts(webview).last(), `${surface.name}: the reason`);
      Object.assign(source, { delayMs: 5_000, fails: false });
      await seeing(() => webview.page.getByRole('button', { name: surface.again }).last().click());
      await assertSeen(surface.content(webview), `${surface.name}: the content`);
      await waitUntil('the failure is gone', async () => ((await alerts(webview).count()) === 0 ? true : undefined));
      await close(surface, webview);
    });
  });
});
