import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { EventGraphPageRequests } from '../../protocol/requests/event-graph-requests.ts';
import type { GraphFilter } from '../../protocol/event-graph.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ThemeName, themes } from './themes.ts';
import { assertSeen } from './visible.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import {
  type PostedRequest,
  type WebviewPage,
  type WebviewServer,
  startWebviewServer,
  useTheme,
} from './webview-page.ts';

describe('event graph view: rules', () => {
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
    own: { readonly [M in keyof EventGraphPageRequests]?: unknown } = {},
    width = 1200,
    filter: GraphFilter | undefined = undefined,
  ): Promise<void> {
    const answer = async (request: PostedRequest): Promise<unknown> =>
      own[request.method as keyof EventGraphPageRequests] ?? incidents.answer(request);
    const kept = filter && { filter, hasChosenType: true };
    webview = await server.open(browser, { bundle: 'event-graph', width, height: 760, answer, kept });
    await webview.send({ type: 'eventGraph', name: 'incidents' });
    await page().getByRole('tab', { name: 'Rules' }).click();
  }
  const page = () => webview.page;
  const rules = () => page().getByRole('list', { name: 'Rules' }).getByRole('button');
  const region = (name: string) => page().getByRole('region', { name });
  const inSight = async (name: string): Promise<void> => {
    const box = await region(name).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + Math.min(box.height, 60) <= 760, `${name}: ${JSON.stringify(box)}`);
  };

  it('shows the share that keeps each rule, and the violations of the first rule with time and place', async () => {
    await open();
    await region('Who breaks it').waitFor();
    assert.deepEqual(
      (await rules().allInnerTexts()).map((text) => text.split('\n').filter((line) => line !== '')),
      [
        ['Urgent incidents are resolved within five days', '60.4 %', '19 of 48 broken'],
        ['Incidents are closed after they are resolved', '100 %', '0 of 861 broken · 29 not concerned'],
        ['Few incidents are reopened', '98.8 %', '10 of 890 broken'],
        ['Every incident has one caller', '100 %', '0 of 890 broken'],
      ],
    );
    assert.equal(await rules().first().getAttribute('aria-current'), 'true');
    for (const theme of Object.keys(themes) as readonly ThemeName[]) {
      await useTheme(page(), theme);
      assert.deepEqual(await findAccessibilityProblems(page()), [], theme);
    }
    for (const name of ['Over time', 'Where it is broken', 'Who breaks it']) await inSight(name);
    const counted = await region('Over time')
      .getByRole('listitem')
      .evaluateAll((all) =>
        all.map((each) =>
          /: (\d+) of (\d+) broken$/u
            .exec(each.getAttribute('aria-label') ?? '')
            ?.slice(1)
            .map(Number),
        ),
      );
    const sum = (index: number): number => counted.reduce((total, each) => total + (each?.[index] ?? 0), 0);
    assert.deepEqual([sum(0), sum(1)], [19, 48]);
    await keepScreenshot(page(), 'event-graph-rules');
  });

  const sqlOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const outcome = await incidents.answer({ method: 'sql', params: { sql, limit: 1000 } } as never);
    return (outcome as { readonly value: { readonly rows: readonly (readonly unknown[])[] } }).value.rows;
  };
  const waited = { activity: 'Awaiting User Info', occurs: true };

  it('judges the entities of the filter, and events that belong to them', async () => {
    await open({ openNumber: { ok: true, value: null } }, 1200, { entityType: 'incident', activities: [waited] });
    await region('Who breaks it').waitFor();
    const ofFilter = `SELECT c.entity_id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id JOIN entity AS e ON e.id = c.entity_id
      WHERE e.entity_type = 'incident' AND v.activity = '${waited.activity}'`;
    const [[entities, opened, reopened, late]] = (await sqlOf(`SELECT count(DISTINCT entity_id),
      (SELECT count(*) FROM event WHERE activity = 'Open Incident' AND lifecycle = 'start' AND entity_id IN (${ofFilter})),
      (SELECT count(*) FROM rule_violation WHERE rule = 3 AND entity_id IN (${ofFilter})),
      (SELECT count(*) FROM rule_violation WHERE rule = 1 AND entity_id IN (${ofFilter})) FROM (${ofFilter})`)) as [
      [string, string, string, string],
    ];
    assert.ok(Number(entities) > 0 && Number(entities) < 890, entities);
    const lines = async () => (await rules().allInnerTexts()).map((text) => text.split('\n').at(-1)?.trim());
    assert.deepEqual((await lines()).slice(2), [`${reopened} of ${entities} broken`, `0 of ${opened} broken`]);
    assert.match((await lines())[0] ?? '', new RegExp(`^${late} of \\d+ broken$`, 'u'));
    assert.equal(await page().locator('#matching').innerText(), `${entities} of 890 entities`);
    assert.equal(await page().locator('.rule-details .note').count(), 0);
    await keepScreenshot(page(), 'event-graph-rules-filtered');
    // The opened number is that of the filter, too.
    await page()
      .getByRole('button', { name: new RegExp(`^${late} of`, 'u') })
      .last()
      .click();
    await page().getByRole('menuitem', { name: 'Show Its Rows' }).click();
    const params = (await webview.requests()).findLast(({ method }) => method === 'openNumber')?.params;
    const { value } = (await incidents.answer({ method: 'numberSql', params } as never)) as {
      readonly value: { readonly number: string };
    };
    assert.deepEqual(await sqlOf(value.number), [[late]]);
    // The map keeps the conditions.
    await page().getByRole('button', { name: 'Show on Map' }).click();
    await page().getByRole('button', { name: 'breaks: Urgent' }).waitFor();
    await page()
      .getByRole('button', { name: `with ${waited.activity}` })
      .waitFor();
    await page().getByRole('tab', { name: 'Rules' }).click();
    await page().getByRole('button', { name: 'Clear' }).click();
    await rules().nth(2).getByText('10 of 890 broken').waitFor();
  });

  it('says where the filter does not apply: rules about other entities, findings of the import, changes', async () => {
    await open({ graphDiff: { ok: false, error: { code: 'no-earlier-run', message: '' } } }, 1200, {
      entityType: 'caller',
      from: '2016-03-02T00:00:00Z',
    });
    await rules().first().getByText('19 of 48 broken · of the whole graph').waitFor();
    await page().getByText('Judged for the whole graph: the filter is about entities of type caller.').waitFor();
    assert.doesNotMatch(await rules().last().innerText(), /whole graph/u);
    for (const [tab, reason] of [
      ['Data Quality', 'these are the findings of the whole import.'],
      ['Changes', 'the whole graph is compared with that of the previous import.'],
    ] as const) {
      await page().getByRole('tab', { name: tab }).click();
      assert.equal(await page().getByRole('note').innerText(), `The filter does not apply here: ${reason}`);
      assert.equal(await page().locator('.filter-bar').count(), 0);
      await keepScreenshot(page(), `event-graph-unfiltered-${tab}`);
    }
  });

  it('groups results by the values of another property', async () => {
    await open();
    const choice = region('Where it is broken').getByRole('combobox');
    await choice.waitFor();
    const names = await choice.locator('option').allInnerTexts();
    const other = names.find((name) => name === 'priority') ?? names.at(-1) ?? '';
    await choice.selectOption(other);
    await page().waitForFunction(
      (name) => document.querySelector<HTMLSelectElement>('.rule-details select')?.value === name,
      other,
    );
    const bars = await region('Where it is broken').locator('.bar-count').allInnerTexts();
    const broken = bars.map((text) => Number(text.split(' of ')[0]));
    assert.equal(
      broken.reduce((total, each) => total + each, 0),
      19,
    );
  });

  it('opens the timeline of a violation, and the map of all of them', async () => {
    await open();
    await region('Who breaks it').getByRole('button').first().click();
    const key = (await page().locator('.entity h2').innerText()).trim();
    assert.match(key, /INC\d+/u);
    // The map of all types shows the type of those that break it then.
    await page().getByRole('tab', { name: 'Process Map' }).click();
    await page().locator('#entity-type').selectOption({ label: 'of all types' });
    await page().getByRole('tab', { name: 'Rules' }).click();
    await page().getByRole('button', { name: 'Show on Map' }).click();
    assert.equal(await page().locator('#entity-type').inputValue(), 'incident');
    await page().getByRole('button', { name: 'breaks: Urgent incidents are resolved within five days' }).waitFor();
    await page().getByRole('button', { name: 'Open Incident: 19' }).waitFor();
    await keepScreenshot(page(), 'event-graph-broken-on-map');
    await page().getByRole('button', { name: 'breaks: Urgent' }).click();
    await page().getByRole('button', { name: 'Open Incident: 890' }).waitFor();
  });

  it('shows a rule that concerns nothing as one that never happened, without parts', async () => {
    const numbers = { judged: 12, concerned: 0, kept: 0, broken: 0, pending: 0, undecided: 0 };
    const outcome = { share: null, atLeast: 0.9, holds: false, sql: 'SELECT 1', violations: [] };
    const result = { name: 'Refunds are paid', severity: 'error', ...numbers, ...outcome };
    const nothing = { expectations: [], violations: [], trend: { unit: 'week', buckets: [] }, properties: [] };
    await open({
      rules: { ok: true, value: [result] },
      rule: { ok: true, value: { result, ...nothing } },
    });
    await page().getByRole('heading', { name: result.name }).waitFor();
    const label = await rules().first().getAttribute('aria-label');
    assert.equal(label, 'Never happened: Refunds are paid – It concerns none of 12.');
    assert.deepEqual([await page().locator('.share-bar > *').count(), await region('Over time').count()], [0, 0]);
  });

  it('opens the events and rows of a violation, and of all of them', async () => {
    await open({
      openNumber: { ok: true, value: null },
      openSourceRows: { ok: true, value: null },
      createTest: { ok: true, value: null },
    });
    const asked = async (method: string): Promise<unknown> =>
      (await webview.requests()).filter((each) => each.method === method).at(-1)?.params;
    const who = region('Who breaks it').getByRole('listitem').first();
    const [key = ''] = /INC\d+/u.exec(await who.innerText()) ?? [];
    await who.getByRole('button', { name: `Show events or rows of ${key}` }).click();
    await keepScreenshot(page(), 'event-graph-broken-rows');
    assert.deepEqual(
      await page().getByRole('menuitem').allInnerTexts(),
      ['Events', ...['Open', 'Update', 'Resolve', 'Close'].map((verb) => `Rows of ${verb} Incident`)]
        .map((what) => `Show Its ${what}`)
        .concat('Create Test from Rows…'),
    );
    await page().getByRole('menuitem', { name: 'Show Its Rows of' }).last().click();
    assert.deepEqual(await asked('openSourceRows'), {
      target: { kind: 'element', name: 'Close Incident', only: { kind: 'key', key } },
      part: 'rows',
    });
    await who.getByRole('button', { name: `Show events or rows of ${key}` }).click();
    await page().getByRole('menuitem', { name: 'Create Test from Rows…' }).click();
    const made = (await asked('createTest')) as { readonly targets: readonly unknown[]; readonly rule: string };
    assert.deepEqual([made.targets.length, made.rule], [4, 'Urgent incidents are resolved within five days']);
    await page().getByRole('button', { name: '19 of 48 broken' }).last().click();
    await page().getByRole('menuitem', { name: 'Show Its Entities' }).click();
    const params = (await asked('openNumber')) as { readonly number: unknown; readonly part: unknown };
    assert.deepEqual([params.number, params.part], [{ kind: 'broken', rule: 1 }, 'entities']);
    const { value } = (await incidents.answer({ method: 'numberSql', params } as never)) as {
      readonly value: { readonly number: string; readonly entities: string; readonly rows: string };
    };
    for (const [part, rows] of [
      ['number', 1],
      ['entities', 19],
      ['rows', 19],
    ] as const) {
      const outcome = (await incidents.answer({
        method: 'sql',
        params: { sql: value[part], limit: 100 },
      } as never)) as {
        readonly value: { readonly rows: readonly unknown[] };
      };
      assert.equal(outcome.value.rows.length, rows, part);
      if (part === 'number') assert.deepEqual(outcome.value.rows, [['19']]);
    }
  });

  it('shows the rule that an incoming message names', async () => {
    await open();
    await webview.send({ type: 'eventGraph', name: 'incidents', tab: 'rules', rule: 3 });
    await page().getByRole('heading', { name: 'Few incidents are reopened' }).waitFor();
  });

  it('opens the SQL of a rule, and works by keyboard', async () => {
    await open({ openSqlConsole: { ok: true, value: null } });
    await rules().nth(2).focus();
    await page().keyboard.press('Enter');
    await page().getByRole('heading', { name: 'Few incidents are reopened' }).waitFor();
    await page().getByRole('button', { name: 'Show Its SQL' }).click();
    const [asked] = (await webview.requests()).filter(({ method }) => method === 'openSqlConsole');
    assert.match(String((asked?.params as { sql?: string } | undefined)?.sql), /^WITH /u);
  });

  it('explains how to write rules if there are none', async () => {
    await open({ rules: { ok: true, value: [] } });
    await page().getByRole('heading', { name: 'This graph has no rules' }).waitFor();
    await assertSeen(page().locator('.example'), 'the example');
    const suggest = page().getByRole('button', { name: 'Suggest Rules…' });
    await assertSeen(suggest, 'the button');
    await suggest.press('Enter');
    assert.deepEqual(await webview.waitForPosted('entityAction'), { type: 'entityAction', action: 'suggestRules' });
    await keepScreenshot(page(), 'event-graph-no-rules');
  });

  it('fits beside the text', async () => {
    await open({}, 640);
    await region('Over time').waitFor();
    assert.ok(await rules().first().isVisible());
    await inSight('Over time');
    await keepScreenshot(page(), 'event-graph-rules-narrow');
  });
});
