import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost, shop } from './canvas-host.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
`;

const objects = shop.objects.map(({ name, kind, statistics, primaryKey }) => ({
  ...{ name, kind, key: primaryKey },
  ...statistics,
}));

describe('canvas of a slow source', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let host: CanvasHost;
  let resolveObjects: ((outcome: unknown) => void) | undefined;
  let isRead = false;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });

  const open = async (options: Partial<CanvasHostOptions> = {}): Promise<void> => {
    isRead = false;
    resolveObjects = undefined;
    host = await openCanvasHost(server, browser, {
      ...{ text, width: 1018, height: 690 },
      answers: {
        dataObjects: () => new Promise((resolve) => (resolveObjects = resolve)),
        columns: isReadColumns,
      },
      ...options,
    });
  };
  /** The server knows no columns before it knows the catalog. */
  const isReadColumns = (): unknown =>
    isRead
      ? { ok: true, value: [{ name: 'placed_at', type: 'timestamp', sense: 'timestamp', nullable: true, key: false }] }
      : { ok: true, value: [] };
  /** Answers the open question for data objects. */
  const answer = async (outcome: unknown): Promise<void> => {
    const resolve = await waitUntil('the data objects are asked for', () => Promise.resolve(resolveObjects));
    resolveObjects = undefined;
    resolve(outcome);
  };
  const page = () => host.webview.page;
  const reading = () => page().locator('.reading');
  const told = (step: string, elapsedMs: number) =>
    host.webview.send({ type: 'catalog', state: { kind: 'reading', dataSource: 'shop', step, elapsedMs } });

  it('a new graph shows step, time and Cancel, and continues by itself', async () => {
    await open({ text: 'version: 1\nname: New\ndataSource: shop\n' });
    await told('Connecting to db.example:5432', 65_000);
    await page().getByText('Connecting to db.example:5432').waitFor();
    await keepScreenshot(page(), 'catalog-reading');
    await assertSeen(page().getByText('Reading the data objects of shop…'), 'that it reads');
    await assertSeen(page().getByText('Connecting to db.example:5432'), 'the step');
    await assertSeen(page().getByText(/^1 min 0\d s$/), 'the time');
    await assertSeen(reading().getByRole('button', { name: 'Cancel' }), 'Cancel');
    await reading().getByRole('button', { name: 'Cancel' }).click();
    await waitUntil('it was stopped', async () =>
      (await host.webview.requests()).some(({ method }) => method === 'stopReading') ? true : undefined,
    );
    await answer({ ok: true, value: { objects } });
    await assertSeen(page().getByRole('button', { name: 'Add orders' }), 'the data objects');
    assert.equal(await reading().count(), 0);
  });

  it('a source that cannot be read shows the reason, and is read again on request', async () => {
    await open({ text: 'version: 1\nname: New\ndataSource: shop\n' });
    await answer({
      ok: false,
      error: { code: 'source-unreachable', message: 'shop does not answer', remedy: 'Check host.' },
    });
    await assertSeen(page().getByText('shop does not answer. Check host.'), 'the reason');
    await keepScreenshot(page(), 'catalog-failed');
    await page().getByRole('button', { name: 'Try Again' }).click();
    await assertSeen(page().getByText('Reading the data objects of shop…'), 'that it reads again');
    const asked = (await host.webview.requests()).filter(({ method }) => method === 'dataObjects');
    assert.deepEqual(
      asked.map(({ params }) => params),
      [{}, { refresh: true }],
    );
    await answer({ ok: true, value: { objects } });
    await page().getByRole('button', { name: 'Add orders' }).waitFor();
  });

  it('a source whose files are missing is told beside the elements, with its place', async () => {
    await open({});
    const range = { start: { line: 3, character: 10 }, end: { line: 3, character: 15 } };
    const place = { file: '/project/entity-sources.yaml', range };
    const message = 'Data source shop: no file in /project matches x/*.csv.';
    await answer({ ok: false, error: { code: 'file-missing', message, remedy: 'Correct path.', ...place } });
    await assertSeen(page().locator('#palette').getByText(`${message} Correct path.`), 'the reason');
    await keepScreenshot(page(), 'catalog-without-files');
    await page().locator('#palette').getByRole('button', { name: 'Go to Data Source' }).click();
    assert.deepEqual(await host.webview.waitForPosted('revealRange'), { type: 'revealRange', ...place });
  });

  for (const [name, width, height] of [
    ['wide', 1018, 690],
    ['half', 640, 760],
  ] as const) {
    it(`a dialog shows that the source is being read, and has its columns as soon as they are known (${name})`, async () => {
      await open({ width, height });
      await told('Reading the catalog of shop', 3_000);
      await page().locator('[data-key="element:Place Order"]').focus();
      await page().keyboard.press('Enter');
      const dialog = page().getByRole('dialog');
      await assertSeen(dialog.getByText('Reading the data objects of shop…'), 'that it reads');
      await assertSeen(dialog.getByText('Reading the catalog of shop', { exact: true }), 'the step');
      await assertSeen(dialog.locator('.reading').getByRole('button', { name: 'Cancel' }), 'Cancel');
      await keepScreenshot(page(), `catalog-dialog-${name}`);
      isRead = true;
      await answer({ ok: true, value: { objects } });
      await assertSeen(dialog.getByRole('checkbox', { name: 'placed_at' }), 'the columns');
      assert.equal(await dialog.locator('.reading').count(), 0);
    });
  }

  it('a read started by another view is shown', async () => {
    await open({ text: 'version: 1\nname: New\ndataSource: shop\n' });
    await answer({ ok: false, error: { code: 'source-unreachable', message: 'shop does not answer' } });
    await page().getByText('shop does not answer.').waitFor();
    await told('Connecting to db.example:5432', 0);
    await page().getByText('Connecting to db.example:5432').waitFor();
    await host.webview.send({ type: 'catalog', state: { kind: 'known' } });
    await waitUntil('it is asked again', async () =>
      (await host.webview.requests()).filter(({ method }) => method === 'dataObjects').length === 2 ? true : undefined,
    );
    await answer({ ok: true, value: { objects } });
    await page().getByRole('button', { name: 'Add orders' }).waitFor();
  });
});
