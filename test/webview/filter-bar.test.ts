import assert from 'node:assert/strict';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { EntityTimeline, GraphFilter } from '../../protocol/event-graph.ts';
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
      for (const tab of ['Distributions', 'Process Map', 'Measures', 'Cases']) {
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

  const conditions = (page: Page) => page.locator('.filter-bar .chip').allInnerTexts();
  const condition = async (page: Page): Promise<string> => {
    await page.locator('.filter-bar .chip').waitFor();
    return (await conditions(page)).map((text) => text.trim()).join();
  };

  it('takes several values of a property, which are counted in entities', async () => {
    const page = await open();
    await page.locator('#add-condition').focus();
    await page.keyboard.press('Enter');
    const editor = page.getByRole('region', { name: 'Add a condition' });
    const subject = editor.getByRole('combobox', { name: 'Condition on' });
    await waitUntil('the editor has the focus', async () =>
      (await subject.evaluate((node) => node === document.activeElement)) ? true : undefined,
    );
    await subject.selectOption('priority');
    const list = editor.getByRole('list', { name: 'Values of priority' });
    await list.getByRole('checkbox').first().waitFor();
    const values = (await list.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
    assert.equal(
      values.reduce((sum, [, count = '']) => sum + Number(count), 0),
      890,
    );
    const only = page.locator('#apply-condition');
    assert.equal(await only.getAttribute('aria-disabled'), 'true');
    await list.getByRole('checkbox').nth(1).check();
    await list.getByRole('checkbox').nth(2).check();
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await useTheme(page, theme);
      await keepScreenshot(page, `condition-values-${theme}`);
      assert.deepEqual(await findAccessibilityProblems(page), []);
    }
    await only.click();
    assert.equal(await condition(page), `priority = ${values[1]?.[0]}, ${values[2]?.[0]}`);
    const kept = Number(values[1]?.[1]) + Number(values[2]?.[1]);
    await becomes(page, `${kept} of 890 entities`);
    // The same condition again: its values are chosen, and the others are there, too.
    await page.locator('#add-condition').click();
    await subject.selectOption('priority');
    await waitUntil('all are listed', async () =>
      (await list.getByRole('listitem').count()) === values.length ? true : undefined,
    );
    assert.equal(await list.getByRole('checkbox', { checked: true }).count(), 2);
    await page.keyboard.press('Escape');
    assert.equal(await editor.count(), 0);
  });

  it('takes a range of a number by its distribution, durations, paths and related entities', async () => {
    const page = await open();
    const editor = page.getByRole('region', { name: 'Add a condition' });
    const subject = editor.getByRole('combobox', { name: 'Condition on' });
    const choose = async (name: string): Promise<void> => {
      await page.locator('#add-condition').click();
      await subject.selectOption(name);
    };
    const clear = () => page.getByRole('button', { name: 'Clear' }).click();
    await choose('reassignment_count');
    const bins = editor.locator('#condition-bins');
    await bins.waitFor();
    const box = await bins.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.3, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await keepScreenshot(page, 'condition-range');
    const [from, to] = [editor.getByLabel('from', { exact: true }), editor.getByLabel('to below')];
    assert.ok(Number(await from.inputValue()) < Number(await to.inputValue()));
    await page.locator('#apply-condition').click();
    assert.match(await condition(page), /^reassignment_count from \d+ to below \d+$/);
    await waitUntil('some are left', async () =>
      /^[1-9]\d* of 890/.test((await page.locator('#matching').allInnerTexts()).join()) ? true : undefined,
    );
    await clear();

    await choose('Throughput time');
    await editor.getByLabel('longer than').fill('10');
    await page.locator('#apply-condition').click();
    assert.equal(await condition(page), 'throughput time longer than 10 d');
    await clear();

    await choose('Path');
    await editor.getByRole('combobox', { name: 'From', exact: true }).selectOption('New');
    await editor.getByRole('combobox', { name: 'Follows' }).selectOption('later followed by');
    await editor.getByRole('combobox', { name: 'To', exact: true }).selectOption('Awaiting User Info');
    await keepScreenshot(page, 'condition-path');
    await page.locator('#apply-condition').click();
    assert.equal(await condition(page), 'New → … → Awaiting User Info');
    await clear();

    await choose('Related entity');
    await editor.getByRole('searchbox').fill('Caller');
    await editor.getByRole('list', { name: 'Entities' }).getByRole('button').first().click();
    await page.locator('#apply-condition').click();
    assert.equal(await condition(page), 'related to chosen entities (1)');
    // What is chosen is shown again, and what is added goes with it.
    await choose('Related entity');
    assert.equal(await editor.locator('.chip').count(), 1);
    assert.match(await editor.locator('.chip').innerText(), /Caller/);
    await editor.getByRole('searchbox').fill('nobody has this key');
    await assertSeen(editor.getByText('No entity has a key or a property that contains'), 'that nothing was found');
    await editor.getByRole('searchbox').fill('Caller');
    await editor.getByRole('list', { name: 'Entities' }).getByRole('button').first().click();
    await page.locator('#apply-condition').click();
    assert.equal(await condition(page), 'related to chosen entities (2)');
    await page.locator('#saved-filters').click();
    await assertSeen(page.getByText('A condition on related entities cannot be saved'), 'why it cannot be saved');
  });

  it('is saved under a name, used again and deleted', async () => {
    let saved: Record<string, GraphFilter> = {};
    const page = await open(sizes[0], async (request) => {
      if (request.method === 'saveFilter') {
        const { name, filter } = request.params as { name: string; filter?: GraphFilter };
        const { [name]: _, ...others } = saved;
        saved = filter ? { ...others, [name]: filter } : others;
      } else if (request.method !== 'savedFilters') return incidents.answer(request);
      return { ok: true, value: saved };
    });
    await page.locator('.variant').first().click();
    await page.locator('.filter-bar .chip').waitFor();
    const filter = await filterNow();
    await page.locator('#saved-filters').click();
    const panel = page.getByRole('region', { name: 'Saved filters' });
    await panel.getByText('No filter is saved yet.').waitFor();
    await panel.getByLabel('Save this filter as').fill('Usual');
    await page.keyboard.press('Enter');
    const use = panel.getByRole('button', { name: 'Usual', exact: true });
    await use.waitFor();
    assert.deepEqual(saved, { Usual: filter });
    await keepScreenshot(page, 'saved-filters');
    assert.deepEqual(await findAccessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Clear' }).click();
    await waitUntil('all are back', async () => ((await conditions(page)).length === 0 ? true : undefined));
    await use.click();
    await page.locator('.filter-bar .chip').waitFor();
    assert.deepEqual(await filterNow(), filter);
    assert.equal(await panel.count(), 0);
    await page.locator('#saved-filters').click();
    const isFocused = (locator: Locator): Promise<boolean> =>
      locator.evaluate((node) => node === document.activeElement);
    // A taken name is not replaced without a question, nor is a filter deleted.
    await panel.getByLabel('Save this filter as').fill('Other');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Other', exact: true }).waitFor();
    await page.locator('.variant').nth(1).click();
    await panel.getByLabel('Save this filter as').fill('Usual');
    await page.keyboard.press('Enter');
    const doubt = panel.getByRole('alertdialog');
    assert.match(await doubt.innerText(), /There is a filter Usual. Replace it by the current one\?/);
    assert.deepEqual(saved['Usual'], filter);
    await doubt.getByRole('button', { name: 'Replace' }).click();
    await waitUntil('it is replaced', async () =>
      saved['Usual']?.variant?.id === filter?.variant?.id ? undefined : Promise.resolve(true),
    );
    const bin = panel.getByRole('button', { name: 'Delete the filter Usual' });
    await bin.click();
    assert.match(await doubt.innerText(), /Delete the filter Usual\? Its file of the project is deleted\./);
    await keepScreenshot(page, 'saved-filters-delete');
    assert.deepEqual(await findAccessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await doubt.count(), 0);
    assert.ok(await isFocused(bin), 'Escape backs out one level');
    assert.deepEqual(Object.keys(saved).toSorted(), ['Other', 'Usual']);
    await bin.click();
    await doubt.getByRole('button', { name: 'Delete' }).click();
    await waitUntil('it is gone', async () => ((await bin.count()) === 0 ? true : undefined));
    assert.deepEqual(Object.keys(saved), ['Other']);
    await waitUntil('no other bin has the focus', async () =>
      (await isFocused(panel.getByLabel('Save this filter as'))) ? true : undefined,
    );
  });

  it('keeps the type of the page with a saved filter without one', async () => {
    const withoutType: GraphFilter = { activities: [{ activity: 'New', occurs: true }] };
    const page = await open(sizes[0], async (request) =>
      request.method === 'savedFilters' ? { ok: true, value: { Usual: withoutType } } : incidents.answer(request),
    );
    await page.locator('#saved-filters').click();
    await page.getByRole('button', { name: 'Usual', exact: true }).click();
    await condition(page);
    assert.deepEqual(await filterNow(), { entityType: 'incident', ...withoutType });
  });

  it('is written about the properties of its type, which another type and another import do not leave behind', async () => {
    let failing = '';
    const page = await open(sizes[0], async (request) =>
      request.method === failing
        ? { ok: false, error: { code: 'cancelled', message: 'The engine is gone.' } }
        : incidents.answer(request),
    );
    const editor = page.getByRole('region', { name: 'Add a condition' });
    const subject = editor.getByRole('combobox', { name: 'Condition on' });
    const type = page.locator('#entity-type');
    await page.locator('#add-condition').click();
    await subject.selectOption('priority');
    await editor.getByRole('list', { name: 'Values of priority' }).waitFor();
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await waitUntil('the values are read again', async () => {
      const asked = (await webview.requests()).filter(({ method }) => method === 'propertyValues');
      return asked.length >= 3 ? true : undefined;
    });
    await editor.getByRole('list', { name: 'Values of priority' }).getByRole('checkbox').first().check();
    await type.focus();
    await type.selectOption('caller');
    await waitUntil('the first property of callers', async () => {
      const text = (await editor.getByRole('list').allInnerTexts()).join();
      return (await subject.count()) === 1 && (await subject.inputValue()) !== '=priority' && text !== ''
        ? true
        : undefined;
    });
    assert.equal(await editor.getByRole('checkbox', { checked: true }).count(), 0);
    assert.ok(await type.evaluate((node) => node === document.activeElement), 'the choice of the type has the focus');
    await page.keyboard.press('Escape');
    failing = 'properties';
    await type.selectOption('incident');
    await assertSeen(editor.getByText('The properties could not be read: The engine is gone.'), 'why there are none');
  });

  it('drops the properties of another type, also when a change of the type is undone', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'Distributions' }).click();
    await page.locator('#entity-type').selectOption('caller');
    const values = page.getByRole('region', { name: 'Values of a property' });
    await values.getByRole('combobox').selectOption('location');
    await values.getByRole('listitem').first().waitFor();
    await page.locator('#undo-filter').click();
    await waitUntil('no property is chosen', async () =>
      (await values.locator('option').first().innerText()) === 'Choose a property' ? true : undefined,
    );
    assert.equal(await values.getByRole('listitem').count(), 0);
  });

  it('says what is wrong with limits, and Enter applies those that are right', async () => {
    const page = await open();
    const editor = page.getByRole('region', { name: 'Add a condition' });
    await page.locator('#add-condition').click();
    await editor.getByRole('combobox', { name: 'Condition on' }).selectOption('reassignment_count');
    const from = editor.getByLabel('from', { exact: true });
    await from.fill('9');
    await editor.getByLabel('to below').fill('2');
    const only = page.locator('#apply-condition');
    await assertSeen(editor.getByText('No value is from 9 to below 2'), 'what is wrong');
    assert.equal(await only.evaluate((node) => getComputedStyle(node).opacity), '0.4', 'it looks unavailable');
    await keepScreenshot(page, 'condition-mistake');
    await from.press('Enter');
    assert.equal(await page.locator('.filter-bar .chip').count(), 0);
    await from.fill('1');
    await from.press('Enter');
    assert.equal(await condition(page), 'reassignment_count from 1 to below 2');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('#add-condition').click();
    await editor.getByRole('combobox', { name: 'Condition on' }).selectOption('reassignment_count');
    await editor.locator('#condition-bins').press('ArrowRight');
    await page.keyboard.press('Enter');
    assert.match(await condition(page), /^reassignment_count below \d/);
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
