import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { iconStyles, pageHtml } from '../../client/src/page-html.ts';
import type { RequestTable } from '../../protocol/shapes/request-shape.ts';
import { canvasRequests } from '../../protocol/requests/canvas-requests.ts';
import { eventGraphPageRequests } from '../../protocol/requests/event-graph-requests.ts';
import { fromWebview } from '../../protocol/shapes/webview-shapes.ts';
import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';
import { projectFolder } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ThemeName, fonts, themes } from './themes.ts';

/** Serves the built webviews on loopback, under the content security policy of the extension. */
export interface WebviewServer {
  open(browser: Browser | BrowserContext, options: WebviewOptions): Promise<WebviewPage>;
  close(): Promise<void>;
}

export interface WebviewOptions {
  readonly bundle: 'canvas' | 'explorer' | 'entities' | 'results' | 'event-graph';
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  /** Blocks the layout program of the page. */
  readonly withoutWorker?: boolean;
  /** State stored by an earlier page. */
  readonly kept?: unknown;
  /** Translations by their English text. */
  readonly messages?: Readonly<Record<string, string>> | undefined;
  /** What the extension wrote into the page. */
  readonly first?: ToWebview | undefined;
  /** Answers requests of the page; the others get default responses. */
  readonly answer?: ((request: PostedRequest) => Promise<unknown>) | undefined;
}

export type PostedRequest = Extract<FromWebview, { type: 'request' }>;

/** A webview with a stand-in for its extension. */
export interface WebviewPage {
  readonly page: Page;
  send(message: ToWebview): Promise<void>;
  /** All messages posted by the webview so far except its requests, the oldest first. */
  posted(): Promise<readonly FromWebview[]>;
  /** The requests posted by the webview so far. */
  requests(): Promise<readonly PostedRequest[]>;
  /** Waits for a message of a type posted after the first `seen`. */
  waitForPosted(type: FromWebview['type'], seen?: number): Promise<FromWebview>;
  /** The state that the webview keeps while hidden. */
  kept(): Promise<unknown>;
  /** Errors of the page, including policy violations and messages that the extension would reject. */
  readonly errors: readonly string[];
}

interface TestWindow extends Window {
  posted: FromWebview[];
  kept: unknown;
}

/** The requests blocked by `withoutWorker`. */
export const workerFiles = '**/elk-worker.min.js';

export async function startWebviewServer(): Promise<WebviewServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    respond(url).then(
      ({ type, body }) => {
        response.writeHead(200, { 'content-type': type });
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    open: (browser, options) => openWebview(browser, origin, options),
    close: () => close(server),
  };
}

async function openWebview(
  browser: Browser | BrowserContext,
  origin: string,
  options: WebviewOptions,
): Promise<WebviewPage> {
  const page = await browser.newPage();
  await page.setViewportSize({ width: options.width ?? 1200, height: options.height ?? 720 });
  await page.emulateMedia({ reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference' });
  // Beside much other load, a page takes twenty times as long to appear.
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Ignores resources that are missing on purpose.
    if (!message.text().startsWith('Failed to load resource')) errors.push(message.text());
  });
  if (options.withoutWorker) await page.route(workerFiles, (route) => route.abort());
  await page.exposeFunction('judgeMessage', (message: unknown) => {
    const mistake = mistakeOf(message);
    if (mistake !== undefined) errors.push(`The extension would not take ${JSON.stringify(message)}: ${mistake}`);
  });
  await page.exposeFunction('answerRequest', async (request: PostedRequest) => {
    const answer = await options.answer?.(request);
    return (
      answer ?? defaultAnswers[request.method] ?? { ok: false, error: { code: 'cancelled', message: 'Cancelled.' } }
    );
  });
  const { bundle, theme = 'dark', kept = null, messages, first } = options;
  // Set while calls are recorded (scripts/selection/recording.mjs).
  const { recordBundle } = globalThis as { readonly recordBundle?: (path: string) => void };
  recordBundle?.(`webview/dist/${bundle}.js`);
  const query = new URLSearchParams({ bundle, theme, kept: JSON.stringify(kept) });
  if (messages) query.set('l10n', JSON.stringify(messages));
  if (first) query.set('first', JSON.stringify(first));
  await page.goto(`${origin}/?${query}`);
  await page.evaluate(() => document.fonts.ready);
  const all = (): Promise<readonly FromWebview[]> => page.evaluate(() => (window as unknown as TestWindow).posted);
  const posted = async (): Promise<readonly FromWebview[]> => (await all()).filter(({ type }) => type !== 'request');
  return {
    page,
    errors,
    posted,
    requests: async () => (await all()).filter((message) => message.type === 'request'),
    send: (message) => page.evaluate((data) => window.postMessage(data, '*'), message),
    waitForPosted: (type, seen = 0) =>
      waitUntil(`the webview posts ${type}`, async () =>
        (await posted()).slice(seen).find((message) => message.type === type),
      ),
    kept: () => page.evaluate(() => (window as unknown as TestWindow).kept),
  };
}

/** Shape errors of a message from the page. */
function mistakeOf(message: unknown): string | undefined {
  const mistake = fromWebview(message, '');
  const { type, method = '', params } = message as Partial<PostedRequest>;
  if (mistake !== undefined || type !== 'request') return mistake;
  const request = ({ ...canvasRequests, ...eventGraphPageRequests } as RequestTable)[method];
  return request ? request.params(params, '') : `there is no request ${method}`;
}

/** An extension without a data source. */
const defaultAnswers: { readonly [method: string]: unknown } = {
  layout: { ok: true, value: { elements: {} } },
  saveLayout: { ok: true, value: null },
  previewShare: { ok: true, value: null },
  savePreviewShare: { ok: true, value: null },
  dataObjects: { ok: true, value: { objects: [] } },
  otherSources: { ok: true, value: [] },
  columns: { ok: true, value: [] },
  suggestJoins: { ok: true, value: [] },
  checkIntent: { ok: true, value: { problems: [] } },
};

async function respond(url: URL): Promise<{ type: string; body: string | Buffer }> {
  if (url.pathname !== '/') {
    const body = await readFile(join(projectFolder, 'webview', url.pathname));
    return { type: contentTypes[extname(url.pathname)] ?? 'application/octet-stream', body };
  }
  return { type: 'text/html; charset=utf-8', body: await pageFor(url.searchParams) };
}

const policy = [
  "default-src 'none'",
  "script-src 'nonce-test'",
  "style-src 'nonce-test' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "font-src 'self'",
  "connect-src 'self'",
  'worker-src blob:',
  'img-src data:',
];

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

/** Changes the theme of an open page, as VS Code does. */
export async function useTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(
    ({ rule, bodyClass }) => {
      const style = document.querySelector('#theme');
      if (style) style.textContent = rule;
      document.body.className = bodyClass;
    },
    { rule: themeRule(theme), bodyClass: themes[theme].bodyClass },
  );
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

function themeRule(theme: ThemeName): string {
  const variables = Object.entries({ ...fonts, ...themes[theme].variables });
  return `:root { ${variables.map(([name, value]) => `${name}: ${value};`).join(' ')} }`;
}

/** The page of the extension, with what VS Code adds to it. */
async function pageFor(query: URLSearchParams): Promise<string> {
  const theme = (query.get('theme') ?? 'dark') as ThemeName;
  const text = (file: string): Promise<string> => readFile(join(projectFolder, 'webview/dist', file), 'utf8');
  const bundle = query.get('bundle') ?? '';
  const [l10n, first] = [query.get('l10n'), query.get('first')];
  const html = pageHtml({
    title: 'Entity Graph',
    language: 'en',
    policy: policy.join('; '),
    nonce: 'test',
    styles: iconStyles(await text('codicon.css'), '/dist'),
    // As `isLarge` of the canvas.
    script: bundle === 'canvas' ? { address: '/dist/canvas.js' } : { text: await text(`${bundle}.js`) },
    data: {
      worker: '/dist/elk-worker.min.js',
      ...(l10n === null ? {} : { l10n }),
      ...(first === null ? {} : { first }),
    },
  });
  const added = `<body class="${themes[theme].bodyClass}">
  <script nonce="test">
    window.posted = [];
    window.kept = ${query.get('kept')};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => {
        window.posted.push(structuredClone(message));
        window.judgeMessage(structuredClone(message));
        if (message.type !== 'request') return;
        window.answerRequest(structuredClone(message)).then((result) =>
          window.postMessage({ type: 'response', id: message.id, result }, '*'));
      },
      getState: () => window.kept ?? undefined,
      setState: (state) => { window.kept = structuredClone(state); },
    });
  </script>`;
  return html
    .replace('</head>', () => `<style nonce="test" id="theme">${themeRule(theme)}</style></head>`)
    .replace('<body>', () => added);
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
