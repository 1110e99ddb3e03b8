import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { installExtension } from '../test/support/vscode-host.ts';

/**
 * Packages the extension and installs it as users do.
 * @param folder gets the files of the installed extension.
 */
export async function installPackage(folder: string): Promise<void> {
  const installed = mkdtempSync(join(tmpdir(), 'entity-graph-package-'));
  try {
    await installExtension(await makePackage(), installed);
    const id = `${packageJson.publisher}.${packageJson.name}-`;
    const name = readdirSync(installed).find((each) => each.startsWith(id));
    if (name === undefined) throw new Error(`No extension ${id} was installed.`);
    renameSync(join(installed, name), folder);
  } finally {
    rmSync(installed, { recursive: true, force: true });
  }
}

/** Packaging builds the programs as other benches measure them. */
async function makePackage(): Promise<string> {
  // The scripts are plain JavaScript, because they run before packages are installed; their types are declared here.
  const script = new URL('../scripts/package.mjs', import.meta.url).href;
  const { packageExtension } = (await import(script)) as { packageExtension(): Promise<string> };
  return packageExtension();
}
