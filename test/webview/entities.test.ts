import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { EntityRow } from '../../protocol/entities-table.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { entityRows, manyEntityRows } from './entity-rows.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('entities table', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  async function open(kept?: unknown): Promise<void> {
    webview = await server.open(browser, { bundle: 'entities', width: 1300, height: 400, ...(kept ? { kept } : {}) });
  }
  async function show(rows: readonly EntityRow[] = entityRows, trusted = true): Promise<void> {
    await webview.send({ type: 'entities', rows, trusted });
    await webview.page.locator('#table, #no-entities, #no-match').first().waitFor();
  }
  const rowNamed = (name: string) =>
    webview.page.locator('.rows .row', { has: webview.page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
  const names = () => webview.page.locator('.rows .name').allInnerTexts();
  const namesBecome = (expected: readonly string[]) =>
    waitUntil(`the rows are ${expected.join(', ')}`, async () =>
      JSON.stringify(await names()) === JSON.stringify(expected) ? true : undefined,
    );
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await webview.page.keyboard.press(key);
  };
  const focusedRow = () =>
    webview.page.evaluate(() => document.activeElement?.closest('.row')?.querySelector('.name')?.textContent);
  const lastAction = async () => {
    const all = (await webview.posted()).filter((message) => message.type === 'entityAction');
    const last = all.at(-1);
    return last && [last.action, last.uri?.replace(/^.*\//, '').replace('.entity.yaml', '')];
  };

  it('shows all rows when a time of one is damaged', async () => {
    const [first, ...others] = entityRows;
    assert.ok(first);
    await show([{ ...first, imported: 'yesterday' }, ...others]);
    assert.equal((await names()).length, entityRows.length);
    assert.equal(await rowNamed('Incident management').locator('.imported-time').innerText(), 'Invalid Date');
  });

  it('shows rows of an earlier run as busy, and replaces them by the rows of the server', async () => {
    const [first] = entityRows;
    assert.ok(first);
    await webview.send({ type: 'entities', rows: [first], trusted: true, isEarlier: true });
    await webview.page.locator('#table[aria-busy="true"]').waitFor();
    await webview.waitForPosted('drawn');
    assert.deepEqual(await names(), ['Incident management']);
    await rowNamed('Incident management').dblclick();
    assert.deepEqual(await lastAction(), ['configure', 'incidents']);
    await show();
    await namesBecome(['Changes', 'Incident management', 'Invoices', 'Orders', 'Returns', 'Shipments']);
    await webview.page.locator('#table[aria-busy="false"]').waitFor();
  });

  it('shows every status by shape and word', async () => {
    await show();
    assert.deepEqual(await names(), ['Changes', 'Incident management', 'Invoices', 'Orders', 'Returns', 'Shipments']);
    const cells = async (name: string) => (await rowNamed(name).locator('.cell').allInnerTexts()).slice(1, 4);
    assert.deepEqual(await cells('Incident management'), ['itsm', 'Imported', 'Import Done']);
    assert.deepEqual(await cells('Orders'), ['shop', 'Imported, modified', 'Import Done']);
    assert.equal(await rowNamed('Orders').locator('.status').getAttribute('title'), 'Imported, modified since import');
    assert.deepEqual(await cells('Returns'), ['shop', 'Not Imported', '']);
    assert.match((await cells('Invoices')).join(), /Import failed at data pull: password/);
    assert.deepEqual((await cells('Shipments'))[2], 'data pull · 120,000 rows');
    assert.deepEqual((await cells('Changes'))[2], 'Waiting');
    const bar = rowNamed('Shipments').getByRole('progressbar');
    assert.equal(await bar.getAttribute('aria-valuenow'), '40');
    const badge = (name: string) =>
      rowNamed(name)
        .locator('.status')
        .evaluate((node) => {
          const { backgroundColor, borderColor, borderStyle } = getComputedStyle(node);
          const { width, height } = node.getBoundingClientRect();
          return {
            backgroundColor,
            borderColor,
            borderStyle,
            shape: node.querySelector('.codicon')?.className,
            area: width * height,
          };
        });
    const [none, imported, modified] = [
      await badge('Returns'),
      await badge('Incident management'),
      await badge('Orders'),
    ];
    // Red or blue, whatever the shades of the theme; the red of a normal state is an outline only.
    const [red = 0, , blue = 0] = (none.borderColor.match(/[\d.]+/g) ?? []).map(Number);
    assert.ok(red > blue, none.borderColor);
    assert.equal(none.backgroundColor, 'rgba(0, 0, 0, 0)');
    const [otherRed = 0, , otherBlue = 0] = (imported.backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    assert.ok(otherBlue > otherRed, imported.backgroundColor);
    assert.equal(modified.backgroundColor, imported.backgroundColor);
    assert.notEqual(modified.borderStyle, imported.borderStyle);
    assert.equal(new Set([none.shape, imported.shape, modified.shape]).size, 3);
    assert.ok(none.area > 1_000 && imported.area > 1_000);
    await rowNamed('Orders').hover();
    await keepScreenshot(webview.page, 'entities-dark');
  });

  /** Truncated texts of header and rows in visible columns; long ones may be. */
  const cutTexts = () =>
    webview.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.heading .clip, .cell.source, .status .clip, .cell.time')]
        .filter((each) => {
          const text = document.createRange();
          text.selectNodeContents(each);
          // Fractions of a pixel are enough for an ellipsis.
          const { right } = each.getBoundingClientRect();
          return each.checkVisibility() && text.getBoundingClientRect().right > right;
        })
        .map((each) => each.innerText.trim()),
    );
  for (const [width, expected] of [
    [310, ['Name', 'Status', 'Progress']],
    [400, ['Name', 'Status', 'Progress']],
    [540, ['Name', 'Data Source', 'Status', 'Progress']],
    [700, ['Name', 'Data Source', 'Status', 'Progress']],
    [840, ['Name', 'Data Source', 'Status', 'Progress', 'Imported']],
    [960, ['Name', 'Data Source', 'Status', 'Progress', 'Imported']],
    [1000, ['Name', 'Data Source', 'Status', 'Progress', 'Imported']],
    [1018, ['Name', 'Data Source', 'Status', 'Progress', 'Imported']],
    [1240, ['Name', 'Data Source', 'Status', 'Progress', 'Imported']],
    [1300, ['Name', 'Data Source', 'Status', 'Progress', 'Created', 'Modified', 'Imported']],
  ] as const) {
    it(`fits titles and statuses into ${width} pixels`, async () => {
      await show(entityRows.map((row) => ({ ...row, modifiedSinceImport: false })));
      await webview.page.setViewportSize({ width, height: 400 });
      await webview.page.getByRole('columnheader').last().waitFor();
      const shown = await webview.page
        .locator('.heading:not(.actions) button')
        .filter({ visible: true })
        .allInnerTexts();
      assert.deepEqual(shown, expected);
      assert.deepEqual(await cutTexts(), []);
      const wider = await webview.page
        .locator('#table')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.equal(wider, 0);
      await rowNamed('Orders').hover();
      await keepScreenshot(webview.page, `entities-${width}`);
    });
  }

  it('names use the room that progress leaves, beside the side bar', async () => {
    const [first, ...others] = entityRows;
    assert.ok(first);
    await show([{ ...first, name: 'IT service management' }, ...others]);
    await webview.page.setViewportSize({ width: 1018, height: 670 });
    const name = rowNamed('IT service management').locator('.name .clip').first();
    assert.equal(await name.evaluate((each) => each.scrollWidth > each.clientWidth), false);
  });

  for (const width of [1018, 1318, 1572]) {
    it(`shows progress and the beginning of a failure without cutting at ${width} pixels`, async () => {
      const reason = 'Import failed at data pull: timeout';
      const [first, ...others] = entityRows;
      assert.ok(first);
      await show([{ ...first, progress: reason, hasFailed: true }, ...others]);
      await webview.page.setViewportSize({ width, height: 670 });
      await keepScreenshot(webview.page, `entities-progress-${width}`);
      const texts = webview.page.locator('.rows .progress .clip, .rows .reason .clip', { hasText: /timeout|rows/ });
      assert.deepEqual(await texts.evaluateAll((each) => each.map((node) => node.scrollWidth <= node.clientWidth)), [
        true,
        true,
      ]);
      const room = async (column: string) => (await rowNamed('Shipments').locator(column).boundingBox())?.width ?? 0;
      assert.ok((await room('.progress')) > (await room('.name')), 'the room goes where the text is');
    });
  }

  it('shows chosen columns, and tells which', async () => {
    const lastImport = { events: 5998, rules: { kept: 3, all: 4 }, durationMs: 1640, bytes: 4_200_000 };
    await show(entityRows.map((row, index) => (index === 0 ? { ...row, lastImport } : row)));
    await webview.page.setViewportSize({ width: 1572, height: 400 });
    const choose = async (column: string): Promise<void> => {
      await webview.page.getByRole('button', { name: 'Choose Columns…' }).click();
      await webview.page.getByRole('menuitemcheckbox', { name: column }).click();
    };
    const focused = () => webview.page.evaluate(() => document.activeElement?.className ?? '');
    for (const column of ['Size', 'Events', 'Rules Kept', 'Import Took', 'Folder']) {
      await choose(column);
      assert.match(await focused(), /choose-columns/);
    }
    await webview.page.getByRole('button', { name: 'Choose Columns…' }).press('Enter');
    await webview.page.getByRole('menu').waitFor();
    await webview.page.keyboard.press('Escape');
    assert.match(await focused(), /choose-columns/);
    const cells = (await rowNamed('Incident management').locator('.cell').allInnerTexts()).slice(-6, -1);
    assert.deepEqual(cells, ['', '5,998', '3 of 4', '1.6 s', '4.2 MB']);
    await keepScreenshot(webview.page, 'entities-columns');
    await webview.page.getByRole('columnheader', { name: 'Events' }).getByRole('button').click();
    assert.equal((await names())[0], 'Incident management');
    await choose('Events');
    const columns = ['folder', 'rules', 'duration', 'size'];
    assert.deepEqual((await webview.posted()).at(-1), { type: 'chooseColumns', columns });
    assert.equal(await webview.page.getByRole('columnheader', { name: 'Events' }).count(), 0);
    await webview.page.setViewportSize({ width: 600, height: 400 });
    const left = await webview.page.locator('#table').evaluate((table) => {
      table.scrollLeft = 1000;
      return table.scrollLeft;
    });
    assert.ok(left > 50, 'the columns have no room here');
    await keepScreenshot(webview.page, 'entities-columns-scrolled');
    const name = rowNamed('Incident management').locator('.name');
    assert.equal((await name.boundingBox())?.x, 0, 'the name stays');
  });

  for (const width of [1018, 1318, 1572]) {
    it(`all columns that can be chosen leave status, progress and failures whole at ${width} pixels`, async () => {
      const [first, ...others] = entityRows;
      assert.ok(first);
      const lastImport = { events: 1_234_567, rules: { kept: 3, all: 4 }, durationMs: 1640, bytes: 420_000_000 };
      // The step that failed; why is as long as it is.
      const reason = width < 1200 ? 'Import failed at data pull' : 'Import failed at data pull: timeout';
      const rows: readonly EntityRow[] = [{ ...first, progress: reason, hasFailed: true, lastImport }, ...others];
      await webview.page.setViewportSize({ width, height: 670 });
      const columns = ['folder', 'events', 'rules', 'duration', 'size'];
      await webview.send({ type: 'entities', rows, trusted: true, columns });
      await webview.page.getByRole('columnheader', { name: 'Size' }).waitFor();
      await keepScreenshot(webview.page, `entities-chosen-${width}`);
      const scrolled = await webview.page
        .locator('#table')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.equal(scrolled, 0);
      assert.deepEqual(await cutTexts(), []);
      const texts = webview.page.locator('.rows .progress .clip, .rows .reason .clip', {
        hasText: /pull$|timeout|rows/,
      });
      const numbers = webview.page.locator('.rows .number', { hasText: /\d/ });
      for (const [all, count] of [
        [texts, 2],
        [numbers, 4],
      ] as const) {
        const isWhole = await all.evaluateAll((each) => each.map((node) => node.scrollWidth <= node.clientWidth));
        assert.deepEqual(
          isWhole,
          Array.from({ length: count }, () => true),
        );
      }
    });
  }

  it('shows the columns that were chosen the last time', async () => {
    await webview.send({ type: 'entities', rows: entityRows, trusted: true, columns: ['events', 'unknown'] });
    await webview.page.getByRole('columnheader', { name: 'Events' }).waitFor();
    // Progress has its room before the times of the file.
    assert.equal(await webview.page.getByRole('columnheader').count(), 7);
  });

  it('moves row actions into a menu in a narrow view', async () => {
    await show();
    await webview.page.setViewportSize({ width: 340, height: 400 });
    assert.equal(await webview.page.getByRole('button', { name: 'Delete' }).count(), 0);
    await webview.page.locator('.rows .row').first().focus();
    await press('ArrowDown', 'ArrowRight', 'Enter');
    await webview.page.getByRole('menuitem', { name: 'Configure' }).waitFor();
    const reset = webview.page.getByRole('menuitem', { name: 'Reset' });
    assert.equal(await reset.getAttribute('title'), 'Nothing differs from the last import');
    await press('Escape');
    assert.equal(await focusedRow(), 'Incident management');
    await rowNamed('Orders').hover();
    await rowNamed('Orders').getByRole('button', { name: 'More Actions…' }).click();
    await webview.page.getByRole('menuitem', { name: 'Delete' }).click();
    assert.deepEqual(await lastAction(), ['delete', 'orders']);
    // Content above the table keeps its name and tooltip.
    const importAll = webview.page.getByRole('button', { name: 'Import All' });
    assert.equal(await importAll.getAttribute('title'), 'Import All');
    assert.ok(((await importAll.boundingBox())?.width ?? 0) < 60);
  });

  it('distinguishes graphs of equal name by the differing part of their paths, also in a narrow table', async () => {
    await show(
      ['eu', 'us'].map((part) => ({
        ...entityRows[1]!,
        ...{ uri: `file:///project/${part}/orders.entity.yaml`, name: 'Orders of all our web shops in this region' },
        ...{ path: `sales/${part}/orders.entity.yaml`, differingPath: part },
      })),
    );
    for (const width of [1000, 420]) {
      await webview.page.setViewportSize({ width, height: 400 });
      for (const part of ['eu', 'us']) {
        const path = webview.page.locator('.name .path', { hasText: part });
        const { isWhole } = await path.evaluate((node) => ({ isWhole: node.scrollWidth <= node.clientWidth }));
        assert.ok(isWhole, `${part} at ${width}`);
      }
    }
    await keepScreenshot(webview.page, 'entities-namesakes-420');
  });

  it('shows actions without hovering, within the view', async () => {
    for (const [width, labels] of [
      [
        1300,
        ['Configure', 'Import', 'Open Event Graph', 'Reset', 'Export Entity Graph', 'Copy Entity Graph', 'Delete'],
      ],
      [1000, ['Configure', 'Import', 'Open Event Graph', 'More Actions…']],
      [420, ['Configure', 'Import', 'Open Event Graph', 'More Actions…']],
      [320, ['More Actions…']],
    ] as const) {
      await webview.page.setViewportSize({ width, height: 400 });
      await show();
      await webview.page.locator('h1').hover();
      for (const label of labels) {
        const button = rowNamed('Returns').getByRole('button', { name: label, exact: true });
        const box = await button.boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${label} at ${width}: ${JSON.stringify(box)}`);
        const isSeen = await button.evaluate((node) => {
          const { left, top, width, height } = node.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + height / 2);
          return node.contains(there) && node.checkVisibility({ opacityProperty: true });
        });
        assert.ok(isSeen, `${label} at ${width}`);
      }
    }
  });

  it('shows the reason of a failure in full on demand, by pointer and keyboard', async () => {
    await show();
    const failure = entityRows.find(({ name }) => name === 'Invoices')?.progress ?? '';
    await webview.page.setViewportSize({ width: 1018, height: 400 });
    await rowNamed('Invoices').getByRole('button', { name: 'Import failed' }).click();
    const dialog = webview.page.getByRole('dialog', { name: 'Invoices was not imported' });
    await dialog.getByText(failure, { exact: true }).waitFor();
    const box = await dialog.getByText(failure, { exact: true }).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 400 && box.x + box.width <= 1018);
    await keepScreenshot(webview.page, 'entities-reason');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual((await webview.posted()).at(-1), { type: 'copy', text: failure });
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await rowNamed('Invoices').focus();
    await press('ArrowRight', 'Enter');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Go to Text' }).click();
    assert.deepEqual(await lastAction(), ['openText', 'invoices']);
    await rowNamed('Invoices').focus();
    await press('Shift+F10');
    await webview.page.getByRole('menuitem', { name: 'Show Reason' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('offers to import anyway where a guard has stopped the last import, and says that the earlier graph stays', async () => {
    const progress = 'Import failed at post-load checks: Place has 1 event, 3 before.';
    const stopped = { progress, status: 'Imported', failedWith: 'guard-broken' } as const;
    await show(entityRows.map((row) => (row.name === 'Invoices' ? { ...row, ...stopped } : row)));
    await rowNamed('Invoices').getByRole('button', { name: 'Import failed' }).click();
    const dialog = webview.page.getByRole('dialog', { name: 'The last import of Invoices failed' });
    await dialog.getByText('Nothing was published: the earlier graph is still in use.').waitFor();
    await keepScreenshot(webview.page, 'entities-reason-guard');
    await dialog.getByRole('button', { name: 'Import Anyway' }).click();
    assert.deepEqual(await lastAction(), ['importAnyway', 'invoices']);
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows why the next import would fail as well, with its remedy, even if the failure quotes the problem', async () => {
    const message = 'The entity graph names no data source.';
    const progress = `Import failed at validation: ${message}`;
    const remedy = 'Set dataSource to a name from entity-sources.yaml.';
    const problem = { code: 'unknown-data-source', message, remedy } as const;
    await show(entityRows.map((row) => (row.name === 'Invoices' ? { ...row, progress, problem } : row)));
    await rowNamed('Invoices').focus();
    await press('ArrowRight', 'Enter');
    const dialog = webview.page.getByRole('dialog', { name: 'Invoices was not imported' });
    await dialog.waitFor();
    assert.deepEqual(await dialog.locator('.whole-reason').allInnerTexts(), [progress, `${message} ${remedy}`]);
  });

  it('shows what Reset discards, and resets only after confirmation', async () => {
    await show();
    const uri = 'file:///project/orders.entity.yaml';
    const changes = [
      { kind: 'gap', text: '' },
      { kind: 'same', text: '    key: id' },
      { kind: 'lost', text: '    where: orders.total > 10' },
      { kind: 'restored', text: '    where: orders.total > 0' },
    ] as const;
    for (const [button, confirmed] of [
      ['Cancel', false],
      ['Reset', true],
    ] as const) {
      await webview.send({ type: 'confirmReset', uri, name: 'orders.entity.yaml', changes });
      const dialog = webview.page.getByRole('dialog', { name: 'Reset orders.entity.yaml to its last import?' });
      await dialog.getByText('Lines that will be lost: 1').waitFor();
      assert.deepEqual(
        (await dialog.locator('.line').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' ').trim()),
        ['⋯', 'key: id', '− where: orders.total > 10', '+ where: orders.total > 0'],
      );
      if (confirmed) await keepScreenshot(webview.page, 'entities-reset');
      await dialog.getByRole('button', { name: button }).click();
      assert.deepEqual((await webview.posted()).at(-1), { type: 'answerReset', uri, confirmed });
      assert.equal(await focusedRow(), 'Orders');
    }
  });

  it('takes files dropped from the Explorer or another program', async () => {
    await show();
    const drop = (fill: 'uris' | 'remote' | 'files') =>
      webview.page.evaluate((what) => {
        const dataTransfer = new DataTransfer();
        if (what === 'uris') dataTransfer.setData('text/uri-list', 'file:///a/one.yaml\r\nfile:///a/two.json');
        else if (what === 'remote')
          dataTransfer.setData('text/uri-list', '# of a remote window\r\nvscode-remote://wsl+a/one.csv');
        else {
          dataTransfer.items.add(new File(['name: Three'], 'three.yaml'));
          dataTransfer.items.add(new File(['?'], 'orders.csv'));
        }
        document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
        const isMarked = document.querySelector('.drop-target') !== null;
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        return isMarked;
      }, fill);
    assert.equal(await drop('uris'), true);
    const uris = ['file:///a/one.yaml', 'file:///a/two.json'];
    assert.deepEqual(await webview.waitForPosted('dropFiles'), {
      type: 'dropFiles',
      uris,
      texts: [],
      others: [],
    });
    let seen = (await webview.posted()).length;
    await drop('remote');
    assert.deepEqual(await webview.waitForPosted('dropFiles', seen), {
      ...{ type: 'dropFiles', uris: ['vscode-remote://wsl+a/one.csv'], texts: [], others: [] },
    });
    seen = (await webview.posted()).length;
    await drop('files');
    const texts = [{ name: 'three.yaml', text: 'name: Three' }];
    assert.deepEqual(await webview.waitForPosted('dropFiles', seen), {
      ...{ type: 'dropFiles', uris: [], texts, others: ['orders.csv'] },
    });
    assert.equal(await webview.page.locator('.drop-target').count(), 0);
  });

  it('distinguishes a graph that cannot be imported from one not imported yet, with the reason', async () => {
    const broken = 'Line 4: This "[" is never closed. Close it.';
    const unknown = 'The entity graph names no data source. Set dataSource to a name from entity-sources.yaml.';
    const problems: Readonly<Record<string, EntityRow['problem']>> = {
      Returns: { code: 'yaml-syntax', message: broken },
      Orders: {
        code: 'unknown-data-source',
        message: 'The entity graph names no data source.',
        remedy: 'Set dataSource to a name from entity-sources.yaml.',
      },
    };
    await show(
      entityRows.map((row) => {
        const problem = problems[row.name];
        return problem ? { ...row, problem } : row;
      }),
    );
    assert.equal(await webview.page.getByRole('img').count(), 2);
    await rowNamed('Returns').getByRole('img', { name: broken }).waitFor();
    await rowNamed('Orders').getByRole('img', { name: unknown }).waitFor();
    const status = (name: string) => rowNamed(name).locator('.status');
    // Without a message of an import there is room for the reason.
    assert.equal((await rowNamed('Returns').locator('.cell').nth(3).innerText()).trim(), broken);
    assert.equal(await rowNamed('Orders').locator('.cell').nth(3).innerText(), 'Import Done');
    assert.equal(await status('Returns').innerText(), 'Broken text · Not Imported');
    assert.equal(await status('Returns').getAttribute('title'), `Broken text · Not Imported\n${broken}`);
    assert.equal(await status('Orders').innerText(), 'No data source · Imported');
    assert.equal(
      await rowNamed('Orders').locator('.name').getAttribute('title'),
      `Orders\norders.entity.yaml\n${unknown}`,
    );
    await webview.page.locator('#filter').fill('never closed');
    await namesBecome(['Returns']);
    await webview.page.locator('#filter').fill('');
    await namesBecome(['Changes', 'Incident management', 'Invoices', 'Orders', 'Returns', 'Shipments']);
    await keepScreenshot(webview.page, 'entities-problems');
    await webview.page.setViewportSize({ width: 400, height: 400 });
    // The error can be read where the end is truncated.
    const end = await status('Returns').evaluate((cell) => {
      const text = document.createRange();
      const clip = cell.querySelector('.clip') ?? cell;
      const words = [...clip.childNodes].find((node) => node.textContent?.includes('Broken text')) ?? clip;
      text.setStart(words, 0);
      text.setEnd(words, 'Broken text'.length);
      return cell.getBoundingClientRect().right - text.getBoundingClientRect().right;
    });
    assert.ok(end > 0, `${end}`);
    await keepScreenshot(webview.page, 'entities-problems-400');
    assert.ok(await rowNamed('Returns').getByRole('img').isVisible());
  });

  it('marks the selected row in high contrast themes', async () => {
    await webview.page.close();
    webview = await server.open(browser, { bundle: 'entities', theme: 'high-contrast', width: 1300, height: 400 });
    await show();
    const ring = (name: string) =>
      rowNamed(name).evaluate((row) => {
        const { borderRightStyle, borderRightColor } = getComputedStyle(row, '::after');
        return [borderRightStyle, borderRightColor];
      });
    assert.deepEqual(await ring('Changes'), ['dotted', 'rgb(243, 133, 24)']);
    assert.equal((await ring('Orders'))[0], 'none');
    await rowNamed('Orders').hover();
    assert.deepEqual(await ring('Orders'), ['dashed', 'rgb(243, 133, 24)']);
    await webview.page.locator('#filter').focus();
    await rowNamed('Orders').focus();
    await press('ArrowUp', 'ArrowDown');
    assert.equal((await ring('Orders'))[0], 'solid');
    await keepScreenshot(webview.page, 'entities-focus-high-contrast');
  });

  it('sorts by every column in both directions', async () => {
    await show();
    const header = (name: string) => webview.page.getByRole('columnheader', { name });
    await header('Name').getByRole('button').click();
    await namesBecome(['Shipments', 'Returns', 'Orders', 'Invoices', 'Incident management', 'Changes']);
    assert.equal(await header('Name').getAttribute('aria-sort'), 'descending');
    await header('Data Source').getByRole('button').click();
    await namesBecome(['Changes', 'Incident management', 'Invoices', 'Orders', 'Returns', 'Shipments']);
    await header('Imported').getByRole('button').click();
    assert.deepEqual((await names()).slice(0, 2), ['Incident management', 'Orders']);
    assert.equal(await header('Name').getAttribute('aria-sort'), 'none');
  });

  it('filters by words of name, source, status and progress', async () => {
    await show();
    await press('Control+f');
    await webview.page.keyboard.type('shop imported');
    await namesBecome(['Invoices', 'Orders', 'Returns', 'Shipments']);
    await webview.page.locator('#filter').fill('modified');
    await namesBecome(['Orders']);
    assert.equal(await webview.page.getByRole('status', { name: 'Number of entity graphs' }).innerText(), '1 of 6');
    await webview.page.locator('#filter').fill('nothing like it');
    await webview.page.getByRole('button', { name: 'Clear Filter' }).click();
    await namesBecome(['Changes', 'Incident management', 'Invoices', 'Orders', 'Returns', 'Shipments']);
  });

  it('keeps filter and sort order while hidden', async () => {
    await show();
    await webview.page.locator('#filter').fill('shop');
    await webview.page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    const kept = await webview.kept();
    await webview.page.close();
    await open(kept);
    await show();
    await namesBecome(['Shipments', 'Returns', 'Orders', 'Invoices']);
  });

  it('is fully usable by keyboard', async () => {
    await show();
    assert.equal(await webview.page.locator('.rows [tabindex="0"]').count(), 1);
    await webview.page.locator('#filter').focus();
    await press(...Array<string>(12).fill('Tab'));
    assert.equal(await focusedRow(), 'Changes');
    await press('ArrowDown', 'ArrowDown');
    assert.equal(await focusedRow(), 'Invoices');
    await press('Enter');
    assert.deepEqual(await lastAction(), ['configure', 'invoices']);
    // Before them is the reason of its failure.
    await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
    assert.deepEqual(await lastAction(), ['import', 'invoices']);
    await press('Escape', 'End', 'Delete');
    assert.deepEqual(await lastAction(), ['delete', 'shipments']);
    await press('Home', 'F12');
    assert.deepEqual(await lastAction(), ['openText', 'changes']);
    await press('Shift+F10');
    await webview.page.getByRole('menuitem', { name: 'Copy Entity Graph' }).waitFor();
    await press('ArrowDown', 'ArrowDown', 'Enter');
    assert.deepEqual(await lastAction(), ['cancelImport', 'changes']);
    assert.equal(await focusedRow(), 'Changes');
  });

  it('offers row actions by pointer, and explains disabled ones', async () => {
    await show();
    const action = (name: string, label: string) => rowNamed(name).getByRole('button', { name: label });
    for (const [label, expected] of [
      ['Configure', 'configure'],
      ['Open Event Graph', 'openEventGraph'],
      ['Reset', 'reset'],
      ['Export Entity Graph', 'exportConfiguration'],
      ['Copy Entity Graph', 'copyConfiguration'],
      ['Delete', 'delete'],
    ] as const) {
      await action('Orders', label).click();
      assert.deepEqual(await lastAction(), [expected, 'orders']);
    }
    await rowNamed('Orders').getByRole('button', { name: 'Import', exact: true }).click();
    assert.deepEqual(await lastAction(), ['import', 'orders']);
    await action('Shipments', 'Cancel Import').click();
    assert.deepEqual(await lastAction(), ['cancelImport', 'shipments']);
    const off = action('Incident management', 'Reset');
    assert.match((await off.getAttribute('title')) ?? '', /Nothing differs from the last import/);
    const before = await webview.posted();
    await off.click({ force: true });
    assert.equal((await webview.posted()).length, before.length);
    await rowNamed('Returns').click({ button: 'right' });
    await webview.page.getByRole('menuitem', { name: 'Go to Text' }).click();
    assert.deepEqual(await lastAction(), ['openText', 'returns']);
    await rowNamed('Returns').dblclick({ position: { x: 40, y: 10 } });
    assert.deepEqual(await lastAction(), ['configure', 'returns']);
  });

  it('shows bulk actions above the table', async () => {
    await show();
    for (const [label, expected] of [
      ['New Entity Graph', 'newEntity'],
      ['Import Entity Graph', 'importConfiguration'],
      ['Import All', 'importAll'],
    ] as const) {
      await webview.page.getByRole('button', { name: label }).click();
      assert.deepEqual(await lastAction(), [expected, undefined]);
    }
  });

  it('keeps scroll position and focus while progress arrives', async () => {
    await show(manyEntityRows(400));
    await webview.page.locator('.rows .row').first().focus();
    await press('PageDown', 'PageDown', 'PageDown');
    const before = await focusedRow();
    const top = await webview.page.locator('#table').evaluate((node) => node.scrollTop);
    assert.ok(top > 0);
    const running = manyEntityRows(400).map((row) => ({
      ...row,
      running: { state: 'running', step: 'data pull' } as const,
    }));
    await show(running);
    await webview.page.getByRole('progressbar').first().waitFor();
    assert.equal(await focusedRow(), before);
    assert.equal(await webview.page.locator('#table').evaluate((node) => node.scrollTop), top);
  });

  it('renders few of many rows', async () => {
    await show(manyEntityRows(1000));
    assert.ok((await webview.page.locator('.rows .row').count()) < 60);
    assert.equal(await webview.page.locator('#table').getAttribute('aria-rowcount'), '1001');
    await webview.page.locator('.rows .row').first().focus();
    await press('End');
    assert.equal(await focusedRow(), 'Entity 999');
  });

  it('shows a hint when there is no graph', async () => {
    await show([]);
    await webview.page.locator('#no-entities').getByRole('button', { name: 'New Entity Graph' }).click();
    assert.deepEqual(await lastAction(), ['newEntity', undefined]);
  });

  it('explains an incomplete list', async () => {
    const failure = (file: string) => ({
      ...{
        code: 'file-missing' as const,
        message: `Cannot read /project/${file}.entity.yaml: reading it is not permitted.`,
      },
      remedy: 'Check the path and its permissions.',
    });
    await webview.send({ type: 'entities', rows: entityRows, trusted: true, failures: ['a', 'b'].map(failure) });
    const banner = webview.page.getByRole('alert');
    assert.deepEqual(
      (await banner.locator('p').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      ['a', 'b'].map((file) => `${failure(file).message} ${failure(file).remedy}`),
    );
    await keepScreenshot(webview.page, 'entities-failures');
    await banner.getByRole('button', { name: 'Try Again' }).click();
    assert.deepEqual(await lastAction(), ['refresh', undefined]);
    const many = ['a', 'b', 'c', 'd', 'e'].map(failure);
    await webview.send({ type: 'entities', rows: [], trusted: true, failures: many });
    await banner.getByText('2 more could not be read.').waitFor();
    assert.equal(await webview.page.locator('#no-entities').count(), 0);
    await webview.send({ type: 'entities', rows: [], trusted: true });
    await webview.page.locator('#no-entities').waitFor();
    assert.equal(await banner.count(), 0);
  });

  it('shows that an untrusted workspace cannot import', async () => {
    await show(entityRows, false);
    await webview.page.getByText('This workspace is not trusted: queries and imports are off.').waitFor();
    assert.equal(await webview.page.getByRole('button', { name: 'Import All' }).isDisabled(), true);
    const before = (await webview.posted()).length;
    await rowNamed('Returns').getByRole('button', { name: 'Import', exact: true }).click({ force: true });
    assert.equal((await webview.posted()).length, before);
    await webview.page.getByRole('button', { name: 'Manage Trust' }).click();
    assert.deepEqual(await lastAction(), ['manageTrust', undefined]);
  });
});
