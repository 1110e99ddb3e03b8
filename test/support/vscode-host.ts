import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page, chromium } from 'playwright-core';

/** Absolute path of the project's folder. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A VS Code server on a free loopback port. */
export interface VsCodeServer {
  /** host:port */
  readonly authority: string;
  log(): string;
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
  /** Enables workspace trust. */
  readonly workspaceTrust?: boolean;
}

/** Starts the real VS Code server that scripts/vscode-install.mjs sets up, with fresh user data. */
export async function startVsCodeServer(options: VsCodeServerOptions = {}): Promise<VsCodeServer> {
  return (await serverScript()).startVsCodeServer(options);
}

/** Installs a .vsix like a user, into an empty folder. */
export async function installExtension(vsix: string, extensionsFolder: string): Promise<void> {
  await (await serverScript()).installExtension(vsix, extensionsFolder);
}

interface ServerScript {
  startVsCodeServer(options: VsCodeServerOptions): Promise<VsCodeServer>;
  installExtension(vsix: string, extensionsFolder: string): Promise<void>;
}

/** The scripts are plain JavaScript, because they run before packages are installed; their types are declared here. */
async function serverScript(): Promise<ServerScript> {
  return (await importScript('vscode-server.mjs')) as ServerScript;
}

function importScript(name: string): Promise<unknown> {
  return import(new URL(`../../scripts/${name}`, import.meta.url).href);
}

/** The headless Chromium of the system; VS Code needs one with a window. */
export async function launchChromium(options: { readonly withWindow?: boolean } = {}): Promise<Browser> {
  const { chromiumPath } = (await importScript('chromium.mjs')) as {
    chromiumPath(options: { readonly withWindow?: boolean }): string;
  };
  const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
  const quiet = ['--disable-background-networking', '--disable-component-update'];
  return chromium.launch({ executablePath: chromiumPath(options), headless: true, args: [...flags, ...quiet] });
}

/** Saves a screenshot as `.cache/screenshots/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = join(projectFolder, '.cache/screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
