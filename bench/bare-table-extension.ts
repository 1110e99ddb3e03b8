import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An extension with a table: its id, and the command that opens the table. */
export interface TableExtension {
  readonly id: string;
  readonly command: string;
}

export const bareTable: TableExtension = { id: 'bench.table', command: 'bench.table' };

/**
 * Writes an extension that does the least that shows the files of a folder in a table: it forks a bare Node process
 * that asks for the size and the time of each file, and opens a page without styles, icons and libraries that draws as
 * many rows as ours does.
 */
export function writeTableExtension(folder: string, { id }: TableExtension, engines: unknown): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: id.replace('bench.', ''),
    publisher: 'bench',
    version: '1.0.0',
    engines,
    main: './main.cjs',
    activationEvents: [`onCommand:${id}`],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.cjs'), extension(id));
  writeFileSync(join(folder, 'server.cjs'), server);
}

const extension = (command: string): string => `
const { fork } = require('node:child_process');
const { join } = require('node:path');
const { ViewColumn, commands, window, workspace } = require('vscode');

exports.activate = ({ subscriptions }) => {
  const server = fork(join(__dirname, 'server.cjs'));
  const rows = new Promise((resolve) => server.once('message', resolve));
  server.send(workspace.workspaceFolders[0].uri.fsPath);
  subscriptions.push({ dispose: () => server.kill() });
  subscriptions.push(commands.registerCommand('${command}', () => {
    const { webview } = window.createWebviewPanel('${command}', 'Table', ViewColumn.Active, {
      enableScripts: true,
    });
    webview.onDidReceiveMessage(() => rows.then((files) => webview.postMessage(files)));
    webview.html = '<!DOCTYPE html><html><body><div id="table"><div class="rows"></div></div>'
      + '<script>' + ${JSON.stringify(page)} + '</script></body></html>';
  }));
};
`;

const server = `
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

process.on('message', (folder) => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.entity.yaml'));
  process.send(files.map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return { name, size, mtimeMs };
  }));
});
process.on('disconnect', () => process.exit());
`;

const page = `
const host = acquireVsCodeApi();
window.addEventListener('message', ({ data }) => {
  const rows = document.querySelector('.rows');
  const shown = Math.ceil(innerHeight / 22);
  for (const { name, size, mtimeMs } of data.slice(0, shown)) {
    const row = document.createElement('div');
    row.className = 'row';
    for (const text of [name, size, new Date(mtimeMs).toLocaleString()]) {
      const cell = document.createElement('span');
      cell.textContent = text;
      row.append(cell);
    }
    rows.append(row);
  }
  document.querySelector('#table').setAttribute('aria-rowcount', data.length + 1);
});
host.postMessage('ready');
`;
