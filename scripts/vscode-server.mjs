// A VS Code server on a free loopback port: what `npm start` opens and what the host and e2e tests run in.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGroup } from './process-group.mjs';
import { runCommand } from './run-command.mjs';
import { ensureVsCodeHost } from './vscode-install.mjs';

/** Settings without prompts, updates, restored windows or telemetry. */
const settings = {
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.hotExit': 'off',
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
};

/** The built-in extensions that tests see: each of the 60 others costs processor time whenever a window opens. */
const builtInsOfTests = [
  ...['theme-defaults', 'theme-seti', 'theme-modern-icons'],
  ...['json', 'markdown-basics', 'sql', 'yaml'],
];

const settingsOfTests = {
  // Else each extension host lists the files of all processes every two seconds, in search of ports.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  // One worker less.
  'editor.experimental.asyncTokenization': false,
};

/**
 * Starts the server with fresh user data, so that nothing of an earlier run shows.
 * @param {{ extensionsFolder?: string, settings?: object, env?: NodeJS.ProcessEnv, connectionToken?: string,
 *   forTests?: boolean, isLight?: boolean, workspaceTrust?: boolean, host?: 'newest' | 'oldest' }} [options] Without a `connectionToken` every local program may connect.
 *   `forTests` lets a page run tests in the extension host. `isLight` leaves out what tests of this extension do not
 *   need, and saves a fifth of the processor time of a window. With `workspaceTrust` a folder is trusted only after
 *   somebody said so.
 * @returns {Promise<{ authority: string, userDataFolder: string, log(): string, ended: Promise<unknown>,
 *   resetUserData(): void, stop(): Promise<void> }>} `authority` is host:port. `resetUserData` is for the time when no
 *   window is open.
 */
export async function startVsCodeServer(options = {}) {
  const { node, serverMain } = await ensureVsCodeHost(options.host);
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-vscode-'));
  const cleanUp = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.once('exit', cleanUp);
  const userDataFolder = join(folder, 'data/User');
  const trust = options.workspaceTrust === true;
  const light = options.isLight ? settingsOfTests : {};
  const all = { ...settings, ...light, 'security.workspace.trust.enabled': trust, ...options.settings };
  const resetUserData = () => {
    rmSync(userDataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    mkdirSync(userDataFolder, { recursive: true });
    writeFileSync(join(userDataFolder, 'settings.json'), JSON.stringify(all, null, 2));
  };
  resetUserData();
  const args = [
    ...[serverMain, '--host', '127.0.0.1', '--port', '0', '--accept-server-license-terms'],
    ...(options.connectionToken ? ['--connection-token', options.connectionToken] : ['--without-connection-token']),
    ...(trust ? [] : ['--disable-workspace-trust']),
    ...['--telemetry-level', 'off', '--disable-experiments', '--server-data-dir', folder],
    ...['--extensions-dir', options.extensionsFolder ?? join(folder, 'extensions')],
    // Both ends are on this machine.
    '--disable-websocket-compression',
    ...(options.forTests ? ['--enable-smoke-test-driver'] : []),
    ...(options.isLight ? ['--builtin-extensions-dir', someBuiltIns(serverMain, folder)] : []),
  ];
  // Extension hosts and language servers load their code compiled.
  const compiled = options.isLight ? { NODE_COMPILE_CACHE: join(folder, 'compiled') } : {};
  const env = { ...process.env, ...compiled, ...options.env };
  const group = startGroup(node, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const { log, port } = followLog(group);
  return {
    authority: `127.0.0.1:${await port}`,
    userDataFolder,
    resetUserData,
    log,
    ended: group.ended,
    async stop() {
      await group.stop();
      process.off('exit', cleanUp);
      cleanUp();
    },
  };
}

/** A folder with links to the built-in extensions of tests. */
function someBuiltIns(serverMain, folder) {
  const some = join(folder, 'built-in');
  mkdirSync(some);
  for (const name of builtInsOfTests) {
    const builtIn = join(serverMain, '../../extensions', name);
    // The oldest host has another default theme.
    if (existsSync(builtIn)) symlinkSync(builtIn, join(some, name));
  }
  return some;
}

function followLog(group) {
  let text = '';
  const port = new Promise((resolve, reject) => {
    const read = (part) => {
      text += part;
      const listening = /Extension host agent listening on (\d+)/.exec(text);
      if (listening) resolve(Number(listening[1]));
    };
    group.child.stdout.setEncoding('utf8').on('data', read);
    group.child.stderr.setEncoding('utf8').on('data', read);
    void group.ended.then(() => reject(new Error(`The VS Code server did not start.\n${text}`)));
  });
  return { port, log: () => text };
}

/** Installs a .vsix like a user, into an empty folder. */
export async function installExtension(vsix, extensionsFolder, host = 'newest') {
  const { node, serverMain } = await ensureVsCodeHost(host);
  rmSync(extensionsFolder, { recursive: true, force: true });
  const data = mkdtempSync(join(tmpdir(), 'entity-graph-vscode-'));
  const folders = ['--extensions-dir', extensionsFolder, '--server-data-dir', data];
  try {
    await runCommand(node, [serverMain, '--accept-server-license-terms', '--install-extension', vsix, ...folders]);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
