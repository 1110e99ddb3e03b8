import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { elementFields } from '../../protocol/fields/element.ts';
import type { Field, FieldTable } from '../../protocol/fields/field.ts';
import { fieldTables } from '../../protocol/fields/field-tables.ts';
import { masterDataFields } from '../../protocol/fields/master-data.ts';
import { processContextFields } from '../../protocol/fields/process-context.ts';
import { crossTableFields, relationshipFields } from '../../protocol/fields/relationship.ts';
import { keepScreenshot, projectFolder, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, openCanvasHost } from './canvas-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type WebviewServer, startWebviewServer } from './webview-page.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, products]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed_at
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
entities:
  - { name: Product, dataObject: products, key: id }
relationships:
  - { name: buys, source: Win Customer, target: Place Order, mappings: [{ source: id, target: customer_id }] }
`;

/** The dialogs, with the tables whose fields they have. */
const dialogs: readonly { readonly key: string; readonly tables: readonly FieldTable[]; readonly opens?: string }[] = [
  { key: 'element:Place Order', tables: [elementFields, processContextFields] },
  { key: 'element:Product', tables: [masterDataFields, processContextFields] },
  { key: 'relationship:buys', tables: [relationshipFields] },
  { key: 'relationship:buys', tables: [crossTableFields], opens: 'Add Cross Table' },
];

describe('every field of the text on the canvas', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let host: CanvasHost;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  beforeEach(async () => {
    host = await openCanvasHost(server, browser, {
      text,
      answers: {
        otherSources: () => ({ ok: true, value: [{ dataSource: 'archive', kind: 'SQLite', isNamed: false }] }),
      },
    });
  });
  afterEach(async () => {
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });

  const page = () => host.webview.page;
  const dialog = () => page().getByRole('dialog');
  const stop = (key: string) => page().locator(`[data-key="${key}"]`);

  it('the dialogs below are those of all tables', () => {
    const tables = new Set<FieldTable>(dialogs.flatMap((each) => each.tables));
    assert.deepEqual([...tables].length, Object.keys(fieldTables).length);
    for (const table of Object.values(fieldTables)) assert.ok(tables.has(table));
  });

  it('the dialog of the graph, the palette and the cards have a place for each field of the graph', async () => {
    await page().locator('#configure-graph').click();
    await dialog().locator('#graph-name').waitFor();
    const lists = await dialog()
      .locator('[data-list]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-list') ?? ''));
    const controls = await Promise.all(
      ['name', 'description', 'data-source'].map((name) => dialog().locator(`#graph-${name}`).count()),
    );
    assert.deepEqual(controls, [1, 1, 1]);
    const { default: schema } = await import('../../schemas/entity-graph.schema.json', { with: { type: 'json' } });
    const drawn = ['dataObjects', 'elements', 'entities', 'relationships'];
    // The version is that of the format: there is no other one to choose.
    const expected = ['version', 'name', 'description', 'dataSource', ...drawn, ...lists];
    assert.deepEqual(Object.keys(schema.properties).toSorted(), expected.toSorted());
    await page().keyboard.press('Escape');
  });

  for (const { key, tables, opens } of dialogs) {
    it(`${key} has a control for each field${opens === undefined ? '' : ` (${opens})`}`, async () => {
      await stop(key).dblclick();
      await dialog().locator('.body, .split').first().waitFor();
      if (opens !== undefined) await dialog().getByRole('button', { name: opens }).click();
      const closed = dialog().locator('details:not([open]) > summary');
      while ((await closed.count()) > 0) await closed.first().click();
      const names = await waitUntil('data sources can be chosen', async () => {
        const found = await controlNames();
        return opens !== undefined || found.some((name) => /data source|^source/i.test(name)) ? found : undefined;
      });
      // A path goes without mappings.
      if (tables[0] === relationshipFields) {
        await dialog().getByRole('button', { name: 'Remove mapping 1' }).click();
        await dialog().getByRole('button', { name: 'Add Path' }).waitFor();
        names.push(...(await controlNames()));
      }
      for (const table of tables)
        for (const [field, { label = '' }] of Object.entries<Field>(table)) {
          assert.notEqual(label, '', `${field} has no label`);
          const plain = label.toLowerCase();
          assert.ok(
            names.some((name) => name.toLowerCase().includes(plain)),
            `no control is called ${label}, for ${field}: ${names.join(' | ')}`,
          );
        }
      assert.deepEqual(await findAccessibilityProblems(page()), []);
    });
  }

  it('a new text of an entry, which only documents it, has a control without further code', async () => {
    const canvas = await withMoreTexts();
    await browser.route('**/dist/canvas.js', (route) =>
      route.fulfill({ body: canvas, contentType: 'text/javascript' }),
    );
    try {
      for (const [key, opens] of [
        ['element:Place Order'],
        ['element:Product'],
        ['relationship:buys', 'Add Cross Table'],
      ]) {
        await page().close();
        host = await openCanvasHost(server, browser, { text });
        await stop(key ?? '').dblclick();
        await dialog().locator('.body, .split').first().waitFor();
        if (opens !== undefined) await dialog().getByRole('button', { name: opens }).click();
        const purposes = dialog().getByRole('textbox', { name: 'Purpose', exact: true });
        assert.equal(await purposes.count(), opens === undefined ? 1 : 2, key);
        await purposes.first().fill('Why it matters');
        assert.equal(await purposes.first().inputValue(), 'Why it matters');
      }
    } finally {
      await browser.unroute('**/dist/canvas.js');
    }
  });

  /** What is said of each control of the dialog, and of the sections that have controls. */
  async function controlNames(): Promise<string[]> {
    const roles = ['textbox', 'combobox', 'checkbox', 'button', 'group'] as const;
    const names = await Promise.all(
      roles.map(async (role) => {
        const found = await dialog().getByRole(role).all();
        return Promise.all(found.map((each) => each.ariaSnapshot()));
      }),
    );
    const sections = await dialog().locator('details:has(input, textarea, vscode-text-area) > summary').allInnerTexts();
    return [...names.flat().map((snapshot) => /"([^"]*)"/.exec(snapshot)?.[1] ?? ''), ...sections];
  }

  const confirmed = async (expected: string): Promise<void> => {
    const confirm = dialog().locator('#confirm');
    await waitUntil('it can be confirmed', async () =>
      (await confirm.getAttribute('disabled')) === null ? true : undefined,
    );
    await confirm.click();
    await waitUntil('the text has changed', async () => (host.text() === text ? undefined : true));
    assert.equal(host.text(), expected);
  };

  it('writes starts and ends of rows, and expectations of rows', async () => {
    await stop('element:Place Order').dblclick();
    await dialog().getByText('Starts and Ends in Rows of Their Own').click();
    const column = dialog().getByRole('combobox', { name: 'Column of Starts and Ends' });
    await column.fill('number');
    await column.press('Tab');
    await dialog().locator('#lifecycle-start textarea').fill('begin\nresume');
    await dialog().locator('#lifecycle-end textarea').fill('done');
    await dialog().getByText('Expectations of Rows').click();
    // It may be chosen first.
    await dialog().getByRole('combobox', { name: 'A broken expectation is' }).click();
    await dialog().getByRole('option', { name: 'Error' }).click();
    const focused = () => page().evaluate(() => document.activeElement?.closest('[id^=expect]')?.id);
    const hasFocus = (id: string): Promise<unknown> =>
      waitUntil(`${id} has the focus`, async () => ((await focused()) === id ? true : undefined));
    await dialog().getByRole('button', { name: 'Add Unique Key' }).click();
    await hasFocus('expect-unique-0');
    await dialog().getByRole('button', { name: 'Remove unique key 1' }).click();
    await hasFocus('expect');
    await dialog().getByRole('button', { name: 'Add Unique Key' }).click();
    const unique = dialog().getByRole('combobox', { name: 'Unique Key 1' });
    await unique.fill('number');
    await unique.press('Tab');
    await dialog().getByRole('textbox', { name: 'Number of Rows' }).fill('1..');
    await confirmed(
      text.replace(
        'startTimestamp: placed_at\n',
        `startTimestamp: placed_at
    lifecycle:
      column: number
      start: [begin, resume]
      end: [done]
    expect:
      unique: [number]
      rows: 1..
      severity: error
`,
      ),
    );
  });

  it('writes names of activities and a time zone with the keyboard alone', async () => {
    await stop('element:Place Order').dblclick();
    const { keyboard } = page();
    const focused = () => page().evaluate(() => document.activeElement?.closest('[id^=activity-]')?.id);
    const hasFocus = (id: string): Promise<unknown> =>
      waitUntil(`${id} has the focus`, async () => ((await focused()) === id ? true : undefined));
    const column = dialog().getByRole('combobox', { name: 'Activity Column' });
    await column.fill('number');
    await column.press('Tab');
    await dialog().locator('summary').getByText('Names of Activities').focus();
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await hasFocus('activity-names');
    for (const [index, [old, name]] of [
      ['fragile', 'Pack'],
      ['wrong', 'Gone'],
      ['a: gift', 'Pack'],
    ].entries()) {
      if (index > 0) await dialog().locator('#activity-names').focus();
      await keyboard.press('Enter');
      await hasFocus(`activity-text-${index}`);
      await keyboard.type(old ?? '');
      await keyboard.press('Tab');
      await hasFocus(`activity-name-${index}`);
      await keyboard.type(name ?? '');
    }
    await dialog().getByRole('button', { name: 'Remove name 2' }).focus();
    await keyboard.press('Enter');
    await hasFocus('activity-text-1');
    await dialog().locator('summary').getByText('Advanced SQL').focus();
    await keyboard.press('Enter');
    const zone = dialog().getByRole('combobox', { name: 'Time Zone' });
    await zone.focus();
    await keyboard.type('berl');
    await dialog().getByRole('option', { name: 'Europe/Berlin' }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await dialog().locator('#activity-names').scrollIntoViewIfNeeded();
    for (const width of [1366, 640]) {
      await page().setViewportSize({ width, height: 768 });
      await keepScreenshot(page(), `activity-names-${width}`);
    }
    assert.deepEqual(await findAccessibilityProblems(page()), []);
    await confirmed(
      text.replace(
        'startTimestamp: placed_at\n',
        `startTimestamp: placed_at
    timeZone: Europe/Berlin
    activityColumn: number
    activityNames:
      fragile: Pack
      'a: gift': Pack
`,
      ),
    );
  });

  it('leads a relationship to another card, whose columns it then has', async () => {
    await stop('relationship:buys').dblclick();
    const target = dialog().getByRole('combobox', { name: 'Target', exact: true });
    await target.fill('Nobody');
    await target.press('Tab');
    await waitUntil(
      'it cannot be confirmed',
      async () => (await dialog().locator('#confirm').getAttribute('disabled')) ?? undefined,
    );
    assert.match(await dialog().locator('.why').innerText(), /Nobody/);
    await target.fill('Product');
    await target.press('Tab');
    await dialog().locator('.join').getByText('products').first().waitFor();
    const mapped = dialog().locator('[data-mapping="0"] input').last();
    await mapped.fill('id');
    await mapped.press('Tab');
    await confirmed(
      text.replace(
        'target: Place Order, mappings: [{ source: id, target: customer_id }]',
        'target: Product, mappings: [{ source: id, target: id }]',
      ),
    );
  });
});

/** The canvas, in all whose tables of fields stands one more text. */
async function withMoreTexts(): Promise<string> {
  const added = `purpose: { type: 'text', label: 'Purpose' },\n} as const satisfies FieldTable`;
  const { outputFiles } = await build({
    entryPoints: [join(projectFolder, 'webview/src/canvas/main.ts')],
    ...{ bundle: true, write: false, format: 'iife', target: 'es2023' },
    plugins: [
      {
        name: 'more texts',
        setup: ({ onLoad }) =>
          onLoad({ filter: /protocol\/fields\/(element|master-data|relationship)\.ts$/ }, async ({ path }) => ({
            contents: (await readFile(path, 'utf8')).replaceAll('} as const satisfies FieldTable', added),
            loader: 'ts',
          })),
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

const withParts = `${text}rules:
  - name: Orders are shipped
    each: { entityType: orders }
    expect: [{ activity: Place Order }]
calendars:
  office: { timeZone: UTC, days: Mon-Fri, hours: "08:00-17:00" }
`;

for (const [theme, width] of [
  ['dark', 1366],
  ['light', 640],
  ['high-contrast', 1366],
] as const) {
  describe(`rules, measures, guards, calendars and settings of a graph on the canvas (${theme}, ${width} pixels)`, () => {
    let server: WebviewServer;
    let host: CanvasHost;

    before(async () => {
      server = await startWebviewServer();
      host = await openCanvasHost(server, await sharedChromium(), { text: withParts, theme, width, height: 768 });
    });
    after(async () => {
      assert.deepEqual(host.webview.errors, []);
      await host.webview.page.close();
      await server.close();
    });

    const dialog = () => host.webview.page.getByRole('dialog');
    const list = (name: string) => dialog().locator(`[data-list="${name}"]`);

    it('are shown, added, opened beside, removed and edited in one dialog', async () => {
      const { page } = host.webview;
      await page.locator('#configure-graph').click();
      await list('rules').getByRole('button', { name: 'Orders are shipped', exact: true }).waitFor();
      assert.deepEqual(await findAccessibilityProblems(page), []);
      await keepScreenshot(page, `graph-dialog-${theme}-${width}`);

      await list('measures').getByRole('button', { name: 'Add Measure' }).click();
      await list('measures').getByRole('button', { name: 'New measure', exact: true }).waitFor();
      assert.match(host.text(), /measures:\n {2}- name: New measure\n/);
      // Its text is opened, where completion and problems are.
      const line = host
        .text()
        .split('\n')
        .findIndex((each) => each.includes('New measure'));
      const opened = await host.webview.waitForPosted('revealRange');
      assert.ok(opened.type === 'revealRange');
      assert.equal(opened.range.start.line, line);

      await list('measures').getByRole('button', { name: 'Delete New measure' }).click();
      await list('measures').getByText('Numbers of the process').waitFor();
      assert.equal(host.text(), withParts);

      await dialog().locator('#graph-description textarea').fill('What we sell');
      await dialog().locator('#graph-description textarea').press('Tab');
      await waitUntil('the text is written', () =>
        Promise.resolve(host.text().includes('description: What we sell\n') ? true : undefined),
      );
      // What is changed in the text meanwhile is shown.
      await host.setText(host.text().replace('Orders are shipped', 'Orders are sent'));
      await list('rules').getByRole('button', { name: 'Orders are sent', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    });

    it('keep a text that was refused, and all parts while the text has a syntax error', async () => {
      const { page } = host.webview;
      await page.locator('#configure-graph').click();
      const name = dialog().locator('#graph-name input');
      await name.waitFor();
      host.answers.edit = () => ({ ok: false, error: { code: 'edit-refused', message: 'The file is read-only.' } });
      await name.fill('Shop of shops');
      await name.press('Tab');
      await dialog().getByText('The file is read-only.').waitFor();
      assert.equal(await name.inputValue(), 'Shop of shops');
      delete host.answers.edit;
      const whole = host.text();
      await host.setText(`${whole}oops: [\n`);
      await dialog().getByText('The file cannot be read at the moment').waitFor();
      await list('rules')
        .getByText(/^Orders are/)
        .waitFor();
      assert.equal(await dialog().locator('.parts').getAttribute('inert'), '');
      assert.equal(await name.inputValue(), 'Shop of shops');
      assert.deepEqual(await findAccessibilityProblems(page), []);
      await keepScreenshot(page, `graph-dialog-unreadable-${theme}-${width}`);
      await host.setText(whole);
      await waitUntil('it can be changed again', async () =>
        (await dialog().locator('.parts').getAttribute('inert')) === null ? true : undefined,
      );
      // What was refused is written when the dialog closes.
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      assert.match(host.text(), /^name: Shop of shops$/m);
    });
  });
}
