import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type {
  ClientCapabilities,
  CodeAction,
  Command,
  CompletionItem,
  CompletionList,
  Diagnostic,
  DocumentSymbol,
  Hover,
  InitializeParams,
  Location,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { answerForms } from './answer-forms.ts';
import { type LspClient, messageOf, positionAt, startLspClient } from './lsp-client.ts';

/** An editor, with what it sends in `initialize`; recorded, or transcribed from its source. */
interface EditorFacts {
  readonly client: string;
  readonly version: string;
  readonly origin: Readonly<Record<string, string>>;
  readonly folders: 'workspaceFolders' | 'rootUri' | 'none';
  readonly capabilities: ClientCapabilities;
}

const place = new URL('clients/', import.meta.url);
const recorded = readdirSync(place).map(
  (name) => JSON.parse(readFileSync(new URL(name, place), 'utf8')) as EditorFacts,
);
const named = (client: string, capabilities: ClientCapabilities, folders: EditorFacts['folders']): EditorFacts => ({
  ...{ client, version: '', origin: { how: 'made' }, folders, capabilities },
});
/** Those with the fewest and other forms than any editor that was recorded. */
const made: readonly EditorFacts[] = [
  named('an editor that declares nothing', {}, 'rootUri'),
  named('an editor that declares nothing, without a folder', {}, 'none'),
  named('an editor that applies commands only', { workspace: { applyEdit: true } }, 'rootUri'),
  named(
    'an editor with few kinds of names and lines as they are',
    {
      textDocument: {
        hover: { contentFormat: ['plaintext', 'markdown'] },
        completion: { completionItem: { snippetSupport: true, insertTextModeSupport: { valueSet: [1] } } },
        foldingRange: { rangeLimit: 2, lineFoldingOnly: true, foldingRangeKind: { valueSet: [] } },
        semanticTokens: {
          ...{ requests: { full: true }, tokenModifiers: [], formats: ['relative'] },
          tokenTypes: ['property', 'string', 'class'],
        },
      },
    },
    'rootUri',
  ),
];

const sources = 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n';
const graph = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  # Orders of the web shop.
  # They come in at night.
  - activityName: Place Order
    dataObject: orders
    key: order_id
    startTimestamp: placed_at
  - activityName: Win Customer
    dataObject: customers
    key: customer_id
    startTimestamp: sinse
  - 
relationships:
  - name: bought by
    source: Place Order
    target: Win Customer
    mappings: [{ source: customer_id, target: customer_id }]
  - name: bought by
    source: Place Order
    target: Win Customer
    mappings: [{ source: customer_id, target: customer_id }]
`;

for (const { client: editor, version, folders, capabilities } of [...recorded, ...made]) {
  describe(`language server for ${editor} ${version}`.trim(), () => {
    let folder = '';
    let client: LspClient;
    let uri = '';
    const requested: { readonly method: string; readonly params: unknown }[] = [];
    const forms = () => answerForms(capabilities, client.initialized);

    before(async () => {
      folder = await folderWith({
        'entity-sources.yaml': sources,
        'shop.entity.yaml': graph,
        'orders.csv': 'order_id,customer_id,placed_at\n1,7,2024-01-01 10:00:00\n',
        'customers.csv': 'customer_id,since\n7,2023-01-01 10:00:00\n',
      });
      const rootUri = folders === 'none' ? null : pathToFileURL(folder).href;
      const workspaceFolders = folders === 'workspaceFolders' && rootUri ? [{ uri: rootUri, name: 'shop' }] : undefined;
      const declared: Pick<InitializeParams, 'capabilities' | 'rootUri' | 'workspaceFolders'> = {
        capabilities,
        rootUri,
      };
      const remember = (method: string) => (params: unknown) => {
        requested.push({ method, params });
        return method === 'workspace/configuration'
          ? [null]
          : method === 'workspace/applyEdit'
            ? { applied: true }
            : null;
      };
      const answers = Object.fromEntries(serverRequests.map((method) => [method, remember(method)]));
      client = await startLspClient({
        folder,
        answers,
        declared: workspaceFolders ? { ...declared, workspaceFolders } : declared,
      });
      uri = await client.open(`${folder}/shop.entity.yaml`, graph);
      await problems((all) => all.some((each) => messageOf(each).includes('sinse')));
    });
    after(async () => {
      await client.close();
      await removeFolder(folder);
    });

    /** The problems, pushed or asked for, until they are those wanted. */
    async function problems(wanted: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> {
      if (!capabilities.textDocument?.diagnostic) return client.diagnostics(uri, wanted);
      for (;;) {
        const { items } = await ask<{ readonly items: readonly Diagnostic[] }>('textDocument/diagnostic');
        if (wanted(items)) return items;
      }
    }

    const ask = <T>(method: string, params: object = {}): Promise<T> =>
      client.connection.sendRequest(method, { textDocument: { uri }, ...params });
    const at = (words: string, back = 1) => ({
      position: positionAt(graph, graph.indexOf(words) + words.length - back),
    });
    const everything = { range: { start: { line: 0, character: 0 }, end: { line: 50, character: 0 } } };
    const actions = () =>
      ask<(CodeAction | Command)[]>('textDocument/codeAction', { ...everything, context: { diagnostics: [] } });

    /** The text after the edit of the document. */
    function edited({ documentChanges, changes }: WorkspaceEdit): string {
      const own =
        documentChanges?.flatMap((each) =>
          'edits' in each && each.textDocument.uri === uri ? (each.edits as TextEdit[]) : [],
        ) ?? changes?.[uri];
      return TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 1, graph), own ?? []);
    }

    it('announces what the editor can use', () => {
      assert.deepEqual(forms().server(client.initialized), []);
    });

    it('explains names and fields', async () => {
      for (const words of ['key: order_id', 'dataObject', 'dataSource: shop', 'bought by', 'dataObject: orders']) {
        const hover = await ask<Hover | null>('textDocument/hover', at(words));
        assert.deepEqual(forms().hover(hover), [], words);
      }
    });

    it('completes fields, names and whole entries, with their documentation', async () => {
      for (const words of ['\n  - ', 'key: order_id', '    dataObject', 'source: customer_id', 'dataObject: orders']) {
        const position = words === '\n  - ' ? positionAt(graph, graph.indexOf('  - \n') + 4) : at(words).position;
        const answer = await ask<CompletionItem[] | CompletionList>('textDocument/completion', { position });
        const items = 'items' in answer ? answer.items : answer;
        assert.ok(items.length > 0, words);
        assert.deepEqual(forms().completion(answer), [], words);
        const [item] = items.filter(({ label }) =>
          ['New element', 'order_id', 'dataObject', 'customer_id', 'orders'].includes(label),
        );
        assert.ok(item, words);
        const resolves = client.initialized.capabilities.completionProvider?.resolveProvider === true;
        const resolved: CompletionItem = resolves
          ? await client.connection.sendRequest('completionItem/resolve', item)
          : item;
        assert.ok(resolved.documentation, `${words}: ${JSON.stringify(resolved)}`);
        assert.deepEqual(
          forms()
            .completion([{ ...resolved, data: undefined } as CompletionItem])
            .filter((each) => !each.startsWith('textEditText')),
          [],
        );
      }
    });

    it('inserts a whole entry as valid YAML', async () => {
      const offset = graph.indexOf('  - \n') + 4;
      const position = positionAt(graph, offset);
      const answer = await ask<CompletionItem[] | CompletionList>('textDocument/completion', { position });
      const list = 'items' in answer ? answer : { items: answer, itemDefaults: undefined };
      const item = list.items.find(({ label }) => label === 'New element');
      assert.ok(item);
      const range = item.textEdit && 'range' in item.textEdit ? item.textEdit.range : list.itemDefaults?.editRange;
      assert.deepEqual(range, { start: position, end: position });
      const mode = item.insertTextMode ?? capabilities.textDocument?.completion?.insertTextMode ?? 1;
      const text = item.textEdit?.newText ?? item.textEditText ?? '';
      const written = (mode === 2 ? text.replaceAll('\n', '\n  ') : text).replaceAll(/\$\{?\d\}?/g, '');
      const { parseYaml } = await import('../../server/src/model/yaml-text.ts');
      const whole = graph.slice(0, offset) + written + graph.slice(offset);
      const { document } = parseYaml(whole);
      assert.deepEqual(document.errors, [], whole);
      const entry: unknown = document.getIn(['elements', 2], true);
      assert.deepEqual(JSON.parse(JSON.stringify(entry)), {
        activityName: null,
        dataObject: null,
        startTimestamp: null,
      });
    });

    it('lists symbols', async () => {
      const symbols = await ask<(DocumentSymbol | SymbolInformation)[]>('textDocument/documentSymbol');
      assert.deepEqual(forms().symbols(symbols), []);
      assert.match(JSON.stringify(symbols), /Place Order.*bought by/);
      if (folders === 'none') return;
      assert.deepEqual(forms().workspaceSymbols(await ask('workspace/symbol', { query: 'Order' })), []);
    });

    it('sends problems with related locations', async () => {
      const all = await problems((each) => each.some((one) => messageOf(one).includes('bought by')));
      assert.deepEqual(forms().diagnostics(all), []);
      const twice = all.find((each) => /^duplicate/.test(String(each.code)));
      const places = twice?.relatedInformation?.map(({ location }) => location.range.start.line + 1);
      const line = graph.slice(0, graph.indexOf('name: bought by')).split('\n').length;
      assert.match(places ? `Line ${places.join()}: ` : messageOf(twice), new RegExp(`Line ${line}: `));
    });

    it('offers fixes that can be applied', async () => {
      const all = await actions();
      assert.deepEqual(forms().codeActions(all), []);
      const fix = all.find(({ title }) => title.includes('since'));
      if (!capabilities.textDocument?.codeAction?.codeActionLiteralSupport && !capabilities.workspace?.applyEdit)
        return assert.deepEqual(all, []);
      assert.ok(fix, all.map(({ title }) => title).join());
      if (typeof fix.command !== 'string')
        return assert.equal(edited((fix as CodeAction).edit ?? {}), graph.replace('sinse', 'since'));
      const { command, arguments: args } = fix as Command;
      assert.equal(await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args }), null);
      const { params } = requested.find(({ method }) => method === 'workspace/applyEdit') ?? {};
      const { edit } = params as { readonly edit: WorkspaceEdit };
      assert.deepEqual(forms().edit(edit), []);
      assert.equal(edited(edit), graph.replace('sinse', 'since'));
    });

    it('renames', async () => {
      const renamed = await ask<WorkspaceEdit>('textDocument/rename', { ...at('name: bought by'), newName: 'of' });
      assert.deepEqual(forms().edit(renamed), []);
      const source = await ask<WorkspaceEdit>('textDocument/rename', { ...at('dataSource: shop'), newName: 'store' });
      assert.deepEqual(forms().edit(source), []);
      assert.equal(edited(source).includes('dataSource: store'), true);
    });

    it('answers about places', async () => {
      const definition = await ask<Location | null>('textDocument/definition', at('target: Win Customer'));
      assert.equal(definition?.uri, uri);
      assert.deepEqual(forms().links(await ask('textDocument/documentLink')), []);
      assert.deepEqual(forms().folding(await ask('textDocument/foldingRange')), []);
      assert.deepEqual(forms().tokens(await ask('textDocument/semanticTokens/full')), []);
    });

    it('asks only what the editor answers', () => {
      for (const { method } of requested) assert.deepEqual(forms().request(method), []);
    });
  });
}

/** All requests that a server may send. */
const serverRequests: readonly string[] = [
  'workspace/configuration',
  'workspace/applyEdit',
  'workspace/workspaceFolders',
  'workspace/codeLens/refresh',
  'workspace/inlayHint/refresh',
  'workspace/semanticTokens/refresh',
  'workspace/diagnostic/refresh',
  'client/registerCapability',
  'client/unregisterCapability',
  'window/workDoneProgress/create',
  'window/showDocument',
  'window/showMessageRequest',
];

describe('recorded editors', () => {
  it('say where their facts are from', () => {
    assert.equal(recorded.length, 8);
    for (const { client, version, origin } of recorded) {
      assert.ok(client !== '' && version !== '');
      if (origin['how'] === 'transcribed') assert.match(String(origin['commit']), /^[0-9a-f]{40}$/, client);
      else assert.ok(origin['how'] === 'recorded' && origin['package'], client);
    }
  });
});
