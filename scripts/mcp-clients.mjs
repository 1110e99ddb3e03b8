// Public clients of the Model Context Protocol, for the test part `mcp`: its conformance suite, and the command line of
// its inspector.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.mjs';
import { cacheFolder } from './paths.mjs';
import { runNpm } from './run-command.mjs';

/** Pinned, because scenarios differ between versions. Later suites, and inspectors of version 2, need Node 22. */
const packages = { '@modelcontextprotocol/conformance': '0.1.13', '@modelcontextprotocol/inspector': '1.0.3' };

const folder = join(cacheFolder, `mcp-clients-${Object.values(packages).join('-')}`);
const programOf = (name, path) => join(folder, 'node_modules/@modelcontextprotocol', name, path);

/** The program of the suite, and that of the inspector. */
export const conformanceProgram = programOf('conformance', 'dist/index.js');
export const inspectorProgram = programOf('inspector', 'cli/build/cli.js');

/** Whether both are installed. */
export function hasMcpClients() {
  return existsSync(conformanceProgram) && existsSync(inspectorProgram);
}

/** Installs them into `.cache/`. */
export async function ensureMcpClients() {
  await installOnce(folder, async (draft) => {
    console.log('set-up: the conformance suite and the inspector of the Model Context Protocol (170 MB)');
    const pinned = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    await runNpm(['install', '--silent', '--ignore-scripts', '--no-save', '--prefix', draft, ...pinned], {
      cwd: draft,
    });
  });
}
