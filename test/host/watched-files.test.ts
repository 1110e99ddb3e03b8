import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri, commands, languages, window, workspace } from 'vscode';
import { waitFor } from './wait-for.ts';

const sources = (path: string): string => `version: 1\ndataSources:\n  log: { kind: csv, path: ${path} }\n`;
const rows = (key: string): string => JSON.stringify([{ [key]: 1, placed_at: '2024-01-01T10:00:00Z' }]);
const graph = `version: 1
dataSource: log
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: number
    startTimestamp: placed_at
`;

describe('file watchers outside the workspace', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'entity-graph-watched-'));
    for (const name of ['.git', 'graphs', 'data']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'data/orders.json'), rows('id'));
    writeFileSync(join(folder, 'graphs/orders.entity.yaml'), graph);
    writeFileSync(join(folder, 'entity-sources.yaml'), sources('"data/*.json"'));
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  it('notice changes of data files and sources files', async () => {
    const uri = Uri.file(join(folder, 'graphs/orders.entity.yaml'));
    await window.showTextDocument(await workspace.openTextDocument(uri));
    const codes = (): readonly unknown[] =>
      languages.getDiagnostics(uri).map(({ code }) => (typeof code === 'object' ? code.value : code));
    const become = (expected: string): Promise<void> =>
      waitFor(`the problems are ${expected}`, () => codes().join() === expected, codes);
    await become('unknown-column');
    // Watchers start with a delay: a later write is noticed at the latest.
    const written = async (file: string, text: string, expected: string): Promise<void> => {
      const write = setInterval(() => writeFileSync(join(folder, file), text), 500);
      await become(expected).finally(() => clearInterval(write));
    };
    await written('data/orders.json', rows('number'), '');
    await written('entity-sources.yaml', sources('orders.csv').replace('log:', 'other:'), 'unknown-data-source');
    assert.equal(workspace.getWorkspaceFolder(uri), undefined);
  });
});
