import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { Browser, Page } from 'playwright-core';
import { createGraphMessages } from '../client/src/graph-messages.ts';
import { movedDown } from '../protocol/first-lines.ts';
import type { CardView, GraphView, RelationshipView } from '../protocol/graph-view.ts';
import type { ToWebview } from '../protocol/webview-messages.ts';
import { launchChromium } from '../test/support/vscode-host.ts';
import { plainTextMetrics } from '../test/unit/webview/plain-text-metrics.ts';
import { openCanvasHost } from '../test/webview/canvas-host.ts';
import { largeGraph } from '../test/webview/graph-views.ts';
import { type WebviewServer, startWebviewServer } from '../test/webview/webview-page.ts';
import { toElkGraph } from '../webview/src/canvas/layout.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, median, ofRounds, ratioBounds } from './measure.ts';

/** Functions of this file also run in the page, which lacks the compiler's helpers. */
const compilerHelper = 'globalThis.__name = (value) => value';

/** The canvas in headless Chromium, compared with elkjs alone for the same graph. */
export async function run(): Promise<readonly BenchResult[]> {
  const [browser, server] = await Promise.all([launchChromium(), startWebviewServer()]);
  try {
    const small = await measureGraph(browser, server, 200);
    const large = await measureGraph(browser, server, 1000);
    return [...small, ...large, ...(await measurePropertyList(browser, server))];
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
}

const runs = 5;
/** Times elkjs alone. */
const pictureBounds = { aim: 1.2, limit: 1.6 };

async function measureGraph(
  browser: Browser,
  server: WebviewServer,
  elements: number,
): Promise<readonly BenchResult[]> {
  const view = largeGraph(elements);
  const size = `${view.elements.length} elements, ${view.relationships.length} relationships`;
  const rounds: Round[] = [];
  for (let index = 0; index < runs; index += 1) {
    const elk = await timeElk(browser, toElkGraph(view, plainTextMetrics, 1.6));
    const { page } = await server.open(browser, { bundle: 'canvas' });
    // The worker starts before the graph arrives, as in VS Code.
    await page.waitForTimeout(500);
    await page.evaluate(compilerHelper);
    const toMessages = createGraphMessages();
    const picture = await timeUntilDrawn(page, toMessages(view).whole, view.elements.length);
    const frames = await timePanning(page);
    const select = await timeSelecting(page, view);
    const edit = await timeEdits(page, view, toMessages, { name: 'edited' });
    const line = await timeEdits(page, view, toMessages, { name: 'longer', more: addLines });
    rounds.push({ elk, picture, frames, select, edit, line, bare: await timeBarePage(browser, page) });
    await page.close();
  }
  const of = (value: (round: Round) => number): number[] => rounds.map(value);
  const elk = of((round) => round.elk);
  const picture = besideFloor(
    of((round) => round.picture),
    elk,
  );
  const barePicture = besideFloor(
    of(({ bare }) => bare.picture),
    elk,
  );
  const result = (name: string, most: number, value: Pick<BenchResult, 'value'>): BenchResult => ({
    ...{ name: `canvas, ${size}: ${name}`, unit: 'ms', ...value },
    ...{ goal: `≤ ${most} ms`, ok: value.value <= most },
  });
  const beside = (name: 'select' | 'edit' | 'line', floor: 'select' | 'edit') =>
    besideFloor(
      of((round) => round[name]),
      of(({ bare }) => bare[floor]),
    );
  return [
    {
      ...{ name: `canvas, ${size}: first picture`, unit: 'ms', ...picture },
      ...ratioBounds(picture.ratio, pictureBounds, 'elkjs'),
    },
    {
      name: `canvas, ${size}: the page of this picture as text, drawn by the browser alone`,
      ...{ unit: 'ms', ...barePicture, goal: 'no goal', ok: true },
    },
    result('frame while panning and zooming, p95', 34, ofRounds(of(({ frames }) => frames))),
    result('select', 30, beside('select', 'select')),
    result('an edit of one element drawn', 30, beside('edit', 'edit')),
    result('an edit of one element that adds lines to the file drawn', 30, beside('line', 'edit')),
  ];
}

/** Milliseconds in a separate page. */
interface Round {
  /** elkjs alone. */
  readonly elk: number;
  readonly picture: number;
  readonly frames: number;
  readonly select: number;
  readonly edit: number;
  /** An edit that moves all later entries in the file. */
  readonly line: number;
  readonly bare: BarePage;
}

/** Milliseconds of the same page without our scripts. */
interface BarePage {
  readonly picture: number;
  readonly select: number;
  readonly edit: number;
}

function timeUntilDrawn(page: Page, whole: ToWebview, elements: number): Promise<number> {
  return page.evaluate(
    ({ message, cards }) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        window.postMessage(message, '*');
        const look = (): void => {
          if (document.querySelectorAll('.card').length < cards) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - start));
        };
        requestAnimationFrame(look);
      }),
    { message: whole, cards: elements },
  );
}

/**
 * The floor: the finished page as plain HTML and CSS, without our scripts. Times of drawing it, selecting a card by its
 * class, and changing the text of one.
 */
async function timeBarePage(browser: Browser, drawn: Page): Promise<BarePage> {
  const { html, css, theme } = await drawn.evaluate(() => {
    const rules = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(({ cssRules }) => [...cssRules]);
    const html = document.querySelector('#root')?.outerHTML.replaceAll(/<!--.*?-->/g, '') ?? '';
    return { html, css: rules.map(({ cssText }) => cssText).join('\n'), theme: document.body.className };
  });
  const page = await browser.newPage();
  await page.setViewportSize(drawn.viewportSize() ?? { width: 1200, height: 720 });
  const body = `<!doctype html><html lang="en"><head><title>Bare</title><style>${css}</style></head><body class="${theme}"></body></html>`;
  // In the folder of the bundles, where the styles find their font.
  const address = new URL('/dist/bare.html', drawn.url()).href;
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await page.goto(address);
  await page.evaluate(compilerHelper);
  const picture = await page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        document.body.innerHTML = text;
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
      }),
    html,
  );
  const selects = await page.evaluate(() =>
    [...document.querySelectorAll('.card')].slice(0, 10).map((card) => {
      const start = performance.now();
      document.querySelector('.card.selected')?.classList.remove('selected');
      card.classList.add('selected');
      card.getBoundingClientRect();
      return performance.now() - start;
    }),
  );
  const edits = await page.evaluate(() => {
    const [card] = document.querySelectorAll('.card');
    const text = card?.querySelector('.line:last-of-type .clip');
    return Array.from({ length: 7 }, (_, index) => {
      const start = performance.now();
      if (text) text.textContent = `edited_${index}`;
      card?.getBoundingClientRect();
      return performance.now() - start;
    });
  });
  await page.close();
  return { picture, select: percentile(selects, 0.95), edit: median(edits) };
}

async function timeElk(browser: Browser, graph: ElkNode): Promise<number> {
  const page = await browser.newPage();
  const path = createRequire(import.meta.url).resolve('elkjs/lib/elk.bundled.js');
  await page.addScriptTag({ content: await readFile(path, 'utf8') });
  const elapsed = await page.evaluate(async (given) => {
    const { ELK } = window as unknown as { ELK: new () => { layout(graph: unknown): Promise<unknown> } };
    const elk = new ELK();
    const start = performance.now();
    await elk.layout(given);
    return performance.now() - start;
  }, graph);
  await page.close();
  return elapsed;
}

/** Ninety frames of wheel events, every third with Ctrl. */
async function timePanning(page: Page): Promise<number> {
  const frames = await page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const viewport = document.querySelector('#viewport');
        const times: number[] = [];
        let last = performance.now();
        const step = (now: number): void => {
          times.push(now - last);
          last = now;
          if (times.length > 90) return resolve(times.slice(1));
          const ctrlKey = times.length % 3 === 0;
          const deltaY = (times.length % 30 < 15 ? 1 : -1) * 30;
          viewport?.dispatchEvent(
            new WheelEvent('wheel', {
              deltaX: ctrlKey ? 0 : 20,
              deltaY,
              ctrlKey,
              bubbles: true,
              cancelable: true,
              clientX: 400,
              clientY: 300,
            }),
          );
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  return percentile(frames, 0.95);
}

function timeSelecting(page: Page, { elements }: GraphView): Promise<number> {
  const ids = elements.slice(0, 10).map(({ id }) => id);
  return page
    .evaluate(
      (wanted) =>
        wanted.map((id) => {
          const card = document.querySelector<HTMLElement>(`[data-key="element:${id}"]`);
          const start = performance.now();
          card?.click();
          // Reading it forces a layout of the page.
          card?.getBoundingClientRect();
          return performance.now() - start;
        }),
      ids,
    )
    .then((times) => percentile(times, 0.95));
}

interface TimedEdit {
  /** Of the property that replaces those of the element; a number follows. */
  readonly name: string;
  /** What else an edit changes, by its number from 1 on. */
  readonly more?: (edited: GraphView, edit: number) => GraphView;
}

/**
 * Changes the properties of the first element, in the messages that the extension makes of it: from the message until the
 * page is drawn and laid out.
 */
async function timeEdits(
  page: Page,
  view: GraphView,
  toMessages: ReturnType<typeof createGraphMessages>,
  { name, more }: TimedEdit,
): Promise<number> {
  const times: number[] = [];
  for (let edit = 1; edit <= 7; edit += 1) {
    const [first, ...rest] = view.elements;
    if (!first) break;
    const property = `${name}_${edit}`;
    const next = { ...view, version: edit + 1, elements: [{ ...first, properties: [property] }, ...rest] };
    const { whole, change = whole } = toMessages(more ? more(next, edit) : next);
    times.push(
      await page.evaluate(
        ({ text, id, shown }) =>
          new Promise<number>((resolve) => {
            // Objects passed by the test driver are copied much more slowly than those of the page.
            const message = JSON.parse(text) as ToWebview;
            const start = performance.now();
            const card = document.querySelector(`[data-key="element:${id}"]`);
            const observer = new MutationObserver(() => {
              if (!card?.textContent?.includes(shown)) return;
              observer.disconnect();
              card.getBoundingClientRect();
              resolve(performance.now() - start);
            });
            observer.observe(document.querySelector('#world') ?? document.body, {
              subtree: true,
              childList: true,
              characterData: true,
              attributes: true,
            });
            window.postMessage(message, '*');
          }),
        { text: JSON.stringify(change), id: first.id, shown: property },
      ),
    );
  }
  return median(times);
}

/** The element gets a line more with each edit, and all that is behind it in the file moves down. */
function addLines(edited: GraphView, lines: number): GraphView {
  const moved = <T extends CardView | RelationshipView>(entry: T): T => ({
    ...entry,
    range: movedDown(entry.range, lines),
    extent: movedDown(entry.extent, lines),
  });
  const [first, ...rest] = edited.elements;
  if (!first) return edited;
  const { start, end } = first.extent;
  const taller = { ...first, extent: { start, end: { ...end, line: end.line + lines } } };
  return { ...edited, elements: [taller, ...rest.map(moved)], relationships: edited.relationships.map(moved) };
}

/** Scrolls the five hundred columns of the element dialog from top to bottom. */
async function measurePropertyList(browser: Browser, server: WebviewServer): Promise<readonly BenchResult[]> {
  const text =
    'version: 1\nname: Wide\ndataSource: shop\ndataObjects: [wide]\nelements:\n  - activityName: See\n    dataObject: wide\n    startTimestamp: at\n';
  const { webview } = await openCanvasHost(server, browser, { text });
  await webview.page.evaluate(compilerHelper);
  await webview.page.locator('[data-key="element:See"]').dblclick();
  await webview.page.getByText('column_1', { exact: true }).first().waitFor();
  const frames = await webview.page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const list = document.querySelector('dialog eg-virtual-list');
        const times: number[] = [];
        let last = performance.now();
        const step = (now: number): void => {
          times.push(now - last);
          last = now;
          if (!list || times.length > 120) return resolve(times.slice(2));
          list.scrollTop += list.scrollHeight / 120;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  await webview.page.close();
  const value = Math.max(...frames);
  return [
    { name: 'canvas, 500 columns: longest frame while scrolling', value, unit: 'ms', goal: '≤ 50 ms', ok: value <= 50 },
  ];
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
