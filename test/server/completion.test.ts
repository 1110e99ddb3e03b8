import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  CompletionTriggerKind,
  InsertTextFormat,
} from 'vscode-languageserver-protocol/node';
import { csvSources } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';

const sources = 'version: 1\ndataSources:\n  shop:\n    kind: postgresql\n    user: x\n    password: ${\n';
const graph = 'version: 1\ndataSource: shop\nelements:\n  - activityName: A\n    dataObject: orders\n    where: x\n';

describe('language server: completion', () => {
  let folder: string;
  let client: LspClient;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': sources,
      'more/entity-sources.yaml':
        'version: 1\ndataSources:\n  other: { kind: postgresql, user: "${env:OTHER_USER}", password: "${secret:other}" }\n',
    });
    client = await startLspClient({
      folder,
      env: { ENTITY_GRAPH_SECRET_BILLING: 'hush', PLAIN_VARIABLE: 'hush' },
    });
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const complete = (uri: string, text: string, behind: string, sign?: string): Promise<CompletionItem[]> =>
    client.connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position: positionAt(text, text.indexOf(behind) + behind.length),
      context: sign
        ? { triggerKind: CompletionTriggerKind.TriggerCharacter, triggerCharacter: sign }
        : { triggerKind: CompletionTriggerKind.Invoked },
    });

  it('declares its trigger characters', () => {
    const signs = client.initialized.capabilities.completionProvider?.triggerCharacters ?? [];
    for (const sign of [' ', '.', '(', '$', '{', ':']) assert.ok(signs.includes(sign), sign);
  });

  it('offers secret names from all sources files and the environment, never values', async () => {
    const uri = await client.open(join(folder, 'entity-sources.yaml'), sources);
    const items = await waitUntil('the other file has been read', async () => {
      const found = await complete(uri, sources, 'password: ${', '{');
      return found.some(({ label }) => label === '${secret:other}') ? found : undefined;
    });
    const labels = items.map(({ label }) => label);
    for (const label of ['${secret:shop}', '${secret:billing}', '${env:OTHER_USER}', '${env:PLAIN_VARIABLE}']) {
      assert.ok(labels.includes(label), label);
    }
    assert.ok(!JSON.stringify(items).includes('hush'));
  });

  it('offers SQL in a value just started, without a catalog', async () => {
    const uri = await client.open(join(folder, 'a.entity.yaml'), graph);
    // The sources file is searched in the background.
    await client.diagnostics(uri, () => true);
    const empty = graph.replace('where: x', 'where: ');
    await client.edit(uri, 'where: x', 'where: ');
    const found: CompletionItem[] | CompletionList = await complete(uri, empty, 'where: ', ' ');
    // Incomplete while the data source is being read.
    const labels = (Array.isArray(found) ? found : (found as CompletionList).items).map(({ label }) => label);
    for (const label of ['to_char', 'CASE', 'coalesce']) assert.ok(labels.includes(label), labels.join());
  });

  it('limits very long lists, and refines them while typing', async () => {
    const names = Array.from(
      { length: 300 },
      (_, index) => `  - { activityName: Step ${index}, dataObject: orders }\n`,
    );
    const text = `elements:\n${names.join('')}relationships:\n  - source: S\n    target: Step 1\n`;
    const uri = await client.open(join(folder, 'many.entity.yaml'), text);
    const listAt = async (typed: string): Promise<CompletionList> =>
      (await complete(uri, text.replace('source: S', typed), typed)) as unknown as CompletionList;
    const some = await listAt('source: S');
    assert.equal(some.isIncomplete, true);
    assert.equal(some.items.length, 200);
    await client.edit(uri, 'source: S', 'source: Step 299');
    const { items } = await listAt('source: Step 299');
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Step 299'],
    );
    const resolved: CompletionItem = await client.connection.sendRequest('completionItem/resolve', items[0]);
    assert.equal(resolved.label, 'Step 299');
  });

  it('sends item defaults to clients that support them', async () => {
    const capabilities = {
      textDocument: {
        completion: {
          completionItem: { snippetSupport: true, resolveSupport: { properties: ['documentation'] } },
          completionList: { itemDefaults: ['editRange', 'insertTextFormat'] },
        },
      },
    };
    const editor = await startLspClient({ folder, capabilities });
    try {
      const text = `elements:
  - { activityName: Win, dataObject: orders }
  - { activityName: 'Win: again', dataObject: orders }
relationships:
  - source: W
    target: Win
  `;
      const uri = await editor.open(join(folder, 'defaults.entity.yaml'), text);
      const textDocument = { uri };
      const position = { line: 4, character: 13 };
      const list = await editor.connection.sendRequest<CompletionList>('textDocument/completion', {
        ...{ textDocument, position },
      });
      assert.deepEqual(list, {
        isIncomplete: false,
        itemDefaults: {
          editRange: { start: { line: 4, character: 12 }, end: position },
          insertTextFormat: InsertTextFormat.PlainText,
        },
        items: [
          { label: 'Win', kind: CompletionItemKind.Event, detail: 'orders', sortText: '00000' },
          {
            ...{ label: 'Win: again', kind: CompletionItemKind.Event, detail: 'orders', sortText: '00001' },
            textEditText: "'Win: again'",
          },
        ],
      });
      const keys = await editor.connection.sendRequest<CompletionList>('textDocument/completion', {
        ...{ textDocument, position: { line: 6, character: 2 } },
      });
      const snippet = keys.items.find(({ insertTextFormat }) => insertTextFormat === InsertTextFormat.Snippet);
      assert.ok(snippet, 'a snippet says that it is one');
      const described = keys.items.find(({ data }) => data !== undefined);
      assert.ok(described && described.documentation === undefined);
      const resolved = await editor.connection.sendRequest<CompletionItem>('completionItem/resolve', described);
      assert.notEqual(resolved.documentation, undefined);
    } finally {
      await editor.close();
    }
  });

  it('returns nothing after characters that start no reference', async () => {
    const uri = await client.open(join(folder, 'b.entity.yaml'), graph.replace('where: x', 'where:'));
    assert.deepEqual(await complete(uri, graph, 'where:', ':'), []);
    assert.ok((await complete(uri, graph, 'where:')).length > 0);
  });
});

describe('entity-graph complete', () => {
  it('lists what the language server offers an editor without snippets', async () => {
    const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: placed
    where: amount > 1
relationships:
  - source: Place Order
    target: Place Order
`;
    const folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': text,
      'orders.csv': 'id,placed,amount\n1,2024-01-01,10\n',
    });
    const path = join(folder, 'shop.entity.yaml');
    const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: 'shop' }];
    const rootUri = workspaceFolders[0]?.uri ?? null;
    const client = await startLspClient({ folder, declared: { capabilities: {}, rootUri, workspaceFolders } });
    try {
      const uri = await client.open(path, text);
      for (const behind of [
        'key: ',
        'dataObject: ',
        'where: am',
        'placed\n    ',
        'source: ',
        'dataObjects: [',
        'relationships:\n',
      ]) {
        const { line, character } = positionAt(text, text.indexOf(behind) + behind.length);
        const words = ['complete', path, '--line', String(line), '--character', String(character), '--format', 'json'];
        const { stdout } = await runCommand(words, folder);
        const { items } = JSON.parse(stdout) as { items: { label: string; insertText: string; range: object }[] };
        assert.notEqual(items.length, 0, behind);
        const expected = items.map(({ label, insertText, range }) => [label, insertText, range]);
        // The catalog is read after the file is opened.
        const offered = await waitUntil(behind, async () => {
          const answer: CompletionItem[] | CompletionList = await client.connection.sendRequest(
            'textDocument/completion',
            { textDocument: { uri }, position: { line, character } },
          );
          const list = Array.isArray(answer) ? answer : answer.items;
          if (list.some(({ kind }) => kind === CompletionItemKind.Text)) return undefined;
          return list.map(({ label, textEdit }) => [
            label,
            textEdit?.newText,
            textEdit && ('range' in textEdit ? textEdit.range : undefined),
          ]);
        });
        assert.deepEqual(offered, expected, behind);
      }
    } finally {
      await client.close();
      await removeFolder(folder);
    }
  });
});
