import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { Finding } from '../../protocol/findings.ts';
import type { EventGraphPageRequests } from '../../protocol/requests/event-graph-requests.ts';
import { keepScreenshot, projectFolder, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ImportedIncidents, importIncidents, sharedIncidents } from './imported-incidents.ts';
import { type PostedRequest, type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('findings on the event graph page', () => {
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

  const page = () => webview.page;
  const findings = () => page().getByRole('region', { name: 'Findings' });
  async function open(
    own: { readonly [M in keyof EventGraphPageRequests]?: unknown } = {},
    width = 1366,
    theme: 'dark' | 'light' = 'dark',
  ): Promise<void> {
    const answer = async (request: PostedRequest): Promise<unknown> =>
      own[request.method as keyof EventGraphPageRequests] ?? incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', width, height: 768, answer, theme });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await page().getByRole('tab', { name: 'Data Quality' }).click();
  }

  it('lists those of the graph, warnings first, and opens the timeline of an example', async () => {
    await open();
    const first = findings().locator('.finding').first();
    await first.waitFor();
    assert.match(
      await first.innerText(),
      /Order unknown: events at the same time Resolve Incident · resolved_at\s+29\.1 % of the paths\s+1,715 of 3,431 steps between/,
    );
    await keepScreenshot(page(), 'event-graph-findings');
    await first.locator('summary').press('Enter');
    assert.match(await first.innerText(), /Write sequence: COLUMN at both elements/);
    await keepScreenshot(page(), 'event-graph-finding-opened');
    const examples = first.getByRole('list', { name: 'Examples' });
    const example = examples.getByRole('button', { name: /^incident / }).first();
    const key = (await example.innerText()).replace('incident ', '');
    await example.click();
    await page().getByRole('heading', { name: key }).waitFor();
  });

  it('says in the file that a finding is as it should be, and reads the findings again', async () => {
    await open({ acceptFinding: { ok: true, value: null } });
    const first = findings().locator('.finding').first();
    await first.locator('summary').click();
    const asked = async (method: string): Promise<readonly unknown[]> =>
      (await webview.requests()).filter((request) => request.method === method).map(({ params }) => params);
    const before = (await asked('findings')).length;
    await first.getByRole('button', { name: 'This Is So…' }).click();
    assert.deepEqual(
      await waitUntil('it is written', async () =>
        (await asked('acceptFinding')).length > 0 ? asked('acceptFinding') : undefined,
      ),
      [{ finding: 'same-time-order', element: 'Resolve Incident', column: 'resolved_at' }],
    );
    await waitUntil('findings are read again', async () =>
      (await asked('findings')).length > before ? true : undefined,
    );
    await keepScreenshot(page(), 'event-graph-finding-accept');
  });

  it('says of a graph without events that the import found none, and opens the notes of the import', async () => {
    const log = await readFile(join(projectFolder, 'samples/incidents/data/incident_event_log.csv'), 'utf8');
    const files = { 'data/incident_event_log.csv': log.slice(0, log.indexOf('\n') + 1) };
    const empty = await importIncidents({ files });
    try {
      const answer = (request: PostedRequest): Promise<unknown> => empty.answer(request);
      webview = await server.open(browser, { bundle: 'event-graph', width: 1366, height: 768, answer });
      await webview.send({ type: 'eventGraph', name: 'incidents' });
      await page().getByText('The import found no events. Its notes say why.').waitFor();
      assert.equal(await page().getByRole('button', { name: 'Clear Filter' }).count(), 0);
      await page().getByRole('button', { name: 'Data Quality' }).click();
      await page().getByText('"Open Incident" has no rows').waitFor();
    } finally {
      await empty.remove();
    }
  });

  it('opens the event of an example', async () => {
    await open({ openNumber: { ok: true, value: null } });
    const first = findings().locator('.finding').first();
    await first.locator('summary').click();
    await first
      .getByRole('list', { name: 'Examples' })
      .getByTitle('Show the rows that this number counts')
      .first()
      .click();
    await page().getByRole('menuitem', { name: 'Show Its Events' }).click();
    const [opened] = await waitUntil('it was asked for', async () => {
      const found = (await webview.requests()).filter(({ method }) => method === 'openNumber');
      return found.length > 0 ? found : undefined;
    });
    const { number, part } = opened?.params as { number: { kind: string; id: number }; part: string };
    assert.deepEqual([number.kind, Number.isInteger(number.id), part], ['event', true, 'events']);
  });

  it('fits into half a page in a light theme', async () => {
    await open({}, 640, 'light');
    await findings().locator('.finding summary').first().click();
    await keepScreenshot(page(), 'event-graph-findings-narrow');
    const panel = page().locator('.quality');
    assert.ok(await panel.evaluate((node) => node.scrollWidth <= node.clientWidth));
  });

  it('says that nothing is odd, and keeps what the file accepts apart', async () => {
    const accepted: Finding = {
      kind: 'midnight-times',
      severity: 'warning',
      element: 'Place Order',
      column: 'placed',
      message: '5 of 50 events are at midnight.',
      remedy: 'Take another column.',
      count: 5,
      of: 50,
      counts: 'events',
      explains: null,
      explainsVariants: null,
      explainsViolations: null,
      examples: [],
      accepted: 'only dates are known',
    };
    const stale = [{ finding: 'time-gap', element: 'Pay' }];
    await open({ findings: { ok: true, value: { findings: [accepted], stale, notes: [] } } });
    await findings().getByText('Nothing is odd in the data.').waitFor();
    await findings().getByText('1 accepted by the file').click();
    await findings().locator('.finding summary').click();
    assert.match(
      await findings().innerText(),
      /Times without time of day Place Order · placed[^]*Accepted: only dates are known/,
    );
    assert.match(await findings().innerText(), /The entry time-gap, Pay of accepted is not needed any more\./);
  });
});
