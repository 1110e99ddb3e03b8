// A real VS Code server from the npm registry, for tests and for `npm start` on a machine without VS Code.
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.mjs';
import { cacheFolder } from './paths.mjs';
import { runCommand, runNpm } from './run-command.mjs';

/** The package `code-server` contains the complete server of VS Code 1.139.1, which runs on this Node. */
const versions = { codeServer: '4.139.1', node: '24.21.0' };

/** Unused parts of the server: 400 MB of native helpers for other platforms and of assistants. */
const unusedParts = [
  'extensions/copilot',
  'node_modules/@github',
  'node_modules/@microsoft/mxc-sdk',
  'node_modules/@devcontainers',
];

function hostFolder() {
  return join(cacheFolder, `vscode-host-${versions.codeServer}-${versions.node}-${process.arch}`);
}

/** Whether the server is installed. */
export function hasVsCodeHost() {
  return existsSync(hostFolder());
}

/**
 * Installs the server once into `.cache/vscode-host-<versions>/`.
 * @returns {Promise<{ node: string, serverMain: string }>} Node and the server's program.
 */
export async function ensureVsCodeHost() {
  const { platform, arch } = process;
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch)) {
    throw new Error(
      `The VS Code server runs on Linux x64 and arm64 only, not on ${platform} ${arch}. ` +
        'Run the tests in a Linux container, or install VS Code and its `code` command for npm start.',
    );
  }
  const folder = hostFolder();
  await installOnce(folder, async (draft) => {
    console.log(`set-up: VS Code server ${versions.codeServer} (about 20 s)`);
    await install(draft, `node-linux-${arch}`);
  });
  return {
    node: join(folder, `node_modules/node-linux-${arch}/bin/node`),
    serverMain: join(folder, 'vscode/out/server-main.js'),
  };
}

async function install(draft, nodePackage) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
    await runNpm(['install', ...quiet, `${nodePackage}@${versions.node}`], { cwd: draft });
    await runNpm(['pack', '--silent', '--ignore-scripts', `code-server@${versions.codeServer}`], { cwd: draft });
    const archive = `code-server-${versions.codeServer}.tgz`;
    await runCommand('tar', ['xzf', archive, 'package/lib/vscode'], { cwd: draft });
    renameSync(join(draft, 'package/lib/vscode'), join(draft, 'vscode'));
    rmSync(join(draft, 'package'), { recursive: true });
    rmSync(join(draft, archive));
    await runNpm(['install', '--omit=dev', ...quiet], { cwd: join(draft, 'vscode') });
    removeUnusedParts(join(draft, 'vscode'));
  } catch (error) {
    throw new Error(`The VS Code server could not be set up. Is the npm registry reachable?\n${error.message}`, {
      cause: error,
    });
  }
}

function removeUnusedParts(server) {
  for (const part of unusedParts) rmSync(join(server, part), { recursive: true, force: true });
  const ripgrep = join(server, 'node_modules/@vscode/ripgrep-universal/bin');
  if (!existsSync(ripgrep)) return;
  for (const platform of readdirSync(ripgrep)) {
    if (platform !== `linux-${process.arch}`) rmSync(join(ripgrep, platform), { recursive: true });
  }
}
