import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { GraphOverview } from '../../protocol/event-graph.ts';
import { changeParts } from '../../protocol/graph-changes.ts';
import type { EventGraphPageRequests } from '../../protocol/requests/event-graph-requests.ts';
import type { ImportNote } from '../../protocol/import-notes.ts';
import { englishMapWords } from '../../protocol/map-words.ts';
import { keepScreenshot, projectFolder, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ThemeName, themes } from './themes.ts';
import { assertSeen } from './visible.ts';
import {
  type PostedRequest,
  type WebviewPage,
  type WebviewServer,
  startWebviewServer,
  useTheme,
} from './webview-page.ts';

describe('event graph view', () => {
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

  /** Responds like the extension: requests by the real graph, the rest as given by the test. */
  async function open(
    own: { readonly [M in keyof EventGraphPageRequests]?: unknown } = {},
    kept?: object,
  ): Promise<void> {
    const answer = async (request: PostedRequest): Promise<unknown> =>
      own[request.method as keyof EventGraphPageRequests] ?? incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', width: 1200, height: 760, answer, kept });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
  }
  const overviewOf = async (): Promise<GraphOverview> => {
    const outcome = await incidents.answer({ type: 'request', id: 0, method: 'overview', params: {} });
    return (outcome as { value: GraphOverview }).value;
  };
  const page = () => webview.page;
  const nodes = () => page().locator('#drawing [data-node]');
  const asked = async (method: string) =>
    (await webview.requests()).filter((request) => request.method === method).map(({ params }) => params);
  const show = async (tab: string): Promise<void> => page().getByRole('tab', { name: tab }).click();

  it('shows the process map, with details of an activity and of a path', async () => {
    await open();
    await nodes().first().waitFor();
    // The type with most own events; its activities count distinct events.
    assert.equal(await page().locator('#entity-type').inputValue(), 'incident');
    const { words, ...map } = (await asked('map')).at(-1) as { words: object };
    assert.deepEqual([map, words], [{ filter: { entityType: 'incident' } }, englishMapWords]);
    assert.equal(await nodes().count(), 12);
    const legend = page().locator('[data-legend]');
    assert.equal(
      await legend.getAttribute('aria-label'),
      'Entities of type incident. Activities: distinct events. Paths: directly-follows pairs · median time between.',
    );
    await page().locator('[data-node]', { hasText: 'New' }).first().click();
    const facts = page().getByRole('region', { name: 'New', exact: true });
    assert.match(await facts.innerText(), /Events\s+1,638.*Goes on with/s);
    assert.equal(await page().locator('#drawing .chosen').count(), 1);
    // The middle of a curve's box is not on the curve.
    await page().locator('[data-edge="0"] path').first().dispatchEvent('click');
    assert.match(await page().getByRole('region', { name: 'Path' }).innerText(), /Times\s+[\d,]+\s+Median time/);
    await keepScreenshot(page(), 'event-graph-map');
  });

  it('shows all types as one map with a colour per type and three measures, and resets with the page', async () => {
    await open();
    await nodes().first().waitFor();
    await page().locator('#entity-type').selectOption({ label: 'of all types' });
    const measure = page().getByRole('combobox', { name: 'Count' });
    await measure.waitFor();
    assert.deepEqual(await measure.locator('option').allInnerTexts(), [
      'Events',
      'Unique objects',
      'Event–object pairs',
    ]);
    const open1 = () => page().getByRole('button', { name: /^Open Incident: / });
    const shown = async (count: string) =>
      waitUntil(`Open Incident has ${count}`, async () =>
        (await open1().getAttribute('aria-label')) === `Open Incident: ${count}` ? true : undefined,
      );
    await shown('890');
    await keepScreenshot(page(), 'event-graph-all-types');
    const colours = await page()
      .locator('[data-edge] path:first-of-type')
      .evaluateAll((paths) => new Set(paths.map((path) => path.getAttribute('stroke'))).size);
    assert.ok(colours > 1, String(colours));
    await measure.selectOption('pairs');
    await shown('1,780');
    await page().locator('[data-edge="0"] path').first().dispatchEvent('click');
    assert.match(
      await page().getByRole('region', { name: 'Path' }).innerText(),
      /Entity type\s+\S+\s+Event–object pairs\s+[\d,]+\s+Median time/,
    );
    await webview.page.close();
    await open();
    await nodes().first().waitFor();
    assert.equal(await page().locator('#entity-type').inputValue(), 'incident');
  });

  it('in a third of a window the map has more than half of the height, and no button is cut off', async () => {
    await open();
    await nodes().first().waitFor();
    await page().setViewportSize({ width: 360, height: 660 });
    for (const tab of [
      'Process Map',
      'Measures',
      'Cases',
      'Timeline',
      'Over Time',
      'Distributions',
      'Compare',
      'Why',
      'Data Quality',
      'Rules',
      'Changes',
    ])
      await assertSeen(page().getByRole('tab', { name: tab }), tab);
    for (const name of ['SQL Console', 'Use Elsewhere', 'Export'])
      await assertSeen(page().getByRole('button', { name }), name);
    const box = await page().locator('#panel').boundingBox();
    await keepScreenshot(page(), 'event-graph-narrow');
    assert.ok(box && box.height >= 660 * 0.75, JSON.stringify(box));
    await show('Timeline');
    const hint = page().getByText('Its events are shown in their order');
    await assertSeen(hint, 'the hint');
    await keepScreenshot(page(), 'event-graph-narrow-timeline');
    assert.ok(((await hint.boundingBox())?.width ?? 0) >= 240, 'the hint has room');
  });

  it('opens with the process map on request, whichever tab was shown last', async () => {
    await open();
    await show('Timeline');
    await webview.send({ type: 'eventGraph', name: 'incidents', tab: 'map' });
    await nodes().first().waitFor();
    assert.equal(await page().getByRole('tab', { name: 'Process Map' }).getAttribute('aria-selected'), 'true');
  });

  it('date fields and boxes follow a dark theme', async () => {
    await open();
    await nodes().first().waitFor();
    await useTheme(page(), 'dark');
    const scheme = () => page().evaluate(() => getComputedStyle(document.body).colorScheme);
    assert.equal(await scheme(), 'dark');
    await useTheme(page(), 'high-contrast-light');
    assert.equal(await scheme(), 'light');
    await useTheme(page(), 'high-contrast');
    assert.equal(await scheme(), 'dark');
    await useTheme(page(), 'light');
    assert.equal(await scheme(), 'light');
  });

  it('opens the rows behind the numbers of a warning, in the graph or in the data source', async () => {
    const target = { kind: 'element', name: 'New', only: { kind: 'withoutKey' } } as const;
    const value = await overviewOf();
    const notes: readonly ImportNote[] = [
      [{ count: 12, of: { kind: 'sourceRows', target } }, ' of 20 rows of "New" have no key and are left out.'],
      ['No longer correlated: ', { count: 3, of: { kind: 'eventsWithoutEntity', element: 'New' } }, ' events.'],
    ];
    const done = { ok: true, value: null };
    await open({
      overview: { ok: true, value: { ...value, notes } },
      openNumber: done,
      openSourceRows: done,
    });
    await nodes().first().waitFor();
    await show('Data Quality');
    const warnings = page().getByRole('region', { name: 'Notes of the import' }).getByRole('listitem');
    assert.deepEqual(
      (await warnings.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      ['12 of 20 rows of "New" have no key and are left out.', 'No longer correlated: 3 events.'],
    );
    await keepScreenshot(page(), 'event-graph-warnings');
    const choose = async (number: string, item: string): Promise<void> => {
      await warnings.getByRole('button', { name: number, exact: true }).press('Enter');
      await page().getByRole('menuitem', { name: item }).click();
    };
    await choose('12', 'Show Its Rows in the Data Source');
    await choose('12', 'Show Its SQL');
    await choose('3', 'Show Its Events');
    const opened = await waitUntil('all were asked for', async () => {
      const found = [await asked('openSourceRows'), await asked('openNumber')] as const;
      return found[0].length === 2 && found[1].length === 1 ? found : undefined;
    });
    assert.deepEqual(opened, [
      [
        { target, part: 'rows' },
        { target, part: 'sql' },
      ],
      [
        {
          ...{ number: { kind: 'eventsWithoutEntity', element: 'New' }, part: 'events', filter: {} },
          title: 'No longer correlated: 3 events.',
        },
      ],
    ]);
  });

  it('opens the rows behind a number', async () => {
    await open({ openNumber: { ok: true, value: null } });
    await nodes().first().waitFor();
    const openPart = async (number: string, part: string): Promise<unknown> => {
      const before = (await asked('openNumber')).length;
      await page().getByRole('button', { name: number, exact: true }).click();
      await page().getByRole('menuitem', { name: part }).click();
      return waitUntil('it was asked for', async () => (await asked('openNumber'))[before]);
    };
    const filter = { entityType: 'incident' };
    assert.deepEqual(await openPart('890', 'Show Its Entities'), {
      ...{ number: { kind: 'entities' }, title: 'Entities', part: 'entities', filter },
    });
    await page().locator('[data-node]', { hasText: 'New' }).first().click();
    assert.deepEqual(await openPart('1,638', 'Show Its SQL'), {
      ...{ number: { kind: 'node', activity: 'New', number: 'events' }, title: 'New', part: 'sql', filter },
    });
    await page().getByRole('checkbox', { name: 'Tell start and change apart' }).check();
    // A map that comes later would draw the region anew.
    await page().locator('.stale').waitFor({ state: 'detached' });
    await page().locator('[data-edge="0"] path').first().dispatchEvent('click');
    const region = page().getByRole('region', { name: 'Path' });
    await region.getByRole('button').first().click();
    await keepScreenshot(page(), 'event-graph-number');
    await page().keyboard.press('Escape');
    assert.equal(
      await region
        .getByRole('button')
        .first()
        .evaluate((button) => button === document.activeElement),
      true,
    );
    await show('Data Quality');
    assert.deepEqual(await openPart('9,529', 'Show Its Rows'), {
      ...{ number: { kind: 'total', total: 'events' }, title: 'Events', part: 'rows', filter },
    });
    await show('Distributions');
    await page().locator('#events-over-time [data-bin]').first().click();
    await page().getByRole('menuitem', { name: 'Show Its Events' }).click();
    await waitUntil('the part of the time was asked for', async () =>
      JSON.stringify((await asked('openNumber')).at(-1)).includes('"kind":"time"') ? true : undefined,
    );
  });

  it('navigates between activities by keyboard, zooms and fits', async () => {
    await open();
    await nodes().first().waitFor();
    await page().locator('#picture').focus();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    assert.equal(await page().locator('#drawing .chosen').getAttribute('data-node'), '1');
    const width = () =>
      page()
        .locator('#drawing')
        .evaluate((node) => Number(node.getAttribute('width')));
    await page().keyboard.press('f');
    const fitted = await width();
    await page().keyboard.press('+');
    assert.ok((await width()) > fitted);
    await page().keyboard.press('Escape');
    assert.equal(await page().locator('#drawing .chosen').count(), 0);
  });

  it('reduces activities and paths, and separates start and change events', async () => {
    await open();
    await nodes().first().waitFor();
    await page().getByRole('slider', { name: 'Activities' }).focus();
    await page().keyboard.press('Home');
    await waitUntil('one activity is left', async () => ((await nodes().count()) === 1 ? true : undefined));
    const edges = () => page().locator('#drawing [data-edge]').count();
    for (const [name, shown] of [
      ['All Paths', 54],
      ['Main Paths', 18],
    ] as const) {
      await page().getByRole('button', { name, exact: true }).click();
      await waitUntil(`${shown} paths are shown`, async () => ((await edges()) === shown ? true : undefined));
      assert.equal(await nodes().count(), 12);
    }
    await page().getByRole('checkbox', { name: 'Tell start and change apart' }).check();
    await waitUntil('it was asked', async () =>
      JSON.stringify((await asked('map')).at(-1)).includes('"lifecycle":true') ? true : undefined,
    );
  });

  it('says that the graph is a sample, and offers the import of all rows', async () => {
    const overview = (await incidents.answer({ type: 'request', id: 0, method: 'overview', params: {} })) as {
      readonly value: GraphOverview;
    };
    await open({ overview: { ok: true, value: { ...overview.value, slice: { sample: 1000 } } } });
    await assertSeen(page().getByText('A sample: the first 1,000 rows of each element.'), 'that it is a sample');
    await page().locator('#slice').getByRole('button', { name: 'Import' }).click();
    assert.deepEqual(await webview.waitForPosted('entityAction'), { type: 'entityAction', action: 'import' });
  });

  it('filters by entity type, time and value, and clears the filter', async () => {
    await open();
    await nodes().first().waitFor();
    await page().locator('#entity-type').selectOption('incident');
    await page().getByLabel('to before').fill('2016-03-05');
    await page().getByLabel('to before').blur();
    await waitUntil('the map is of those', async () =>
      JSON.stringify(((await asked('map')).at(-1) as { filter: object }).filter) ===
      JSON.stringify({ entityType: 'incident', to: '2016-03-05T00:00:00Z' })
        ? true
        : undefined,
    );
    await show('Distributions');
    await page().getByRole('combobox', { name: 'Property' }).selectOption({ label: 'priority' });
    await page().locator('button.bar', { hasText: '2 - High' }).click();
    await page().getByText('priority = 2 - High').waitFor();
    const [map, events, values] = await Promise.all(
      ['map', 'events', 'propertyValues'].map(async (method) => (await asked(method)).at(-1) as { filter: object }),
    );
    assert.deepEqual(events?.filter, map?.filter);
    const others = { entityType: 'incident', to: '2016-03-05T00:00:00Z' };
    assert.deepEqual(values?.filter, others, 'the other values stay in sight');
    await keepScreenshot(page(), 'event-graph-distributions');
    await page().getByRole('button', { name: 'Clear' }).click();
    await page().getByText('priority = 2 - High').waitFor({ state: 'detached' });
    assert.equal(await page().locator('#entity-type').inputValue(), 'incident');
  });

  it('filters by activities from the map, by context menu, keyboard and side panel', async () => {
    await open({ openNumber: { ok: true, value: null } });
    await nodes().first().waitFor();
    const node = (activity: string) => page().getByRole('button', { name: new RegExp(`^${activity}: `) });
    const chip = (text: string) => page().locator('.filter-bar').getByRole('button', { name: text, exact: true });
    const entities = () => page().getByRole('region', { name: 'Summary' }).getByRole('button').first().innerText();
    const counted = async (wanted: string) =>
      waitUntil(`${wanted} entities`, async () => ((await entities()) === wanted ? true : undefined));
    const total = 890;
    await counted(String(total));

    await node('Awaiting User Info').click({ button: 'right' });
    await keepScreenshot(page(), 'event-graph-activity-menu');
    await page().getByRole('menuitem', { name: 'Only Entities without This Activity' }).click();
    await assertSeen(chip('without Awaiting User Info'), 'the chip');
    await node('Awaiting User Info').waitFor({ state: 'detached' });
    const without = Number(await entities());
    assert.ok(without > 0 && without < total, String(without));
    await waitUntil('the map has the focus', async () =>
      (await page().locator('#picture:focus').count()) === 1 ? true : undefined,
    );

    await chip('without Awaiting User Info').click();
    await counted(String(total));
    await page().locator('#picture').focus();
    const index = await node('Awaiting User Info').getAttribute('data-node');
    for (let place = 0; place <= Number(index); place += 1) await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await page().keyboard.press('Enter');
    await chip('with Awaiting User Info').waitFor();
    await counted(String(total - without));

    await node('Awaiting User Info').click();
    const buttons = page().getByRole('region', { name: 'Awaiting User Info' });
    const already = buttons.getByRole('button', { name: 'Only with', exact: true });
    assert.equal(await already.getAttribute('aria-disabled'), 'true');
    await node('New').click();
    const more = page().getByRole('region', { name: 'New', exact: true });
    await more.getByRole('button', { name: 'Only with', exact: true }).click();
    await assertSeen(chip('with New'), 'a second chip');
    await node('New').waitFor();
    await keepScreenshot(page(), 'event-graph-activity-filter');
    const filter = {
      entityType: 'incident',
      activities: [
        { activity: 'Awaiting User Info', occurs: true },
        { activity: 'New', occurs: true },
      ],
    };
    await page().getByRole('region', { name: 'Summary' }).getByRole('button').first().click();
    await page().getByRole('menuitem', { name: 'Show Its SQL' }).click();
    const opened = await waitUntil('the SQL was asked for', async () => (await asked('openNumber'))[0]);
    assert.deepEqual(opened, { number: { kind: 'entities' }, title: 'Entities', part: 'sql', filter });
    await show('Distributions');
    await waitUntil('the events obey the filter', async () =>
      JSON.stringify((await asked('events')).at(-1)) === JSON.stringify({ filter }) ? true : undefined,
    );
    await page().getByRole('button', { name: 'Clear' }).click();
    await chip('with New').waitFor({ state: 'detached' });
    assert.equal(await chip('with Awaiting User Info').count(), 0);
  });

  it('filters by start events of an activity on a map that separates start and change', async () => {
    await open();
    await nodes().first().waitFor();
    await page().getByRole('checkbox', { name: 'Tell start and change apart' }).check();
    await waitUntil('the map is that', async () =>
      JSON.stringify((await asked('map')).at(-1)).includes('"lifecycle":true') ? true : undefined,
    );
    await page()
      .getByRole('button', { name: /^New: / })
      .click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Only Entities with This Activity' }).click();
    const bar = page().locator('.filter-bar');
    await bar.getByRole('button', { name: 'with New · start', exact: true }).waitFor();
  });

  it('finds an entity, shows its timeline, and opens related entities', async () => {
    await open();
    await show('Timeline');
    await page().locator('#entity-search').fill('INC0000045');
    await page().locator('.hit', { hasText: 'INC0000045' }).first().click();
    const line = page().getByRole('list', { name: 'Events' });
    await line.getByText('Open Incident').waitFor();
    assert.ok((await line.locator('li.own').count()) > 5);
    await page().getByRole('list', { name: 'Related entities' }).getByRole('button').first().click();
    await page()
      .getByRole('heading', { name: /^Caller/ })
      .waitFor();
    await keepScreenshot(page(), 'event-graph-timeline');
    await page().locator('#entity-search').fill('category 46');
    await page().locator('.hit', { hasText: 'category: Category 46' }).first().waitFor();
    await keepScreenshot(page(), 'event-graph-found-by-value');
  });

  it('keeps tabs and tools in one row beside a long name', async () => {
    const name = 'Purchase requisitions of the northern and southern branches, by region';
    await open({ overview: { ok: true, value: { ...(await overviewOf()), name } } });
    await nodes().first().waitFor();
    for (const width of [1101, 1200, 1366, 1920]) {
      await page().setViewportSize({ width, height: 760 });
      const { height, right, shown } = await page()
        .locator('header.tools')
        .evaluate((header) => ({
          height: header.getBoundingClientRect().height,
          right: Math.max(...[...header.children].map((each) => each.getBoundingClientRect().right)),
          shown: header.querySelector('h1')?.getBoundingClientRect().width ?? 0,
        }));
      assert.ok(height < 45 && right <= width && shown >= 48, `${width}: ${height}, ${right}, ${shown}`);
    }
    await page().setViewportSize({ width: 1366, height: 760 });
    await keepScreenshot(page(), 'event-graph-long-name');
  });

  it('shows warnings and statistics of the import', async () => {
    const run = (name: string) => ({
      store: '/x',
      run: name,
      started: '2026-11-20T08:00:00Z',
      slice: false,
      configHash: 'a',
    });
    const matched = (name: string, count: number, unmatched: number) => ({ name, matched: count, unmatched, most: 2 });
    const verdict = (kept: number, broken: number) => ({
      ...{ concerned: kept + broken, kept, broken, pending: 0, undecided: 0, holds: broken === 0, error: null },
    });
    const noNumbers = { unit: 'ms', missing: 0, sum: 0, mean: 0, min: 0, max: 0, error: null };
    const answers = {
      openNumber: { ok: true, value: null },
      openChangedRows: { ok: true, value: null },
      changedMap: {
        ok: true,
        value: {
          svg: '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text y="20">7 | 5</text></svg>',
          width: 300,
          height: 40,
        },
      },
      graphDiff: {
        ok: true,
        value: {
          ...{ before: run('a'), after: run('b'), changed: true },
          schema: [{ element: 'Open', property: 'state', after: 'VARCHAR' }],
          changes: {
            ...Object.fromEntries(changeParts.map((part) => [part, []])),
            totals: {
              ...Object.fromEntries(changeParts.map((part) => [part, { before: 0, after: 0 }])),
              events: { before: 100, after: 120 },
            },
            entities: [{ name: 'incident', before: 5, after: 6, new: 1, gone: 0 }],
            events: [{ name: 'Open Incident', before: 100, after: 120, new: 21, gone: 1, moved: 7, changed: 0 }],
            relations: [
              {
                ...{ name: 'caused by', before: 9, after: 8, new: 0, gone: 1 },
                matches: {
                  before: { source: matched('Open Incident', 6, 94), target: matched('Change', 3, 0) },
                  after: { source: matched('Open Incident', 4, 116), target: matched('Change', 3, 0) },
                },
              },
            ],
            rules: [
              {
                ...{ name: 'In time', before: 0, after: 2, new: 2, gone: 0, broken: 1, mended: 0 },
                verdicts: { before: verdict(5, 0), after: verdict(4, 2) },
              },
            ],
            measures: [
              {
                ...{ name: 'Lead time', before: 5, after: 6, broken: 1, mended: 0 },
                measured: {
                  before: { ...noNumbers, count: 5, median: 3_600_000, p90: 7_200_000, met: true },
                  after: { ...noNumbers, count: 6, median: 7_200_000, p90: 7_200_000, met: false },
                },
              },
            ],
            variantCases: [
              { entityType: 'incident', activities: ['Open', 'Open', 'Close'], events: 3, before: 4, after: 2 },
            ],
            differingVariants: 61,
          },
          rows: [
            {
              part: 'entities',
              kind: 'new',
              columns: ['entity_type', 'key'],
              rows: [['incident', 'I6']],
              truncated: false,
            },
          ],
        },
      },
    } as const;
    const own: { changedMap: unknown } = { ...answers };
    await open(own);
    await show('Data Quality');
    await page().getByText('All checks passed, without warnings.').waitFor();
    await show('Changes');
    await page().getByRole('heading', { name: 'What the last import changed' }).waitFor();
    assert.match(
      await page().locator('#panel').innerText(),
      /The import of .* compared with that of .*Events\s+100\s+120\s+\+20.*\+ I6.*state is new/s,
    );
    assert.match(await page().locator('#panel').innerText(), /Moved\s+Open Incident\s+100\s+120\s+21\s+1\s+7/);
    for (const [name, before, now] of [
      ['caused by, source Open Incident', '6 matched, 94 unmatched, pairs of each: 1.5, at most 2', '4 matched, 116 unmatched, pairs of each: 2, at most 2'], // prettier-ignore
      ['caused by, target Change', '3 matched, 0 unmatched, pairs of each: 3, at most 2', '3 matched, 0 unmatched, pairs of each: 2.67, at most 2'], // prettier-ignore
      ['incident: Open × 2 → Close', '4', '2'],
      ['In time', 'holds, 5 kept, 0 broken, 0 open', 'broken, 4 kept, 2 broken, 0 open'],
      ['Lead time', 'median 1 h, p90 2 h · 5 values', 'median 2 h, p90 2 h · 6 values, misses its target'],
    ] as const) {
      const row = page().locator('table.texts tr', { has: page().getByRole('rowheader', { name, exact: true }) });
      assert.deepEqual(await row.locator('td').allInnerTexts(), [before, now]);
    }
    // Of variants, only the first ones are listed.
    await page().getByText('60 more').waitFor();
    const moved = page().getByRole('row', { name: /^Open Incident / }).getByRole('button', { name: '7', exact: true }); // prettier-ignore
    await moved.click();
    assert.deepEqual(await waitUntil('rows were asked for', async () => (await asked('openChangedRows'))[0]), {
      ...{ part: 'events', kind: 'moved', name: 'Open Incident', title: 'Events, Open Incident: Moved' },
    });
    await page().locator('#changed-map').getByText('7 | 5').waitFor();
    assert.equal(((await asked('changedMap'))[0] as { entityType: string }).entityType, 'incident');
    await keepScreenshot(page(), 'event-graph-changes');
    for (const theme of Object.keys(themes) as readonly ThemeName[]) {
      await useTheme(page(), theme);
      assert.deepEqual(await findAccessibilityProblems(page()), [], theme);
    }
    // The filter of the map does not apply to what has changed.
    await page()
      .getByRole('row', { name: /^incident / })
      .getByRole('button', { name: '6', exact: true })
      .click();
    await page().getByRole('menuitem', { name: 'Show Its Rows' }).click();
    const opened = await waitUntil('it was asked', async () => (await asked('openNumber'))[0]);
    const number = { kind: 'entityType', entityType: 'incident' };
    assert.deepEqual(opened, { number, title: 'incident', part: 'rows', filter: {} });
    // A type of master data has no events, so no map.
    own.changedMap = { ok: false, error: { code: 'not-in-graph', message: 'No entity has events.' } };
    await page().locator('#changed-type').selectOption({ index: 1 });
    await assertSeen(page().getByText('Entities of this type have no events of their own'), 'why there is no map');
    assert.equal(await page().getByRole('button', { name: 'Try Again' }).count(), 0);
    assert.equal(await page().locator('#changed-type').isVisible(), true);
  });

  it('exports the map as SVG and PNG, paths as CSV, and code for other tools', async () => {
    const done = { ok: true, value: null };
    await open({ saveImage: done, saveRows: done, copySnippet: done, openSqlConsole: done });
    await nodes().first().waitFor();
    const choose = async (menu: string, item: string): Promise<void> => {
      await page().getByRole('button', { name: menu }).click();
      await page().getByRole('menuitem', { name: item }).click();
    };
    await choose('Export', 'Map as SVG…');
    const [svg] = await waitUntil('the image came', async () => {
      const images = await asked('saveImage');
      return images.length > 0 ? (images as { base64: string }[]) : undefined;
    });
    const text = Buffer.from(svg?.base64 ?? '', 'base64').toString();
    assert.match(text, /^<svg[\s\S]*Resolve Incident/);
    assert.doesNotMatch(text, /var\(--/);
    await choose('Export', 'Map as PNG…');
    const png = await waitUntil('the second came', async () => ((await asked('saveImage')) as { base64: string }[])[1]);
    assert.equal(Buffer.from(png.base64, 'base64').subarray(1, 4).toString(), 'PNG');
    await choose('Export', 'Paths as CSV…');
    const [rows] = await waitUntil('the rows came', async () => {
      const all = (await asked('saveRows')) as { text: string }[];
      return all.length > 0 ? all : undefined;
    });
    assert.match(rows?.text ?? '', /^source,target,count,median_ms,p90_ms,total_ms\r\n/);
    await choose('Export', 'Paths as CSV for Spreadsheets…');
    await waitUntil('they came again', async () => ((await asked('saveRows')).length === 2 ? true : undefined));
    await choose('Use Elsewhere', 'Copy Python with pm4py');
    await page().getByRole('button', { name: 'SQL Console' }).click();
    await waitUntil('both were asked for', async () =>
      (await asked('copySnippet')).length === 1 && (await asked('openSqlConsole')).length === 1 ? true : undefined,
    );
  });

  it('names graph, import and filter in a picture of a filtered map, in colours for paper unless others are wanted', async () => {
    const done = { ok: true, value: null };
    const properties = (await overviewOf()).elements.flatMap(({ number, properties: names }) =>
      names.map((name) => ({ element: number, name })),
    );
    const priority = properties.find(({ name }) => name === 'priority');
    assert.ok(priority, JSON.stringify(properties));
    await open(
      { saveImage: done },
      {
        filter: { entityType: 'incident', from: '2015-01-01T00:00:00Z', property: { ...priority, value: '2 - High' } },
      },
    );
    await nodes().first().waitFor();
    await page().locator('.variant').first().click();
    await page().locator('.filter-bar .chip').nth(1).waitFor();
    await page().locator('#panel .stale').waitFor({ state: 'detached' });
    const picture = async (item: string): Promise<Buffer> => {
      const before = (await asked('saveImage')).length;
      await page().getByRole('button', { name: 'Export' }).click();
      await page().getByRole('menuitem', { name: item }).click();
      const image = await waitUntil('the image came', async () => (await asked('saveImage'))[before]);
      return Buffer.from((image as { base64: string }).base64, 'base64');
    };
    const svg = (await picture('Map as SVG…')).toString();
    assert.match(svg, /<rect width="\d+" height="\d+" fill="#ffffff"\/>/);
    assert.doesNotMatch(svg, /var\(--/);
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join(' ');
    assert.match(
      texts,
      /^Process map of incidents Imported \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Entities of type incident\. /,
    );
    assert.match(
      texts,
      /Filter: events from 2015-01-01 UTC · priority = 2 - High · variant Open Incident → .* → .*\. Activities: distinct events\./,
    );
    const [paper, dark] = [await picture('Map as PNG…'), await picture('Map as PNG in Colours of the Editor…')];
    await mkdir(join(projectFolder, '.cache/screenshots'), { recursive: true });
    await writeFile(join(projectFolder, '.cache/screenshots/map-picture.png'), paper);
    const brightnessOf = async (png: Buffer): Promise<number> =>
      page().evaluate(async (base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [1, 1];
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0, 1, 1, 0, 0, 1, 1);
        return context?.getImageData(0, 0, 1, 1).data[0] ?? -1;
      }, png.toString('base64'));
    assert.equal(await brightnessOf(paper), 255);
    assert.ok((await brightnessOf(dark)) < 64);
  });

  it('shows a hint when there is no graph', async () => {
    const error = {
      code: 'not-imported',
      message: 'incidents.entity.yaml has not been imported yet.',
      remedy: 'Import it first.',
    };
    await open({ overview: { ok: false, error } });
    await page().getByRole('button', { name: 'Import' }).click();
    assert.deepEqual(await webview.waitForPosted('entityAction'), { type: 'entityAction', action: 'import' });
  });

  it('links to the exports of the whole graph', async () => {
    await open();
    await page().getByRole('button', { name: 'Export' }).click();
    await page().getByRole('menuitem', { name: 'Whole Graph…' }).click();
    assert.deepEqual(await webview.waitForPosted('entityAction'), { type: 'entityAction', action: 'exportGraph' });
  });

  it('offers to fetch a graph from its source', async () => {
    const error = {
      code: 'graph-in-source',
      message: 'The graph of shop.entity.yaml is in the schema ekg of its data source, not in a store on this machine.',
      remedy: 'Query it there, or copy it to this machine.',
    };
    await open({ overview: { ok: false, error } });
    await page().getByRole('heading', { name: 'The graph is in its data source' }).waitFor();
    await page().getByRole('button', { name: 'Fetch Graph' }).click();
    assert.deepEqual(await webview.waitForPosted('entityAction'), { type: 'entityAction', action: 'fetchGraph' });
  });
});
