import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type {
  CausesAnswer,
  EntityCases,
  EntityFlow,
  FilterComparison,
  MeasureAnswer,
  MeasureHistogram,
  StepsAnswer,
  TypedProperty,
} from '../../protocol/analysis.ts';
import { durationText } from '../../protocol/duration-text.ts';
import type { GraphFilter, GraphOverview } from '../../protocol/event-graph.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ImportedIncidents, importIncidents, sharedIncidents } from './imported-incidents.ts';
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
    const page = await open('Measures');
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
    const page = await open('Measures');
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

  it('shows any measure of the type, and those of the file with their target', async () => {
    const measured = await importIncidents({
      graph: `measures:
  - name: Resolution
    each: { entityType: incident }
    duration: { from: New, to: Resolved }
    target: { median: { atMost: 1h }, p90: { atMost: 400d } }
  - name: Resolved by hand
    each: { entityType: incident }
    count: { activity: Resolved }
  - name: Wait
    each: { activity: Resolved }
    duration: { sincePrevious: true }
`,
    });
    try {
      const answer = (request: PostedRequest): Promise<unknown> => measured.answer(request);
      webview = await server.open(browser, { bundle: 'event-graph', ...whole, answer });
      await webview.send({ type: 'eventGraph', name: 'incidents' });
      const { page } = webview;
      await page.getByRole('tab', { name: 'Measures' }).click();
      const choice = page.locator('#measure');
      const options = choice.locator('option');
      await waitUntil('measures of the file are offered', async () =>
        (await options.count()) === 7 ? true : undefined,
      );
      assert.deepEqual(await options.allInnerTexts(), [
        'Resolution (misses its target)',
        'Resolved by hand',
        'Wait',
        'Throughput time',
        'Events',
        'Repeated activities',
        'Idle since the last event',
      ]);
      const numbersOf = async (name: string): Promise<MeasureHistogram> => {
        const params = { filter, measure: name, bins: 40 };
        const outcome = await measured.answer({ type: 'request', id: 0, method: 'histogram', params } as PostedRequest);
        return (outcome as { value: MeasureHistogram }).value;
      };
      const facts = async (name: string): Promise<string> => {
        await choice.selectOption({ label: name });
        const section = page.getByRole('region', { name: name.replace(/ \(.*/, '') });
        await section.locator('#bins').waitFor();
        await settled(page);
        return (await section.locator('.quantiles').innerText()).replaceAll(/\s+/g, ' ');
      };
      const { numbers } = await numbersOf('Resolution');
      assert.match(
        await facts('Resolution (misses its target)'),
        new RegExp(
          `^Entities ${numbers.count} Without a value ${numbers.missing} Median ${durationText(numbers.median ?? NaN)} `,
        ),
      );
      const targets = page.getByRole('list', { name: 'Target, over the whole graph' }).getByRole('listitem');
      assert.deepEqual(
        (await targets.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
        [
          `median at most 1 h ${durationText(numbers.median ?? NaN)}`,
          `p90 at most 400 d ${durationText(numbers.p90 ?? NaN)}`,
        ],
      );
      assert.deepEqual(
        await targets.locator('.outcome').evaluateAll((all) => all.map((each) => each.getAttribute('title'))),
        ['Missed', 'Met'],
      );
      for (const theme of ['high-contrast', 'light', 'dark'] as const) {
        await useTheme(page, theme);
        assert.deepEqual(await findAccessibilityProblems(page), []);
      }
      await keepScreenshot(page, 'measure-of-file');
      // Groups are those of the measure.
      const groups = page.getByRole('region', { name: 'In groups' });
      await groups.getByRole('combobox').selectOption('priority');
      await waitUntil('groups of the measure are asked for', async () =>
        (await webview.requests()).some(
          ({ method, params }) =>
            method === 'measures' && JSON.stringify(params).includes('"measures":["Resolution"],"by":["priority"]'),
        )
          ? true
          : undefined,
      );
      assert.match(await facts('Resolved by hand'), /^Entities \d+ (?:Without a value \d+ )?Median 1 /);
      assert.equal(await page.getByText('Drag over columns').count(), 0);
      assert.match(await facts('Wait'), /^Events \d+ /);
      assert.match(await facts('Repeated activities'), /^Entities 890 Median 2 /);
      await page.setViewportSize(half);
      await keepScreenshot(page, 'measure-narrow');
      await assertSeen(choice, 'the choice at half width');
    } finally {
      await measured.remove();
    }
  });

  it('keeps a measure that the next type has, too, and names one whose file cannot be read', async () => {
    const page = await open('Measures');
    await page.locator('#measure').selectOption('rework');
    await settled(page);
    await page.locator('#entity-type').selectOption('caller');
    await settled(page);
    assert.equal(await page.locator('#measure').inputValue(), 'rework');
    assert.deepEqual(await lastAsked('histogram'), { filter: { entityType: 'caller' }, measure: 'rework', bins: 40 });
    await page.close();
    const error = { code: 'file-missing', message: 'incidents.entity.yaml is missing.' };
    webview = await server.open(browser, {
      ...{ bundle: 'event-graph', ...whole, kept: { tab: 'measures', measure: 'lead time', filter } },
      answer: (request) =>
        request.method === 'writtenMeasures' || request.method === 'histogram'
          ? Promise.resolve({ ok: false, error })
          : incidents.answer(request),
    });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await webview.page.getByText('incidents.entity.yaml is missing.').waitFor();
    assert.equal(await webview.page.locator('#measure').inputValue(), 'lead time');
  });

  it('says that a graph has no entities, instead of asking for their type', async () => {
    const answer = async (request: PostedRequest): Promise<unknown> => {
      const outcome = (await incidents.answer(request)) as { value: object };
      if (request.method !== 'overview') return outcome;
      return { ...outcome, value: { ...outcome.value, entityTypes: [], mapEntityType: undefined } };
    };
    webview = await server.open(browser, { bundle: 'event-graph', ...whole, answer });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    for (const tab of ['Measures', 'Cases', 'Over Time', 'Compare', 'Why']) {
      await webview.page.getByRole('tab', { name: tab, exact: true }).click();
      await assertSeen(webview.page.getByText('The graph has no entities.'), tab);
    }
  });

  it('tells once why a measure fails, lists groups with values first, and keeps the choice with its numbers', async () => {
    const long = 'Resolved again after a first resolution, in many words that are wider than half of a page';
    const measured = await importIncidents({
      graph: `measures:
  - name: Wrong
    each: { entityType: incident }
    sql: CAST(priority AS INTEGER)
    target: { median: { atMost: 3 } }
  - name: ${long}
    each: { entityType: incident }
    duration: { from: Resolved, to: Resolved, take: each }
`,
    });
    try {
      let goOn = (): void => undefined;
      const seen = new Promise<void>((resolve) => (goOn = resolve));
      const answer = async (request: PostedRequest): Promise<unknown> => {
        if (request.method === 'histogram' && JSON.stringify(request.params).includes('"caller"')) await seen;
        return measured.answer(request);
      };
      webview = await server.open(browser, { bundle: 'event-graph', ...half, answer });
      await webview.send({ type: 'eventGraph', name: 'incidents' });
      const { page } = webview;
      await page.getByRole('tab', { name: 'Measures' }).click();
      const choice = page.locator('#measure');
      await choice.locator('option', { hasText: long }).waitFor({ state: 'attached' });
      const { x = 0, width = Infinity } = (await choice.boundingBox()) ?? {};
      assert.ok(x + width <= half.width, 'the choice ends within the page');
      const rows = page.getByRole('region', { name: 'In groups' }).locator('tbody tr');
      await choice.selectOption({ label: long });
      await rows.first().waitFor();
      assert.notEqual(await rows.first().locator('td').last().innerText(), '0');
      await choice.selectOption('Wrong');
      await page.getByText('This did not work').first().waitFor();
      await settled(page);
      assert.equal(await page.getByText(/Could not convert string/).count(), 1);
      assert.equal(await rows.count(), 0);
      await keepScreenshot(page, 'measure-failed');
      // A measure of the file that is about another type gives way to the first one.
      await page.locator('.filter-bar select').first().selectOption('caller');
      await page.getByRole('region', { name: 'Throughput time' }).waitFor();
      assert.equal(await page.locator('.quantiles').count(), 0);
      goOn();
      await page.locator('.quantiles').waitFor();
      await waitUntil('the choice is that of the numbers', async () =>
        (await choice.inputValue()) === 'throughput' ? true : undefined,
      );
    } finally {
      await measured.remove();
    }
  });

  it('groups by properties of the chosen entity type only, and by variant again after another type was chosen', async () => {
    const answer = async (request: PostedRequest): Promise<unknown> => {
      const outcome = (await incidents.answer(request)) as { readonly value: GraphOverview };
      if (request.method !== 'overview') return outcome;
      const other = { number: 9, name: 'Hire', properties: ['of_employees'] };
      const types = [...outcome.value.entityTypes, { name: 'employee', entities: 1, colour: 'red' }];
      return {
        ...outcome,
        value: { ...outcome.value, elements: [...outcome.value.elements, other], entityTypes: types },
      };
    };
    webview = await server.open(browser, { bundle: 'event-graph', ...whole, answer });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    const { page } = webview;
    await page.getByRole('tab', { name: 'Measures' }).click();
    const by = page.locator('#measure-by');
    await by.locator('option', { hasText: 'priority' }).waitFor({ state: 'attached' });
    const offered = await ask<readonly TypedProperty[]>('properties', { entityType: 'incident' });
    assert.deepEqual(
      await by.locator('optgroup').last().locator('option').allInnerTexts(),
      offered.map(({ name }) => name),
    );
    await by.selectOption('priority');
    await page.locator('#entity-type').selectOption('employee');
    await waitUntil('it groups by variant', async () => ((await by.inputValue()) === 'variant' ? true : undefined));
  });

  it('says that a filter leaves nothing, instead of an empty table', async () => {
    const kept = { tab: 'measures', hasChosenType: true, filter: { ...filter, from: '2030-01-01T00:00:00Z' } };
    const answer = (request: PostedRequest): Promise<unknown> => incidents.answer(request);
    webview = await server.open(browser, { bundle: 'event-graph', ...whole, kept, answer });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    const groups = webview.page.getByRole('region', { name: 'In groups' });
    await groups.getByText('No entity of this filter has events.').waitFor();
    assert.equal(await groups.getByRole('table').count(), 0);
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

  it('says what goes with an outcome, and a value filters', async () => {
    const page = await open('Why');
    const section = page.getByRole('region', { name: 'Outcome' });
    await section.getByText(/entities \(\d+\.?\d* %\): throughput time longer than/).waitFor();
    const rows = section.locator('tbody tr');
    const [measured] = await ask<readonly MeasureAnswer[]>('measures', { filter, measures: ['throughput'] });
    const outcome = { ...filter, throughput: { slower: measured?.groups[0]?.p90 } };
    const { causes, tests } = await ask<CausesAnswer>('why', { filter, outcome });
    assert.ok(causes.length > 0);
    const [first] = causes;
    const name = first?.values.map(({ property, value }) => `${property} = ${value}`).join(' and ');
    assert.equal((await rows.first().locator('th').innerText()).trim(), name?.replaceAll(/\s+/g, ' '));
    await assertSeen(section.getByText(`Beyond chance in ${tests.toLocaleString('en')} tests`), 'how it was judged');
    assert.doesNotMatch(await section.innerText(), /because|causes? of/i);
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `why-${theme}`);
      assert.deepEqual(await findAccessibilityProblems(page), []);
    }
    await section.getByRole('combobox').selectOption({ label: 'with Awaiting User Info' });
    await section.getByText(/entities \(33 %\): with Awaiting User Info/).waitFor();
    await settled(page);
    await rows.first().locator('th').getByRole('button').click();
    await page.locator('.filter-bar .chip').first().waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Process Map' }).getAttribute('aria-selected'), 'true');
  });

  it('compares the filter with all others: measures, paths and variants, and both numbers on the map', async () => {
    const page = await open('Compare');
    await assertSeen(page.getByText('Add a condition to the filter above'), 'what to do first');
    await page.getByRole('tab', { name: 'Measures' }).click();
    await page.locator('#measure-by').selectOption('priority');
    await page.locator('.groups tbody button').first().click();
    await page.locator('.filter-bar .chip').waitFor();
    await page.getByRole('tab', { name: 'Compare' }).click();
    const measures = page.getByRole('region', { name: 'Measures' });
    await measures.locator('tbody tr').nth(1).waitFor();
    const asked = { filter: { ...filter, values: [{ property: 'priority', values: ['3 - Moderate'] }] } };
    const found = await ask<FilterComparison>('comparison', { ...asked, compare: { kind: 'others' } });
    assert.match(await measures.innerText(), new RegExp(`${found.entities.one} and ${found.entities.other}`));
    const paths = page.getByRole('region', { name: 'Paths' }).locator('tbody tr');
    const [first] = found.paths;
    assert.equal((await paths.first().locator('th').innerText()).trim(), `${first?.source} → ${first?.target}`);
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `compare-${theme}`);
      assert.deepEqual(await findAccessibilityProblems(page), []);
    }
    await page.locator('#compare-on-map').click();
    const label = page.locator('#drawing [data-label]', { hasText: '|' });
    await label.first().waitFor();
    assert.match((await label.first().textContent()) ?? '', /^\s*(< )?\d+ % \| (< )?\d+ %\s*$/);
    await assertSeen(page.locator('.legend').getByText('Compared with: all others.'), 'with whom');
    await keepScreenshot(page, 'compare-map');
    await page.locator('#paths-median').click();
    await settled(page);
    await keepScreenshot(page, 'compare-map-median');
    await page.locator('#drawing [data-edge] path').first().dispatchEvent('click');
    await assertSeen(page.getByText('Share of the others'), 'both shares of a path');
  });

  it('shows arrivals, work in progress and all events as points; a part of the time filters', async () => {
    const page = await open('Over Time');
    await page.locator('#flow-inProgress').waitFor();
    await page.locator('#dots path').first().waitFor();
    const { parts } = await ask<EntityFlow>('flow', { filter });
    assert.equal(
      parts.reduce((sum, { arrivals }) => sum + arrivals, 0),
      890,
    );
    assert.equal(await page.locator('#flow-arrivals [data-bin]').count(), parts.length);
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `over-time-${theme}`);
      const faint = await page
        .locator('#dots path')
        .evaluateAll((paths) => paths.filter((path) => getComputedStyle(path).opacity !== '1').length);
      assert.equal(faint === 0, theme.startsWith('high-contrast'), theme);
      assert.deepEqual(await findAccessibilityProblems(page), []);
    }
    await page.locator('#dots-relative').click();
    await waitUntil('it is by time since the first event', async () =>
      JSON.stringify(await lastAsked('dots')).includes('relative') ? true : undefined,
    );
    await page.locator('#flow-arrivals').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('#matching').waitFor();
    const changed = (await lastAsked('flow'))?.filter;
    assert.deepEqual(changed, { ...filter, from: parts[0]?.start, to: parts[2]?.start });
  });

  it('shows handovers between the values of a property', async () => {
    const page = await open('Distributions');
    const choice = page.locator('#handover-by');
    await assertSeen(page.getByText('How often a value of the property is followed'), 'what it shows');
    assert.ok(((await choice.boundingBox())?.width ?? 0) < 500, 'it is as wide as its names');
    await keepScreenshot(page, 'distributions');
    await page.locator('#handover-by').selectOption('assignment_group');
    const section = page.getByRole('region', { name: 'Handover' });
    await section.getByText(/pairs of values, [\d,]+ times together/).waitFor();
    const { rows: pairs } = await ask<StepsAnswer>('handover', { filter, property: 'assignment_group' });
    await section.getByText('Most frequent handovers').click();
    const [first] = pairs;
    assert.equal(
      (await section.locator('.groups tbody tr').first().innerText()).replaceAll(/\s+/g, ' ').trim(),
      `${first?.source} → ${first?.target} ${first?.count} ${durationText(first?.median ?? NaN)}`,
    );
    await keepScreenshot(page, 'handover');
    assert.deepEqual(await findAccessibilityProblems(page), []);
    // Several parts of the time filter by drag, one has its menu.
    const columns = page.locator('#events-over-time');
    await columns.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('menuitem', { name: 'Only Entities with Events Then' }).waitFor();
    await page.keyboard.press('Escape');
    const box = await columns.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 4, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await waitUntil('it filters', async () => (await lastAsked('handover'))?.filter.to);
  });

  it('say so when the filter leaves no entity, and give names room in half of a window', async () => {
    const page = await open('Why', { width: 683, height: 700 });
    const name = page.locator('.causes tbody th').first();
    await name.waitFor();
    const isWide = async (): Promise<boolean> => ((await name.boundingBox())?.width ?? 0) >= 160;
    assert.ok(await isWide(), 'names have room');
    const cut = await page.locator('.why').evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.ok(cut <= 0, `${cut} pixels are out of sight`);
    await keepScreenshot(page, 'why-half');
    const day = page.getByLabel('with events from');
    await day.fill('2090-01-01');
    await day.press('Tab');
    await assertSeen(page.getByText('The filter leaves no entity'), 'why there is nothing');
    await page.getByRole('tab', { name: 'Compare' }).click();
    const none = page.locator('#no-entities');
    await none.waitFor();
    assert.equal(await page.locator('.compare tbody tr').count(), 0);
    await keepScreenshot(page, 'compare-none');
    await none.getByRole('button', { name: 'Undo' }).click();
    await assertSeen(page.getByText('Choose some entities'), 'the filter before');
  });

  it('fit into half of a window, and ask for a type where all are shown', async () => {
    const page = await open('Measures', half);
    await assertSeen(page.locator('#bins'), 'the distribution');
    await assertSeen(page.locator('.groups tbody tr').first(), 'the first group');
    await keepScreenshot(page, 'throughput-half');
    await page.getByRole('tab', { name: 'Cases' }).click();
    await assertSeen(page.locator('[data-case]').first().locator('td').first(), 'the first case');
    await keepScreenshot(page, 'cases-half');
    await page.locator('#entity-type').selectOption({ label: 'of all types' });
    await assertSeen(page.getByText('These numbers are those of entities of one type'), 'what to do');
    await page.getByRole('tab', { name: 'Measures' }).click();
    await assertSeen(page.getByText('These numbers are those of entities of one type'), 'what to do');
  });
});
