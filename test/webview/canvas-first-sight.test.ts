import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator } from 'playwright-core';
import { keepScreenshot, sharedChromium, projectFolder } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CanvasHost, type CanvasHostOptions, openCanvasHost } from './canvas-host.ts';
import { type ThemeName, themes } from './themes.ts';
import { type WebviewServer, startWebviewServer, useTheme } from './webview-page.ts';

const northwind = readFileSync(join(projectFolder, 'samples/northwind/northwind.entity.yaml'), 'utf8');

const broken = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    key: [id]
    entityType: order
    startTimestamp: placed_att
    properties: [number]
  - activityName: Win Customer
    dataObject: customers
    entityType: customer
    startTimestamp: since
relationships:
  - name: is placed by
    source: Place Order
    target: Win Customer
    mappings: [{ source: customr_id, target: id }]
`;

/** Sizes of the editor beside the side bar at 1366×768, and of the right half beside the text. */
const wide = { width: 1018, height: 670 };
const half = { width: 640, height: 760 };
/** An editor above a terminal, or the panel at the bottom. */
const low = { width: 1018, height: 320 };

/** The elements of Northwind to which no relationship leads. */
const roots = ['Win Customer', 'Introduce Product', 'Hire Employee'];

describe('canvas at first sight', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let host: CanvasHost;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  afterEach(async function () {
    await keepScreenshot(host.webview.page, `first-sight-${this.currentTest?.title.replaceAll(/\W+/g, '-') ?? ''}`);
    assert.deepEqual(host.webview.errors, []);
    await host.webview.page.close();
  });

  const open = async (options: Partial<CanvasHostOptions> = {}): Promise<void> => {
    host = await openCanvasHost(server, browser, { text: northwind, ...options });
  };
  const page = () => host.webview.page;
  const card = (id: string) => page().locator(`[data-key="element:${id}"]`);
  const zoom = async () => Number((await page().locator('.zoom').innerText()).replace('%', ''));
  /** Whether a person sees the whole of it: inside the page, and on top at its centre and near its corners. */
  const isSeen = (locator: Locator) =>
    locator.first().evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right > left;
      const points = [
        [(left + right) / 2, (top + bottom) / 2],
        [left + 2, top + 2],
        [right - 2, bottom - 2],
      ] as const;
      return inside && points.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
    });

  /** Whether the minimap lies over a card or a label. */
  const isCovering = () =>
    page().evaluate(`(() => {
      const box = document.querySelector('#minimap')?.getBoundingClientRect();
      return box !== undefined && [...document.querySelectorAll('.card, .relationship')].some((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return left < box.right && box.left < right && top < box.bottom && box.top < bottom;
      });
    })()`);
  /** Whether the name of the graph is shown to its end. */
  const isNameWhole = () =>
    page()
      .locator('.toolbar h1')
      .evaluate((name) => name.scrollWidth <= name.clientWidth);

  it('Northwind fits whole at 75 % or more beside the side bar', async () => {
    await open(wide);
    await card('Add Order Line').waitFor();
    assert.ok((await zoom()) >= 75, String(await zoom()));
    for (const each of await page().locator('.card, .relationship').all()) assert.equal(await isSeen(each), true);
    assert.equal(await page().locator('#minimap').count(), 0);
  });

  it('beside the text it opens readable with its roots, and the rest is reached by minimap, search and scrolling', async () => {
    await open(half);
    await card('Win Customer').waitFor();
    assert.ok((await zoom()) >= 75, String(await zoom()));
    for (const root of roots) assert.equal(await isSeen(card(root)), true);
    assert.equal(await isSeen(page().locator('#minimap')), true);
    assert.equal(await isCovering(), false);
    assert.equal(await isNameWhole(), true);
    assert.equal(await isSeen(card('Assign Territory')), false);
    await page().getByRole('button', { name: 'Find' }).click();
    const [find, minimap] = await Promise.all(['#find', '#minimap'].map((id) => page().locator(id).boundingBox()));
    assert.ok(find && minimap);
    const isApart = minimap.y >= find.y + find.height || minimap.x + minimap.width <= find.x;
    assert.ok(isApart || minimap.y + minimap.height <= find.y, 'the minimap covers the buttons of Find');
    await page().getByLabel('Find on the canvas').fill('territory');
    await waitUntil('the match is in sight', async () => ((await isSeen(card('Assign Territory'))) ? true : undefined));
  });

  it('in a low panel it opens readable, and the rest is reached by scrolling', async () => {
    await open(low);
    await card('Win Customer').waitFor();
    await keepScreenshot(page(), 'first-sight-low');
    assert.equal(await isCovering(), false);
    assert.equal(await isNameWhole(), true);
    const opened = await zoom();
    const cards = await page().locator('.card').all();
    const seen = await Promise.all(cards.map(isSeen));
    const isWhole = seen.every((each) => each);
    assert.ok(opened >= (isWhole ? 75 : 50), `${opened} %, ${isWhole ? 'whole' : 'not whole'}`);
    for (const root of roots) assert.equal(await isSeen(card(root)), true, root);
    const { size, isCut } = await card('Introduce Product')
      .locator('.clip')
      .first()
      .evaluate((name) => {
        const scale = new DOMMatrix(getComputedStyle(name.closest('#world') ?? name).transform).a;
        const isCut = name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1;
        return { size: Number.parseFloat(getComputedStyle(name).fontSize) * scale, isCut };
      });
    assert.ok(size >= 11 && !isCut, `${size} px`);
    assert.ok(seen.filter((each) => each).length >= 2, `${seen.join()} at ${opened} %`);
    const viewport = await page().locator('#viewport').boundingBox();
    assert.ok(viewport);
    await page().mouse.move(viewport.x + viewport.width / 2, viewport.y + viewport.height / 2);
    for (const each of cards) {
      const box = await each.boundingBox();
      assert.ok(box);
      await page().mouse.wheel(box.x - viewport.x - 24, box.y - viewport.y - 24);
      await waitUntil('the card is in sight', async () => ((await isSeen(each)) ? true : undefined));
    }
    assert.equal(await zoom(), opened);
  });

  it('labels of the toolbar stay as long as they fit', async () => {
    for (const width of [560, 640, 760, 1018, 1300]) {
      await open({ ...half, width });
      await card('Win Customer').waitFor();
      const overflow = await page()
        .locator('.toolbar')
        .evaluate((bar) => bar.scrollWidth - bar.clientWidth);
      assert.ok(overflow <= 0, `${width}: ${overflow}`);
      assert.equal(await isSeen(page().getByText('Add Data Relationships')), true);
      if (width >= 900)
        assert.deepEqual(await page().locator('.tools .labelled').allInnerTexts(), ['Find', 'Fit', 'Arrange', 'Grid']);
      if (width < 1300) await page().close();
    }
  });

  it('a zoomed-out canvas shows names and states only, in a readable size', async () => {
    await open(wide);
    await card('Win Customer').waitFor();
    await page().locator('#viewport').focus();
    for (const _ of [1, 2, 3]) await page().keyboard.press('-');
    assert.ok((await zoom()) < 50);
    const sizes = await page()
      .locator('#world')
      .evaluate((world) => {
        const scale = new DOMMatrix(getComputedStyle(world).transform).a;
        return [...world.querySelectorAll('.card .clip, .relationship .clip')].flatMap((text) => {
          const { width, height } = text.getBoundingClientRect();
          return width > 2 && height > 2 ? [Number.parseFloat(getComputedStyle(text).fontSize) * scale] : [];
        });
      });
    // The cards, and the cross table.
    assert.equal(sizes.length, 7);
    assert.ok(Math.min(...sizes) >= 11, String(Math.min(...sizes)));
  });

  it('names of data objects are shown in full, unless they would leave no room for the canvas', async () => {
    const names = ['employee_territories', `a_very_${'very_'.repeat(10)}long_name`];
    await open({
      ...wide,
      text: `version: 1\nname: Shop\ndataSource: shop\ndataObjects: [${names.join(', ')}]\nelements: []\n`,
    });
    const shown = page().locator('.palette-object .clip');
    await shown.nth(1).waitFor();
    const isCut = await shown.evaluateAll((all) => all.map((each) => each.scrollWidth > each.clientWidth));
    assert.deepEqual(isCut, [false, true]);
    const palette = await page().locator('#palette').boundingBox();
    assert.ok((palette?.width ?? Number.NaN) < wide.width / 4, JSON.stringify(palette));
  });

  it('a dropped card stays where it was dropped, also the first one', async () => {
    await open({
      ...wide,
      text: 'version: 1\nname: Shop\ndataSource: shop\ndataObjects: [orders, products]\nelements: []\n',
    });
    const drop = async (name: string, id: string, targetPosition: { x: number; y: number }): Promise<void> => {
      await page()
        .locator('.palette-object', { hasText: name })
        .dragTo(page().locator('#viewport'), { targetPosition });
      await card(id).waitFor();
      const [box, stage] = [await card(id).boundingBox(), await page().locator('#viewport').boundingBox()];
      assert.ok(box && stage);
      const middle = [box.x + box.width / 2 - stage.x, box.y + box.height / 2 - stage.y];
      assert.ok(
        Math.hypot((middle[0] ?? 0) - targetPosition.x, (middle[1] ?? 0) - targetPosition.y) < 3,
        String(middle),
      );
    };
    await drop('orders', '#0', { x: 300, y: 150 });
    await drop('products', '#1', { x: 550, y: 420 });
  });

  it('problems are marked on cards and lines, and a quick fix corrects one', async () => {
    await open({ ...wide, text: broken, withProblems: true });
    const problem = card('Place Order').locator('.problem');
    await problem.waitFor();
    assert.equal(await isSeen(problem), true);
    assert.match(await problem.innerText(), /placed_att/);
    assert.equal(await isSeen(card('Place Order').locator('.exclamation')), true);
    const link = page().locator('[data-key="relationship:is placed by"]');
    assert.match(await link.locator('.problem').innerText(), /customr_id/);
    assert.equal(await isSeen(link.locator('.problem')), true);
    assert.match(await page().locator('.toolbar .problems').innerText(), /2 problems/);
    await problem.click();
    await page()
      .getByRole('menuitem', { name: /placed_at/ })
      .first()
      .click();
    await waitUntil('the text is mended', async () => (host.text().includes('placed_at\n') ? true : undefined));
    await problem.waitFor({ state: 'detached' });
    await link.focus();
    await page().keyboard.press('Control+.');
    await page()
      .getByRole('menuitem', { name: /customer_id/ })
      .first()
      .click();
    await waitUntil('the line is mended', async () => (host.text().includes('source: customer_id') ? true : undefined));
    await page().locator('.toolbar .problems').waitFor({ state: 'detached' });
  });

  it('after an import the canvas shows events, entities and pairs, and marks later modifications', async () => {
    const counts = {
      elements: [{ activityName: 'Place Order', events: 1830, entities: 830 }],
      entities: [],
      relationships: [
        {
          name: 'is placed by',
          pairs: 830,
          source: { name: 'Place Order', entities: 865, related: 830 },
          target: { name: 'Win Customer', entities: 91, related: 89 },
        },
      ],
      totals: { events: 1830, entities: 830 },
    };
    await open({ ...wide, text: broken, withProblems: true, imported: { isModifiedSince: true, counts } });
    const numbers = card('Place Order').locator('.imported');
    await numbers.waitFor();
    assert.equal(await isSeen(numbers), true);
    assert.match(await numbers.locator('.clip').innerText(), /^1,830 events/);
    assert.equal(await numbers.getAttribute('title'), 'Last import: 1,830 events · 830 entities');
    const pairs = page().getByText('830 pairs · 96 % / 98 % matched');
    assert.equal(await isSeen(pairs), true);
    assert.match(
      (await pairs.locator('xpath=ancestor::*[@data-key]').getAttribute('title')) ?? '',
      /Place Order: 830 of 865 entities matched \(96 %\)\nWin Customer: 89 of 91 entities matched \(98 %\)$/,
    );
    assert.equal(await isSeen(page().getByText('Modified since import')), true);
    const colours = await page()
      .locator('.card')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).style.getPropertyValue('--type')));
    assert.deepEqual(colours.toSorted(), ['var(--vscode-charts-blue)', 'var(--vscode-charts-green)']);
  });

  it('a log shows its activities after an import, in a card of the same size', async () => {
    const log = (column: string) =>
      `version: 1\nname: Shop\ndataSource: shop\ndataObjects: [orders]\nelements:\n  - { activityName: Update Order, dataObject: orders, key: id, startTimestamp: placed_at, activityColumn: ${column} }\n`;
    const names = ['Open', 'Check', 'Resolve', 'Reopen', 'Close after a long while', 'Assign to another team'];
    const counts = {
      elements: [
        { activityName: 'Update Order', events: 90, entities: 20, activities: { column: 'number', names, count: 9 } },
      ],
      ...{ entities: [], relationships: [], totals: { events: 90, entities: 20 } },
    };
    await open({ ...wide, text: log('number') });
    await card('Update Order').waitFor();
    const size = async () => {
      const box = await card('Update Order').boundingBox();
      return [box?.width, box?.height];
    };
    const before = await size();
    await page().close();
    await open({ ...wide, text: log('number'), withProblems: true, imported: { isModifiedSince: false, counts } });
    const line = page().locator('.line', { has: page().locator('.codicon-symbol-event') });
    const shown = line.locator('.clip');
    assert.match(await shown.innerText(), /^number: Open, .*\+\d$/);
    assert.equal(await isSeen(shown), true);
    assert.equal(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), true);
    assert.equal(await line.getAttribute('title'), `Activity Column: number: ${names.join(', ')}, +3`);
    assert.deepEqual(await size(), before);
    // The activities of another column would be none of this one.
    await host.setText(log('total'));
    await waitUntil('the new column is drawn', async () => ((await shown.innerText()) === 'total' ? true : undefined));
  });

  for (const [motion, moves] of [
    ['no-preference', 6],
    ['reduce', 0],
  ] as const) {
    it(`Arrange moves ${moves} cards smoothly (prefers-reduced-motion: ${motion})`, async () => {
      await open(wide);
      await card('Place Order').waitFor();
      await page().emulateMedia({ reducedMotion: motion });
      await page()
        .locator('#world')
        .evaluate((world) => Promise.all(world.getAnimations().map((each) => each.finished)));
      // Counts what is started, as an animation may end before anyone looks.
      await page().evaluate(`globalThis.moved = []; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) { moved.push(this.dataset?.key); return animate.apply(this, all); };`);
      const places = () => card('Place Order').getAttribute('style');
      await card('Place Order').focus();
      const before = await places();
      await page().keyboard.press('Shift+ArrowRight');
      await waitUntil('it was moved', async () => ((await places()) === before ? undefined : true));
      await page().getByRole('button', { name: 'Arrange' }).click();
      await waitUntil('it is arranged', async () => ((await places()) === before ? true : undefined));
      const moved = (await page().evaluate('globalThis.moved')) as readonly (string | undefined)[];
      assert.equal(moved.filter((key) => key?.startsWith('element:')).length, moves);
      assert.equal(moved.length > 0, moves > 0);
    });
  }

  it('the grid is visible in all built-in themes, and stays on', async () => {
    await open(wide);
    await card('Win Customer').waitFor();
    await page().getByRole('button', { name: 'Show Grid' }).click();
    await waitUntil('it is stored', async () => (host.layout().grid === true ? true : undefined));
    const plus: Readonly<Record<string, readonly [ThemeName, string, string]>> = {
      'dark plus': ['dark', '#1e1e1e', '#cccccc'],
      'light plus': ['light', '#ffffff', '#616161'],
    };
    const looks = [
      ...(Object.keys(themes) as ThemeName[]).map((theme) => [theme, theme, undefined, undefined] as const),
      ...Object.entries(plus).map(
        ([name, [theme, background, foreground]]) => [name, theme, background, foreground] as const,
      ),
    ];
    assert.equal(looks.length, 6);
    // Functions of this file run in the page, which lacks the compiler's helper.
    await page().evaluate('globalThis.__name = (value) => value');
    for (const [name, theme, background, foreground] of looks) {
      await useTheme(page(), theme);
      const contrast = await page().evaluate(
        ([own, text]) => {
          if (own) document.body.style.setProperty('--vscode-editor-background', own);
          if (text) document.body.style.setProperty('--vscode-foreground', text);
          const rgb = (value: string): number[] => {
            const context = document.createElement('canvas').getContext('2d');
            const probe = document.createElement('i');
            document.body.append(probe);
            probe.style.color = value;
            if (context) context.fillStyle = getComputedStyle(probe).color;
            context?.fillRect(0, 0, 1, 1);
            probe.remove();
            return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
          };
          const light = (value: string): number => {
            const [red = 0, green = 0, blue = 0] = rgb(value).map((channel) => {
              const share = channel / 255;
              return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const between = (one: string, other: string): number => {
            const [more, less] = [light(one), light(other)].toSorted((left, right) => right - left) as [number, number];
            return (more + 0.05) / (less + 0.05);
          };
          return ['--eg-grid', '--eg-grid-strong', '--eg-edge'].map((line) =>
            between(`var(${line})`, 'var(--eg-background)'),
          );
        },
        [background, foreground] as const,
      );
      const [small = 0, strong = 0, edge = 0] = contrast;
      assert.ok(small >= 1.2 && strong >= 1.45, `${name}: ${contrast.join(', ')}`);
      assert.ok(edge >= strong * 1.2, `${name}: lines stand out from the grid: ${contrast.join(', ')}`);
    }
    const image = await page()
      .locator('#viewport')
      .evaluate((viewport) => getComputedStyle(viewport).backgroundImage);
    assert.equal(image.split('linear-gradient').length - 1, 4);
    const kept = host.layout();
    await page().close();
    await open({ ...wide, layout: kept });
    await page().locator('#viewport.grid').waitFor();
  });
});
