import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';

const version = '22.23.3';

/**
 * Path of a Node.js 22, whose `node:sqlite` is a floor: the running one, or the package `node` of the npm registry, which
 * is installed once into `.cache/`.
 */
export async function node22(): Promise<string> {
  if (process.versions.node.startsWith('22.')) return process.execPath;
  const folder = fileURLToPath(new URL(`../.cache/node-${version}`, import.meta.url));
  const program = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  console.log(`set-up: Node.js ${version} (about 10 s, 110 MB)`);
  // Renamed when it is whole, so that an interrupted set-up is repeated.
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    const args = ['install', '--prefix', draft, '--no-save', '--no-audit', '--no-fund', `node@${version}`];
    await promisify(execFile)('npm', args, { shell: process.platform === 'win32' });
    await rename(draft, folder);
  } catch (error) {
    throw new Error(`Node.js ${version} could not be set up. Is the npm registry reachable?`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return program;
}
