import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeAction, CodeLens, SymbolInformation, WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { EntitiesView } from '../../protocol/requests/lifecycle-requests.ts';
import { runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const sourcesOf = (name: string): string => `version: 1\ndataSources:\n  ${name}: { kind: csv, path: "*.csv" }\n`;
const graphOf = (source: string, activity: string): string =>
  `version: 1\ndataSource: ${source}\nelements:\n  - { activityName: ${activity}, dataObject: orders, key: id, startTimestamp: placed_at }\n`;
const rows = 'id,placed_at\n1,2024-01-01 10:00:00\n';

describe('language server: several workspace folders', () => {
  let first: string;
  let second: string;
  let client: LspClient;

  before(async () => {
    const files = { 'orders.csv': rows, 'plain.txt': '' };
    first = await folderWith({
      ...files,
      'entity-sources.yaml': sourcesOf('shop'),
      'a.entity.yaml': graphOf('shop', 'Place Order'),
      'b.entity.yaml': graphOf('"shop"', 'Ship Order'),
    });
    second = await folderWith({
      ...files,
      'entity-sources.yaml': sourcesOf('shop'),
      'c.entity.yaml': graphOf('shop', 'Return Order'),
    });
    const capabilities = { workspace: { workspaceFolders: true } };
    client = await startLspClient({
      folder: first,
      capabilities,
      initializationOptions: { extended: true, trusted: true },
    });
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [{ uri: pathToFileURL(second).href, name: 'second' }], removed: [] },
    });
  });
  after(async () => {
    await client.close();
    await Promise.all([first, second].map(removeFolder));
  });

  it('finds the elements of all folders', async () => {
    const found: SymbolInformation[] = await client.connection.sendRequest('workspace/symbol', { query: 'order' });
    assert.deepEqual(found.map(({ name }) => name).toSorted(), ['Place Order', 'Return Order', 'Ship Order']);
  });

  it('validates each graph with the sources of its own folder', async () => {
    const one = await client.open(`${first}/a.entity.yaml`, graphOf('shop', 'Place Order'));
    const other = await client.open(`${second}/c.entity.yaml`, graphOf('shop', 'Return Order'));
    await client.diagnostics(one, (found) => found.length === 0);
    await client.diagnostics(other, (found) => found.length === 0);
    const sources = await client.open(`${second}/entity-sources.yaml`, sourcesOf('shop'));
    await client.edit(sources, 'shop', 'store');
    await client.diagnostics(other, (found) => found.some(({ code }) => code === 'unknown-data-source'));
    await client.diagnostics(one, (found) => found.length === 0);
    await client.edit(sources, 'store', 'shop');
    await client.diagnostics(other, (found) => found.length === 0);
  });

  it('renames a data source in its file and the graphs that use it, within one folder', async () => {
    const uri = pathToFileURL(`${first}/a.entity.yaml`).href;
    const position = { line: 1, character: 14 };
    const asked = { textDocument: { uri }, position };
    assert.deepEqual(await client.connection.sendRequest('textDocument/prepareRename', asked), {
      range: { start: { line: 1, character: 12 }, end: { line: 1, character: 16 } },
      placeholder: 'shop',
    });
    const edit: WorkspaceEdit = await client.connection.sendRequest('textDocument/rename', {
      ...asked,
      newName: 'store',
    });
    const changes = (edit.documentChanges ?? []).flatMap((change) =>
      'edits' in change
        ? change.edits.map((each) => [change.textDocument.uri.split('/').at(-1), 'newText' in each && each.newText])
        : [],
    );
    assert.deepEqual(changes.toSorted(), [
      ['a.entity.yaml', 'store'],
      ['b.entity.yaml', '"store"'],
      ['entity-sources.yaml', 'store'],
    ]);
    const all = JSON.stringify(edit);
    assert.ok(all.includes(pathToFileURL(first).href) && !all.includes(pathToFileURL(second).href));
    await assert.rejects(
      client.connection.sendRequest('textDocument/rename', { ...asked, newName: ' ' }),
      /needs a name/,
    );
  });

  it('code lenses show the result of the last import', async () => {
    const uri = await client.open(`${first}/b.entity.yaml`, graphOf('"shop"', 'Ship Order'));
    await client.diagnostics(uri, (found) => found.length === 0);
    const titles = async (): Promise<readonly (string | undefined)[]> => {
      const lenses: CodeLens[] = await client.connection.sendRequest('textDocument/codeLens', {
        textDocument: { uri },
      });
      return lenses.filter(({ command }) => command?.command === '').map(({ command }) => command?.title);
    };
    assert.deepEqual(await titles(), []);
    const summary: { status: string } = await client.connection.sendRequest('entityGraph/import', { uri });
    assert.equal(summary.status, 'imported');
    assert.deepEqual(await titles(), ['Last import: 1 event · 1 entity', '1 event · 1 entity']);
  });

  it('links a draft to the canvas in clients that have one', async () => {
    const text = `${graphOf('shop', 'Place Order')}relationships: [{ name: again, source: Place Order, target: Place Order }]\n`;
    const uri = await client.open(`${first}/d.entity.yaml`, text);
    const line = text.split('\n').findIndex((each) => each.startsWith('relationships'));
    const start = { line, character: text.split('\n')[line]?.indexOf('again') ?? 0 };
    const actions: CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics: [], only: ['quickfix'] },
    });
    assert.deepEqual(
      actions.map(({ title, edit, command }) => [title, edit, command?.command, command?.arguments]),
      [['Join its ends on the canvas', undefined, 'entityGraph.openCanvas', [uri]]],
    );
  });

  it('moves a literal secret to the secret storage in clients that have one', async () => {
    const text = 'version: 1\ndataSources:\n  db: { kind: postgresql, database: d, user: u, password: hush }\n';
    const uri = await client.open(`${first}/more/entity-sources.yaml`, text);
    const start = { line: 2, character: text.split('\n')[2]?.indexOf('hush') ?? 0 };
    const actions: CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics: [] },
    });
    assert.deepEqual(
      actions.map(({ title, isPreferred, command }) => [title, isPreferred, command?.command, command?.arguments]),
      [['Move to secret storage as "db"', true, 'entityGraph.setSecret', ['db', 'hush', { uri, dataSource: 'db' }]]],
    );
  });
});

describe('language server: files outside a workspace folder', () => {
  it('renames a data source in its file, in the open graph and its neighbours', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': sourcesOf('shop'),
      'a.entity.yaml': graphOf('shop', 'Place Order'),
      'b.entity.yaml': graphOf('shop', 'Ship Order'),
    });
    const client = await startLspClient({});
    try {
      const uri = await client.open(`${folder}/a.entity.yaml`, graphOf('shop', 'Place Order'));
      await client.diagnostics(uri, () => true);
      const params = { textDocument: { uri }, position: { line: 1, character: 14 }, newName: 'store' };
      const edit: WorkspaceEdit = await client.connection.sendRequest('textDocument/rename', params);
      const changed = (edit.documentChanges ?? []).map((change) => 'textDocument' in change && change.textDocument.uri);
      assert.deepEqual(
        changed.toSorted(),
        ['a.entity.yaml', 'b.entity.yaml', 'entity-sources.yaml'].map(
          (name) => pathToFileURL(`${folder}/${name}`).href,
        ),
      );
    } finally {
      await client.close();
      await removeFolder(folder);
    }
  });
});

describe('language server: nested workspace folders', () => {
  it('lists each graph once, regardless of the folder order', async () => {
    const outer = await folderWith({
      'entity-sources.yaml': sourcesOf('shop'),
      'orders.csv': rows,
      'inner/a.entity.yaml': graphOf('shop', 'Place Order'),
    });
    const inner = join(outer, 'inner');
    const imported = await runCli(['import', 'inner/a.entity.yaml', '--workspace', outer], { cwd: outer });
    assert.equal(imported.code, 0, imported.stderr);
    for (const [first, second] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      const client = await startLspClient({
        folder: first,
        capabilities: { workspace: { workspaceFolders: true } },
        initializationOptions: { extended: true, trusted: true },
      });
      await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
        event: { added: [{ uri: pathToFileURL(second).href, name: 'second' }], removed: [] },
      });
      const uri = pathToFileURL(join(inner, 'a.entity.yaml')).href;
      const alone: GraphStatusView | null = await client.connection.sendRequest('entityGraph/status', { uri });
      const { entities }: EntitiesView = await client.connection.sendRequest('entityGraph/entities', {});
      assert.deepEqual(
        entities.map((entity) => [entity.uri, entity.status]),
        [[uri, alone?.status]],
      );
      await client.close();
    }
    await removeFolder(outer);
  });
});

describe('language server: a sources file above the folder of a graph', () => {
  let outer = '';
  let client: LspClient;
  const graph = graphOf('shop', 'Place Order');
  before(async () => {
    outer = await folderWith({
      'entity-sources.yaml': sourcesOf('shop'),
      'orders.csv': rows,
      'inner/a.entity.yaml': graph,
    });
  });
  afterEach(() => client.close());
  after(() => removeFolder(outer));

  async function openIn(folder: string, added: readonly string[]): Promise<string> {
    client = await startLspClient({ folder, capabilities: { workspace: { workspaceFolders: true } } });
    const event = { added: added.map((each) => ({ uri: pathToFileURL(each).href, name: 'x' })), removed: [] };
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    return client.open(join(outer, 'inner/a.entity.yaml'), graph);
  }

  it('applies if its folder is open, too, in any order', async () => {
    const inner = join(outer, 'inner');
    for (const [first, second] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      const uri = await openIn(first, [second]);
      await client.diagnostics(uri, (found) => found.length === 0);
      if (first === inner) await client.close();
    }
  });

  it('is named where it does not apply, because its folder is not open', async () => {
    const uri = await openIn(join(outer, 'inner'), []);
    const [problem] = await client.diagnostics(uri, (found) => found.length > 0);
    const above = join(outer, 'entity-sources.yaml');
    assert.equal(
      problem?.message,
      `"shop" is not configured: ${above} is above the workspace folder, where the search ends. Open its folder, too; on the command line, name it with --workspace.`,
    );
  });

  it('is named on the command line', async () => {
    for (const command of ['validate', 'import']) {
      const { stdout, stderr } = await runCli([command, 'a.entity.yaml', '--workspace', join(outer, 'inner')], {
        cwd: join(outer, 'inner'),
      });
      assert.match(
        stdout + stderr,
        /entity-sources\.yaml is above the workspace folder, where the search ends/,
        command,
      );
    }
    client = await startLspClient({ folder: outer });
  });
});
