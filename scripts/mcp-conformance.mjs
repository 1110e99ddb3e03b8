// The public conformance suite of the Model Context Protocol, for the test part `mcp`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.mjs';
import { cacheFolder } from './paths.mjs';
import { runNpm } from './run-command.mjs';

/** Pinned, because scenarios differ between versions. Later ones need Node 22. */
const version = '0.1.13';

const folder = join(cacheFolder, `mcp-conformance-${version}`);

/** The program of the suite. */
export const conformanceProgram = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Whether it is installed. */
export function hasConformance() {
  return existsSync(conformanceProgram);
}

/** Installs it into `.cache/`. */
export async function ensureConformance() {
  await installOnce(folder, async (draft) => {
    console.log('set-up: the conformance suite of the Model Context Protocol (50 MB)');
    const pinned = `@modelcontextprotocol/conformance@${version}`;
    await runNpm(['install', '--silent', '--ignore-scripts', '--no-save', '--prefix', draft, pinned], { cwd: draft });
  });
}
