import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An extension with a table: its id, and the command that opens the table. */
export interface TableExtension {
  readonly id: string;
  readonly command: string;
}

export const bareTable: TableExtension = { id: 'bench.table', command: 'bench.table' };
/** The bare table with a page that loads as many bytes as ours. */
export const loadedTable: TableExtension = { id: 'bench.loaded', command: 'bench.loaded' };

/**
 * Writes an extension that does the least that shows the files of a folder in a table: it forks a bare Node process
 * that asks for the size and the time of each file, and opens a page without styles, icons and libraries that draws as
 * many rows as ours does.
 * @param webviews folder of our pages; the page then loads our styles, and a script that has ours in a function which
 * is never called.
 */
export function writeTableExtension(folder: string, { id }: TableExtension, engines: unknown, webviews?: string): void {
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
  writeFileSync(join(folder, 'main.cjs'), extension(id, webviews !== undefined));
  writeFileSync(join(folder, 'server.cjs'), server);
  const unused = webviews === undefined ? '' : readFileSync(join(webviews, 'entities.js'), 'utf8');
  writeFileSync(join(folder, 'page.js'), `function unused() {\n${unused}\n}\n${page}`);
  if (webviews === undefined) return;
  for (const name of ['codicon.css', 'codicon.ttf']) cpSync(join(webviews, name), join(folder, name));
}

const extension = (command: string, hasStyles: boolean): string => `
const { fork } = require('node:child_process');
const { join } = require('node:path');
const { Uri, ViewColumn, commands, window, workspace } = require('vscode');

exports.activate = ({ extensionUri, subscriptions }) => {
  const server = fork(join(__dirname, 'server.cjs'));
  const rows = new Promise((resolve) => server.once('message', resolve));
  server.send(workspace.workspaceFolders[0].uri.fsPath);
  subscriptions.push({ dispose: () => server.kill() });
  subscriptions.push(commands.registerCommand('${command}', () => {
    const { webview } = window.createWebviewPanel('${command}', 'Table', ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [extensionUri],
    });
    webview.onDidReceiveMessage(() => rows.then((files) => webview.postMessage(files)));
    const script = webview.asWebviewUri(Uri.joinPath(extensionUri, 'page.js'));
    const styles = webview.asWebviewUri(Uri.joinPath(extensionUri, 'codicon.css'));
    const head = ${hasStyles} ? '<head><link rel="stylesheet" href="' + styles + '"></head>' : '';
    webview.html = '<!DOCTYPE html><html>' + head + '<body><div id="table"><div class="rows"></div></div>'
      + '<script src="' + script + '"></script></body></html>';
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
