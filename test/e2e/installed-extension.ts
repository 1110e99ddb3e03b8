import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import {
  type VsCodeHost,
  type VsCodeServer,
  installExtension,
  launchChromium,
  projectFolder,
  sharedChromiumWithWindow,
  startVsCodeServer,
} from '../support/vscode-host.ts';
import { addAgent } from './agent.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A VS Code with the packaged extension, a browser, and a working copy of the samples. */
export interface InstalledExtension {
  readonly server: VsCodeServer;
  /** Its windows are closed by `close`. */
  readonly browser: Browser | BrowserContext;
  readonly samples: string;
  /** Closes all windows, and deletes everything that they have stored in the browser and on the server. */
  close(): Promise<void>;
}

interface LaunchOptions {
  readonly workspaceTrust?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly allBuiltIns?: boolean;
  /** With the commands of `agent.ts`. */
  readonly withAgent?: boolean;
  readonly host?: VsCodeHost;
}

/** Without a graphics card, the processor draws each frame of an animation. */
const still = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' };

const extensionsOfProcess = new Map<VsCodeHost, Promise<string>>();

/**
 * The folder of extensions with the newest .vsix of `dist/` (from `npm run package`), installed once for all files of a
 * process: a VS Code only reads it.
 */
function installedExtensions(host: VsCodeHost): Promise<string> {
  const running = extensionsOfProcess.get(host) ?? installInto(host);
  extensionsOfProcess.set(host, running);
  return running;
}

/** A folder of its own, because others of this process have no agent. */
async function extensionsWithAgent(host: VsCodeHost): Promise<string> {
  const folder = await installInto(host);
  addAgent(folder);
  return folder;
}

async function installInto(host: VsCodeHost): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-extensions-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await installExtension(newestPackage(), folder, host);
  return folder;
}

/** The server of all files that need no environment or settings of their own. */
const sharedServer = shareServer();

function shareServer(): () => Promise<VsCodeServer> {
  let running: Promise<VsCodeServer> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  // Pictures use this module without mocha.
  afterAllFiles?.(async () => (await running)?.stop());
  return () => (running ??= startServer({}, {}));
}

async function startServer(
  env: Readonly<Record<string, string>>,
  { settings = {}, allBuiltIns = false, workspaceTrust = false, host = 'newest', withAgent = false }: LaunchOptions,
): Promise<VsCodeServer> {
  return startVsCodeServer({
    extensionsFolder: await (withAgent ? extensionsWithAgent(host) : installedExtensions(host)),
    host,
    env,
    workspaceTrust,
    isLight: !allBuiltIns,
    settings: { ...still, ...settings },
  });
}

/**
 * A VS Code with the packaged extension and nothing stored by others: a server of its own if it wants an environment or
 * options.
 */
export async function startWithPackage(
  env: Readonly<Record<string, string>> = {},
  options: LaunchOptions = {},
): Promise<InstalledExtension> {
  const samples = copySamples();
  const isShared = Object.keys({ ...env, ...options }).length === 0;
  const server = await (isShared ? sharedServer() : startServer(env, options));
  const browser = await sharedChromiumWithWindow();
  return {
    server,
    browser,
    samples,
    async close() {
      await closeWindows(browser, server, isShared);
      if (isShared) server.resetUserData();
      else await server.stop();
      removeSamples(samples);
    },
  };
}

/** The same for pictures: with all of VS Code's own extensions, and each window in a new profile. */
export async function startForPictures(
  env: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>>,
): Promise<InstalledExtension & { readonly browser: Browser }> {
  const samples = copySamples();
  const server = await startServer(env, { settings, allBuiltIns: true, withAgent: true });
  const browser = await launchChromium({ withWindow: true });
  return {
    server,
    browser,
    samples,
    async close() {
      await browser.close();
      await server.stop();
      removeSamples(samples);
    },
  };
}

function copySamples(): string {
  const samples = join(mkdtempSync(join(tmpdir(), 'entity-graph-e2e-')), 'samples');
  const filter = (path: string): boolean => basename(path) !== '.entity-graph';
  cpSync(join(projectFolder, 'samples'), samples, { recursive: true, filter });
  return samples;
}

function removeSamples(samples: string): void {
  rmSync(dirname(samples), { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Closes all windows of a server, and deletes what they have stored in the browser. Their extension hosts end with a
 * server of its own; else with the windows.
 */
async function closeWindows(browser: BrowserContext, server: VsCodeServer, isShared: boolean): Promise<void> {
  const origin = `http://${server.authority}`;
  // A browser without a page would end.
  const blank = await browser.newPage();
  for (const page of browser.pages().filter((each) => each.url().startsWith(origin))) {
    // The extension host of a page that is only closed would wait for it to come back.
    await page.goto('about:blank');
    await page.close();
  }
  if (isShared) {
    await waitUntil('all extension hosts have ended', () => {
      const count = (what: RegExp): number => server.log().match(what)?.length ?? 0;
      const started = count(/Launched Extension Host Process/g);
      return Promise.resolve(count(/Extension Host Process exited/g) >= started ? true : undefined);
    });
  }
  const session = await browser.newCDPSession(blank);
  const storageTypes = 'cookies,local_storage,indexeddb,service_workers';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await blank.close();
}

function newestPackage(): string {
  const folder = join(projectFolder, 'dist');
  const own = readdirSync(folder).filter((file) => file.includes(`-${process.platform}-${process.arch}-`));
  const files = own.map((file) => join(folder, file)).sort((left, right) => modified(right) - modified(left));
  if (files[0] === undefined) throw new Error('There is no package in dist/. Run npm run package first.');
  return files[0];
}

function modified(file: string): number {
  return statSync(file).mtimeMs;
}
