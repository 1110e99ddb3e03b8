import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  type VsCodeServer,
  installExtension,
  launchChromium,
  projectFolder,
  startVsCodeServer,
} from '../support/vscode-host.ts';

/** A VS Code with the packaged extension, a browser, and a working copy of the samples. */
export interface InstalledExtension {
  readonly server: VsCodeServer;
  readonly browser: Browser;
  readonly samples: string;
  close(): Promise<void>;
}

/** Without a graphics card, the processor draws each frame of an animation. */
const still = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' };

let extensionsOfProcess: Promise<string> | undefined;

/**
 * The folder of extensions with the newest .vsix of `dist/` (from `npm run package`), installed once for all files of a
 * process: a VS Code only reads it.
 */
function installedExtensions(): Promise<string> {
  return (extensionsOfProcess ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'entity-graph-extensions-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await installExtension(newestPackage(), folder);
    return folder;
  })());
}

/** Starts a VS Code of its own with the packaged extension. */
export async function startWithPackage(
  env: Readonly<Record<string, string>> = {},
  {
    workspaceTrust = false,
    settings = {},
  }: { readonly workspaceTrust?: boolean; readonly settings?: Readonly<Record<string, unknown>> } = {},
): Promise<InstalledExtension> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-e2e-'));
  const samples = join(folder, 'samples');
  const filter = (path: string): boolean => basename(path) !== '.entity-graph';
  cpSync(join(projectFolder, 'samples'), samples, { recursive: true, filter });
  const server = await startVsCodeServer({
    extensionsFolder: await installedExtensions(),
    env,
    workspaceTrust,
    settings: { ...still, ...settings },
  });
  const browser = await launchChromium({ withWindow: true });
  return {
    server,
    browser,
    samples,
    async close() {
      await browser.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
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
