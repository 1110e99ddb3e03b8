import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';

/** Absolute path of the project's folder. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A VS Code server on a free loopback port. */
export interface VsCodeServer {
  /** host:port */
  readonly authority: string;
  log(): string;
  /** Deletes what windows have stored on the server, and restores the settings; only while no window is open. */
  resetUserData(): void;
  stop(): Promise<void>;
}

export interface VsCodeServerOptions {
  /** Extension folder; default: a new empty folder. */
  readonly extensionsFolder?: string;
  /** Added to quiet defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Lets a page run tests in the extension host. */
  readonly forTests?: boolean;
  /** Leaves out what tests of this extension do not need, such as most built-in extensions. */
  readonly isLight?: boolean;
  /** Enables workspace trust. */
  readonly workspaceTrust?: boolean;
  readonly host?: VsCodeHost;
}

/** The VS Code of most tests, or the oldest that the extension supports. */
export type VsCodeHost = 'newest' | 'oldest';

/** Starts the real VS Code server that scripts/vscode-install.mjs sets up, with fresh user data. */
export async function startVsCodeServer(options: VsCodeServerOptions = {}): Promise<VsCodeServer> {
  return (await serverScript()).startVsCodeServer(options);
}

/** Installs a .vsix like a user, into an empty folder. */
export async function installExtension(
  vsix: string,
  extensionsFolder: string,
  host: VsCodeHost = 'newest',
): Promise<void> {
  await (await serverScript()).installExtension(vsix, extensionsFolder, host);
}

interface ServerScript {
  startVsCodeServer(options: VsCodeServerOptions): Promise<VsCodeServer>;
  installExtension(vsix: string, extensionsFolder: string, host: VsCodeHost): Promise<void>;
}

/** The scripts are plain JavaScript, because they run before packages are installed; their types are declared here. */
async function serverScript(): Promise<ServerScript> {
  return (await importScript('vscode-server.mjs')) as ServerScript;
}

function importScript(name: string): Promise<unknown> {
  return import(new URL(`../../scripts/${name}`, import.meta.url).href);
}

/** The headless Chromium of the system; VS Code needs one with a window. */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const { chromiumPath, chromiumFlags } = await chromiumScript();
  return chromium.launch({ executablePath: chromiumPath(options), headless: true, args: [...chromiumFlags] });
}

interface ChromiumOptions {
  readonly withWindow?: boolean;
}

/**
 * The Chromium shared by all files of this process, started on first use. Its pages share a cache of files and of
 * compiled code. Each test closes its own pages.
 */
export const sharedChromium = shareChromium({});

/** The same for pages of VS Code. */
export const sharedChromiumWithWindow = shareChromium({ withWindow: true });

function shareChromium(options: ChromiumOptions): () => Promise<BrowserContext> {
  let running: Promise<BrowserContext> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  // Benches use this module without mocha.
  afterAllFiles?.(async () => (await running)?.close());
  return () =>
    (running ??= (async () => {
      const { chromiumPath, flagsOfShortPages } = await chromiumScript();
      const args = [...flagsOfShortPages];
      // Playwright makes a profile in a temporary folder, and removes it.
      return chromium.launchPersistentContext('', { executablePath: chromiumPath(options), headless: true, args });
    })());
}

interface ChromiumScript {
  readonly chromiumFlags: readonly string[];
  readonly flagsOfShortPages: readonly string[];
  chromiumPath(options: ChromiumOptions): string;
}

async function chromiumScript(): Promise<ChromiumScript> {
  return (await importScript('chromium.mjs')) as ChromiumScript;
}

/** Saves a screenshot as `.cache/screenshots/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = join(projectFolder, '.cache/screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
