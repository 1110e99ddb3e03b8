import assert from 'node:assert/strict';
import type { BrowserContext, Locator } from 'playwright-core';
import type { ImportNews, PlannedImport } from '../../protocol/import-page.ts';
import type { ImportedGraph } from '../../protocol/import-progress.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ThemeName, themes } from './themes.ts';
import { assertSeen } from './visible.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const built = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at }
`;
const unfinished = `${built}  - { activityName: Register Customer, dataObject: customers }\n`;

const plan: PlannedImport = { engine: 'embedded', statements: 10 };

const imported: ImportedGraph = {
  status: 'imported',
  durationMs: 2345,
  elements: [],
  entities: [],
  relationships: [],
  totals: { events: 1284, entities: 830, correlations: 0, relations: 77, directlyFollows: 0 },
  warnings: [
    '3 rows of Place Order have no Start Timestamp: they have no event. Fill placed_at, or choose another column.',
  ],
  steps: [],
};
const importedStatus: ImportNews['status'] = {
  ...{ status: 'Imported', progress: 'Import Done', imported: '2026-01-02T10:00:00.000Z', modifiedSinceImport: false },
};
const neverImported: ImportNews['status'] = {
  ...{ status: 'Not Imported', progress: null, imported: null, modifiedSinceImport: false },
};
const done: ImportNews = { status: importedStatus, last: { endedAt: '2026-01-02T10:00:00.000Z', outcome: imported } };

/** The page of a canvas in a window of 1366×768 with the side bar open, and beside the text. */
const pages = [
  { name: 'wide', width: 1018, height: 690 },
  { name: 'half', width: 640, height: 760 },
] as const;

describe('page Import of the canvas', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let host: CanvasHost;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });

  const success = (value: unknown = null): unknown => ({ ok: true, value });
  const open = async (options: Partial<CanvasHostOptions> = {}): Promise<void> => {
    host = await openCanvasHost(server, browser, {
      ...{ text: built, width: 1018, height: 690 },
      ...options,
      answers: {
        importPage: () => success(),
        importPlan: () => success(plan),
        startImport: () => success(),
        cancelImport: () => success(),
        openImportLink: () => success(),
        ...options.answers,
      },
    });
  };
  const page = () => host.webview.page;
  const box = (id: string): Locator => page().locator(`#${id}`);
  const press = (name: string): Promise<void> => page().getByRole('button', { name, exact: true }).click();
  const goToImport = (): Promise<void> =>
    page().getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Import' }).click();
  const tell = (news: ImportNews): Promise<void> => host.webview.send({ type: 'importNews', news });
  const requestsOf = async (method: string) =>
    (await host.webview.requests()).filter((request) => request.method === method);
  const asked = (method: string, count = 1) =>
    waitUntil(`${method} is asked for`, async () => (await requestsOf(method)).length === count || undefined);

  for (const { name, ...size } of pages) {
    it(`shows the plan, then progress, then the outcome, each within the viewport (${name})`, async () => {
      await open(size);
      await goToImport();
      await tell({ status: neverImported });
      await assertSeen(box('import-plan'), 'the plan');
      assert.match(await box('import-plan').innerText(), /shop[\s\S]*10 in all: they read the rows/);
      await assertSeen(box('import-settings'), 'the settings');
      assert.match(await box('import-settings').innerText(), /embedded[\s\S]*in the workspace[\s\S]*row cache/);
      await assertSeen(page().getByText('Place Order', { exact: true }), 'the element');
      await assertSeen(box('start-import'), 'the button Import');
      assert.equal(await box('import-everything').count(), 0, 'nothing was imported yet');
      await keepScreenshot(page(), `import-plan-${name}`);
      assert.equal((await requestsOf('startImport')).length, 0);
      await box('start-import').click();
      await asked('startImport', 1);
      await assertSeen(box('import-sample'), 'the button Import a Sample');
      await box('import-sample').click();
      await asked('startImport', 2);
      assert.deepEqual((await requestsOf('startImport')).at(-1)?.params, { sample: 1000 });

      const startedAt = Date.now() - 65_000;
      const running = {
        ...({ state: 'running', step: 'data pull', message: 'orders', rows: 5000, fraction: 0.4, startedAt } as const),
        reachedAt: { 'schema discovery': startedAt, validation: startedAt + 3000, 'data pull': startedAt + 5000 },
      };
      await tell({ status: neverImported, running });
      await assertSeen(box('import-progress'), 'the progress');
      await assertSeen(box('cancel-import'), 'the button Cancel');
      assert.match(await box('import-progress').innerText(), /1 min 0\d s/);
      assert.match(await page().locator('.import-steps [aria-current]').innerText(), /data pull[\s\S]*5,000 rows/);
      await keepScreenshot(page(), `import-running-${name}`);
      await press('Cancel');
      await asked('cancelImport');

      await tell(done);
      await assertSeen(box('import-outcome'), 'the outcome');
      const outcome = await box('import-outcome').innerText();
      assert.match(
        outcome,
        /in 2\.3 s[\s\S]*1,284[\s\S]*events[\s\S]*830[\s\S]*entities[\s\S]*77[\s\S]*pairs of relationships/,
      );
      assert.ok(outcome.includes(imported.warnings[0] ?? ''), outcome);
      await keepScreenshot(page(), `import-done-${name}`);
      assert.equal(await box('import-slice').count(), 0);
      const sample = { endedAt: '2026-01-02T10:00:00.000Z', outcome: { ...imported, slice: { sample: 1000 } } };
      await tell({ status: importedStatus, last: sample });
      await assertSeen(box('import-slice'), 'that the graph is a sample');
      assert.match(await box('import-slice').innerText(), /A sample: the first 1,000 rows of each element\./);
      await keepScreenshot(page(), `import-sample-${name}`);
      await box('open-process-map').click();
      await page().getByRole('button', { name: 'Show Query' }).click();
      await asked('openImportLink', 2);
      assert.deepEqual(
        (await requestsOf('openImportLink')).map(({ params }) => params),
        [{ link: 'process map' }, { link: 'plan' }],
      );
    });
  }

  it('an error is shown in full with its remedy and the graph that stays in use', async () => {
    await open();
    await goToImport();
    const error = {
      ...({
        code: 'authentication-failed',
        message: 'Password authentication failed for user analyst on localhost:5432.',
      } as const),
      remedy: 'Set the secret of shop again.',
    };
    const outcome = { status: 'failed', failedStep: 'data pull', durationMs: 10, error } as const;
    await tell({ status: importedStatus, last: { endedAt: '2026-01-03T10:00:00.000Z', outcome } });
    await assertSeen(box('import-outcome'), 'the outcome');
    const text = await box('import-outcome').innerText();
    for (const part of [error.message, error.remedy, 'It ended at data pull.', 'is still in use'])
      assert.ok(text.includes(part), text);
    await keepScreenshot(page(), 'import-failed');
  });

  it('a broken guard stays until Import Anyway accepts it once', async () => {
    await open();
    await goToImport();
    const message = 'Place Order has 10 events, 20 before: 50 % fewer, and its guard allows 10 %.';
    const error = { code: 'guard-broken', message } as const;
    const outcome = { status: 'failed', failedStep: 'validation', durationMs: 10, error } as const;
    await tell({ status: importedStatus, last: { endedAt: '2026-01-03T10:00:00.000Z', outcome } });
    await assertSeen(box('import-anyway'), 'the button Import Anyway');
    const text = await box('import-outcome').innerText();
    for (const part of [message, 'is still in use']) assert.ok(text.includes(part), text);
    await keepScreenshot(page(), 'import-guard-broken');
    await box('import-anyway').click();
    await asked('startImport');
    assert.deepEqual((await requestsOf('startImport')).at(-1)?.params, { acceptsGuards: true });
  });

  it('problems disable the import, and each links to its position in the text', async () => {
    await open({ text: unfinished, withProblems: true });
    await goToImport();
    await assertSeen(box('import-problems'), 'the problems');
    assert.match(
      await box('import-problems').innerText(),
      /1 problem blocks[\s\S]*Register Customer[\s\S]*Start Timestamp/,
    );
    assert.ok(await box('start-import').isDisabled());
    await keepScreenshot(page(), 'import-blocked');
    await press('Go to the problem of Register Customer');
    const posted = await host.webview.waitForPosted('revealRange');
    assert.ok(posted.type === 'revealRange' && posted.range.start.line === 6, JSON.stringify(posted));
    await host.setText(built);
    await waitUntil('the import is possible', async () => (await box('start-import').isEnabled()) || undefined);
    assert.equal(await box('import-problems').count(), 0);
    await asked('importPlan', 2);
  });

  it('an empty graph shows the first step; a failed plan shows the reason and can be requested again', async () => {
    const failure = {
      ok: false,
      error: { code: 'unknown-data-source', message: 'No data source shop.', remedy: 'Add it.' },
    };
    // The page also requests plans without the button: these fail before it is pressed, and not after.
    let isAskedFor = false;
    await open({
      text: 'version: 1\nname: Shop\ndataSource: shop\ndataObjects: [orders]\n',
      answers: {
        importPlan: (given: { readonly prompt?: boolean }) => {
          isAskedFor ||= given.prompt === true;
          return isAskedFor ? success(plan) : failure;
        },
      },
    });
    await goToImport();
    await assertSeen(box('nothing-to-import'), 'the empty state');
    assert.ok(await box('start-import').isDisabled());
    await host.setText(built);
    await assertSeen(box('plan-failure'), 'the failure');
    assert.match(await box('plan-failure').innerText(), /No data source shop\.[\s\S]*Add it\./);
    await press('Plan Again');
    await assertSeen(box('import-plan'), 'the plan');
  });

  it('opening the page prompts for no secret: the plan waits for the user', async () => {
    const params: unknown[] = [];
    await open({
      kept: { step: 'import' },
      answers: {
        importPlan: (given: { readonly prompt?: boolean }) => {
          params.push(given);
          return given.prompt
            ? success(plan)
            : { ok: false, error: { code: 'secret-missing', message: 'The secret shop pass is not set.' } };
        },
      },
    });
    await assertSeen(box('plan-question'), 'why there is no plan');
    assert.match(await box('plan-question').innerText(), /The secret shop pass is not set\./);
    assert.equal(await page().getByRole('alert').count(), 0);
    await assertSeen(box('import-settings'), 'the settings');
    await keepScreenshot(page(), 'import-question');
    assert.deepEqual(params, [{}]);
    await press('Plan the Import');
    await assertSeen(box('import-plan'), 'the plan');
    assert.deepEqual(params, [{}, { prompt: true }]);
  });

  it('the settings of the file link to their positions in the text', async () => {
    await open({ text: `${built}import:\n  engine: source\n  schema: ekg_shop\n  catalog: lake\n` });
    await goToImport();
    assert.match(
      await box('import-settings').innerText(),
      /inside the data source[\s\S]*the schema lake\.ekg_shop of shop/,
    );
    await press('Change in Text');
    const posted = await host.webview.waitForPosted('revealRange');
    assert.ok(posted.type === 'revealRange' && posted.range.start.line === 7, JSON.stringify(posted));
  });

  it('a canvas restored on this page requests the plan again, and reports leaving the page', async () => {
    await open({ kept: { step: 'import' } });
    await assertSeen(box('import-plan'), 'the plan');
    await tell({ status: importedStatus });
    await assertSeen(box('import-outcome'), 'the last import of another program');
    await press('Back to Canvas');
    await asked('importPage', 2);
    assert.deepEqual(
      (await requestsOf('importPage')).map(({ params }) => params),
      [{ isShown: true }, { isShown: false }],
    );
  });

  for (const theme of Object.keys(themes) as readonly ThemeName[]) {
    it(`is accessible (${theme})`, async () => {
      await open({ theme });
      await goToImport();
      await tell(done);
      await assertSeen(box('import-outcome'), 'the outcome');
      await keepScreenshot(page(), `import-${theme}`);
      assert.deepEqual(await findAccessibilityProblems(page()), []);
    });
  }
});
