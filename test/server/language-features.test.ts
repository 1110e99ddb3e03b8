import assert from 'node:assert/strict';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeAction,
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  Hover,
  LinkedEditingRanges,
  Location,
  SelectionRange,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensEdit,
  ShowMessageParams,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, messageOf, positionAt, startLspClient } from './lsp-client.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

describe('language server: completion, hover and outline', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let uri: string;
  let text: string;

  before(async () => {
    sample = await copySampleFolder('incidents');
    client = await startLspClient({ folder: sample.folder });
    text = await sample.text('incidents.entity.yaml');
    uri = await client.open(sample.path('incidents.entity.yaml'), text);
    // A wrong column is reported as soon as the columns are known.
    await client.edit(uri, 'startTimestamp: resolved_at', 'startTimestamp: resolved_atx');
    await client.diagnostics(uri, (found) => found.some((problem) => messageOf(problem).includes('resolved_atx')));
    await client.edit(uri, 'startTimestamp: resolved_atx', 'startTimestamp: resolved_at');
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  /** `back` characters before the end of the first occurrence of `word`. */
  const positionIn = (word: string, back: number): { readonly line: number; readonly character: number } =>
    positionAt(text, text.indexOf(word) + word.length - back);

  it('resolves the documentation of a completion item on request', async () => {
    const completionItem = { resolveSupport: { properties: ['documentation'] } };
    const asking = await startLspClient({
      folder: sample.folder,
      capabilities: { textDocument: { completion: { completionItem } } },
    });
    try {
      const own = 'version: 1\n';
      const document = await asking.open(sample.path('asking.entity.yaml'), own);
      const params = { textDocument: { uri: document }, position: { line: 1, character: 0 } };
      const items: CompletionItem[] = await asking.connection.sendRequest('textDocument/completion', params);
      assert.ok(items.length > 0 && items.every(({ documentation }) => documentation === undefined));
      const item = items.find(({ label }) => label === 'dataSource');
      const resolved: CompletionItem = await asking.connection.sendRequest('completionItem/resolve', item);
      const { documentation } = resolved;
      assert.match(typeof documentation === 'object' ? documentation.value : '', /entity-sources\.yaml/);
    } finally {
      await asking.close();
    }
  });

  it('completes columns of the file, replacing the existing text', async () => {
    const position = positionIn('startTimestamp: opened_at', 2);
    const items: CompletionItem[] = await client.connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    const labels = items.map(({ label }) => label);
    for (const column of ['opened_at', 'resolved_at', 'closed_at']) assert.ok(labels.includes(column), labels.join());
    const edit = items.find(({ label }) => label === 'resolved_at')?.textEdit;
    const start = positionIn('startTimestamp: opened_at', 'opened_at'.length);
    assert.deepEqual(edit, {
      newText: 'resolved_at',
      range: { start, end: { line: start.line, character: start.character + 'opened_at'.length } },
    });
  });

  it('hover explains a field', async () => {
    const hover: Hover | null = await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: positionIn('startTimestamp', 3),
    });
    assert.ok(hover);
    assert.deepEqual(hover.range?.start, positionIn('startTimestamp', 'startTimestamp'.length));
  });

  it('hover explains a column', async () => {
    const hover: Hover | null = await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: positionIn('startTimestamp: opened_at', 3),
    });
    assert.match(JSON.stringify(hover?.contents), /opened.*_at.*timestamp/i);
  });

  it('outlines elements and relationships', async () => {
    const symbols: DocumentSymbol[] = await client.connection.sendRequest('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    assert.deepEqual(
      symbols.map(({ name, children }) => [name, children?.map((child) => child.name)]),
      [
        [
          'Elements',
          ['Update Incident', 'Open Incident', 'Resolve Incident', 'Close Incident', 'Contact Service Desk'],
        ],
        ['Relationships', ['reports']],
        [
          'Rules',
          [
            'Urgent incidents are resolved within five days',
            'Incidents are closed after they are resolved',
            'Few incidents are reopened',
            'Every incident has one caller',
          ],
        ],
      ],
    );
  });

  it('completes source kinds', async () => {
    const folder = await folderWith({});
    try {
      const sources = 'version: 1\ndataSources:\n  shop:\n    kind: \n';
      const sourcesUri = await client.open(`${folder}/entity-sources.yaml`, sources);
      const items: CompletionItem[] = await client.connection.sendRequest('textDocument/completion', {
        textDocument: { uri: sourcesUri },
        position: { line: 3, character: 10 },
      });
      const labels = items.map(({ label }) => label);
      for (const kind of ['csv', 'postgresql']) assert.ok(labels.includes(kind), labels.join());
    } finally {
      await removeFolder(folder);
    }
  });
});

describe('language server: navigation and quick fixes', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let uri: string;
  let text: string;

  before(async () => {
    sample = await copySampleFolder('incidents');
    client = await startLspClient({ folder: sample.folder, initializationOptions: { extended: true } });
    text = await sample.text('incidents.entity.yaml');
    uri = await client.open(sample.path('incidents.entity.yaml'), text);
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  const at = (word: string): { textDocument: { uri: string }; position: ReturnType<typeof positionAt> } => ({
    textDocument: { uri },
    position: positionAt(text, text.indexOf(word) + word.length - 2),
  });

  it('goes from a relationship end to its element, and from the data source to its file', async () => {
    const activity: Location | null = await client.connection.sendRequest(
      'textDocument/definition',
      at('target: Open Incident'),
    );
    assert.deepEqual(activity?.range.start, positionAt(text, text.indexOf('Open Incident')));
    // The sources file is searched in the background.
    await client.diagnostics(uri, () => true);
    const source: Location | null = await client.connection.sendRequest(
      'textDocument/definition',
      at('dataSource: log'),
    );
    assert.ok(source?.uri.endsWith('entity-sources.yaml'), JSON.stringify(source));
  });

  it('renames an activity and its uses, and refuses a name in use', async () => {
    const params = at('activityName: Open Incident');
    const edit: WorkspaceEdit = await client.connection.sendRequest('textDocument/rename', {
      ...params,
      newName: 'Start',
    });
    const [change] = edit.documentChanges ?? [];
    assert.ok(change && 'edits' in change);
    // The element, an end of the relationship, and two process rules.
    assert.equal(change.edits.length, 4);
    await assert.rejects(
      client.connection.sendRequest('textDocument/rename', { ...params, newName: 'Close Incident' }),
      /already called "Close Incident"/,
    );
  });

  it('offers quick fixes', async () => {
    await client.edit(uri, 'startTimestamp: resolved_at', 'startTimestmp: resolved_at');
    await client.diagnostics(uri, (found) => found.some((problem) => messageOf(problem).includes('startTimestmp')));
    const position = positionAt(text, text.indexOf('startTimestamp: resolved_at') + 3);
    const actions: CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: position, end: position },
      context: { diagnostics: [] },
    });
    assert.deepEqual(
      actions.filter(({ kind }) => kind === 'quickfix').map(({ title, isPreferred }) => [title, isPreferred]),
      [['Change to "startTimestamp"', true]],
    );
    await client.edit(uri, 'startTimestmp: resolved_at', 'startTimestamp: resolved_at');
  });

  it('answers semantic tokens, selection ranges, document links and linked editing', async () => {
    const tokens: SemanticTokens = await client.connection.sendRequest('textDocument/semanticTokens/full', {
      textDocument: { uri },
    });
    assert.equal(tokens.data.length % 5, 0);
    assert.ok(tokens.data.length > 50);
    const { position } = at('target: Open Incident');
    const [selection]: SelectionRange[] = await client.connection.sendRequest('textDocument/selectionRange', {
      textDocument: { uri },
      positions: [position],
    });
    assert.ok(selection?.parent);
    const linked: LinkedEditingRanges | null = await client.connection.sendRequest(
      'textDocument/linkedEditingRange',
      at('target: Open Incident'),
    );
    assert.equal(linked?.ranges.length, 4);
    const hints: unknown = await client.connection.sendRequest('textDocument/inlayHint', {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
    });
    assert.deepEqual(hints, []);
  });

  it('call hierarchy follows the relationships of an element, also after edits', async () => {
    const [item]: CallHierarchyItem[] = await client.connection.sendRequest(
      'textDocument/prepareCallHierarchy',
      at('target: Open Incident'),
    );
    assert.equal(item?.name, 'Open Incident');
    await client.edit(uri, 'version: 1\n', 'version: 1\n# one line more\n');
    const calls = await Promise.all([
      client.connection.sendRequest<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item }),
      client.connection.sendRequest<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item }),
    ]);
    await client.edit(uri, 'version: 1\n# one line more\n', 'version: 1\n');
    const [incoming, outgoing] = calls;
    assert.deepEqual(
      [incoming.map(({ from }) => from.name), outgoing.map(({ to }) => to.name)],
      [['Contact Service Desk'], []],
    );
    const place = incoming[0]?.fromRanges[0];
    assert.equal(place?.start.line, at('target: Open Incident').position.line + 1);
  });

  it('offers code lenses to clients with our commands', async () => {
    const lenses: CodeLens[] = await client.connection.sendRequest('textDocument/codeLens', { textDocument: { uri } });
    const titles = lenses.map(({ command }) => command?.title);
    assert.deepEqual(titles.slice(0, 4), ['Import', 'Open Canvas', 'Test Query', 'Show Query']);
  });

  it('code lenses are resolved one by one for clients with resolve support, until the next response', async () => {
    const codeLens = { resolveSupport: { properties: ['command'] } };
    const capabilities = { textDocument: { codeLens } };
    const asking = await startLspClient({ folder: sample.folder, capabilities });
    const lenses = (of: LspClient): Promise<CodeLens[]> =>
      of.connection.sendRequest('textDocument/codeLens', { textDocument: { uri } });
    const resolve = (lens: CodeLens): Promise<CodeLens> => asking.connection.sendRequest('codeLens/resolve', lens);
    try {
      await asking.open(sample.path('incidents.entity.yaml'), text);
      const whole = await lenses(client);
      const places = await lenses(asking);
      assert.ok(places.length > 0 && places.every(({ command }) => command === undefined));
      const resolved = await Promise.all(places.map(resolve));
      assert.deepEqual(
        resolved.map(({ range, command }) => ({ range, command })),
        whole,
      );
      assert.deepEqual(await lenses(asking), places, 'a second editor of the same text has the same lenses');
      await asking.edit(uri, 'version: 1\n', 'version: 1\n# one line more\n');
      const [later] = await lenses(asking);
      assert.ok(later);
      assert.equal((await resolve(later)).command?.title, 'Import');
      assert.deepEqual(await resolve(places[0]!), places[0], 'a lens of an outdated text stays as it is');
    } finally {
      await asking.close();
    }
  });

  it('semantic tokens of a changed text are returned as a delta to the previous response', async () => {
    const about = { textDocument: { uri } };
    const full = (): Promise<SemanticTokens> =>
      client.connection.sendRequest('textDocument/semanticTokens/full', about);
    const since = (previousResultId = ''): Promise<SemanticTokens | SemanticTokensDelta> =>
      client.connection.sendRequest('textDocument/semanticTokens/full/delta', { ...about, previousResultId });
    const before = await full();
    const { edits } = (await since(before.resultId)) as SemanticTokensDelta;
    assert.deepEqual(edits, [], 'nothing changed');
    const changes = [
      ['version: 1\n', 'version: 1\n# one line more\n'],
      ['# one line more\n', ''],
      ['target: Open Incident', 'target: Open'],
      ['target: Open', 'target: Open Incident'],
    ] as const;
    let last = await full();
    for (const [from, to] of changes) {
      await client.edit(uri, from, to);
      const delta = await since(last.resultId);
      assert.ok('edits' in delta && delta.edits.length === 1, `${to}: one edit`);
      const [{ start, deleteCount, data: added = [] }] = delta.edits as [SemanticTokensEdit];
      const data = last.data.toSpliced(start, deleteCount, ...added);
      assert.ok(deleteCount + added.length < last.data.length / 2, 'less than half is sent');
      last = await full();
      assert.deepEqual(data, last.data, to);
    }
    const unknown = await since('other');
    assert.ok('data' in unknown, 'all tokens follow an answer that is not the last one');
    assert.deepEqual(unknown.data, last.data);
  });
});

describe('language server: formatting and code actions', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let uri: string;
  const messy =
    'version: 1\nname: Messy  \ndataSource: log\ndataObjects: [incident_event_log]\nelements:\n- activityName: Open\n  dataObject: incident_event_log\n  key: number\n  startTimestamp: opened_a\n  properties: [state, number]\n';

  before(async () => {
    sample = await copySampleFolder('incidents');
    client = await startLspClient({ folder: sample.folder });
    uri = await client.open(sample.path('messy.entity.yaml'), messy);
    await client.diagnostics(uri, (found) => found.some((problem) => messageOf(problem).includes('opened_a')));
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  const ask = <T>(method: string, params: object): Promise<T> =>
    client.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...params });
  const options = { tabSize: 2, insertSpaces: true };

  it('formats a file, a range, and a new line', async () => {
    const all = await ask<TextEdit[]>('formatting', { options });
    assert.equal(
      TextDocument.applyEdits(TextDocument.create(uri, '', 1, messy), all),
      messy.replace('Messy  ', 'Messy').replace(/^(- | {2})/gm, '  $1'),
    );
    const lines = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
    const some = await ask<TextEdit[]>('rangeFormatting', { options, range: lines });
    assert.deepEqual(
      some.map(({ range }) => range.start.line),
      [1],
    );
    const position = { line: 6, character: 0 };
    assert.deepEqual(await ask('onTypeFormatting', { options, ch: '\n', position }), []);
  });

  it('resolves a refactoring on request, for the text in which it was offered', async () => {
    const resolving = await startLspClient({
      folder: sample.folder,
      capabilities: { textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } } },
    });
    try {
      const own = `version: 1
elements:
  - activityName: Open
    properties: [b, a]
`;
      const document = await resolving.open(sample.path('resolved.entity.yaml'), own);
      const at = { line: 3, character: 6 };
      const offered: CodeAction[] = await resolving.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri: document },
        range: { start: at, end: at },
        context: { diagnostics: [] },
      });
      const sort = offered.find(({ title }) => title === 'Sort the properties');
      assert.ok(sort);
      assert.equal(sort.edit, undefined);
      const resolved: CodeAction = await resolving.connection.sendRequest('codeAction/resolve', sort);
      const [change] = resolved.edit?.documentChanges ?? [];
      const edits = change && 'edits' in change ? (change.edits as TextEdit[]) : [];
      assert.equal(
        TextDocument.applyEdits(TextDocument.create(document, '', 1, own), edits),
        own.replace('[b, a]', '[a, b]'),
      );
      await resolving.edit(document, 'Open', 'Reopen');
      const message = resolving.notification<ShowMessageParams>('window/showMessage', () => true);
      assert.deepEqual(await resolving.connection.sendRequest('codeAction/resolve', sort), sort);
      assert.equal(
        (await message).message,
        'The text has changed since "Sort the properties" was offered. Ask for the actions again.',
      );
    } finally {
      await resolving.close();
    }
  });

  it('offers code actions as edits without resolve support, and fix all', async () => {
    const at = { line: 5, character: 4 };
    const actions = await ask<CodeAction[]>('codeAction', {
      range: { start: at, end: at },
      context: { diagnostics: [] },
    });
    const sort = actions.find(({ title }) => title === 'Sort the properties');
    assert.equal(sort?.kind, 'refactor.rewrite');
    assert.ok(sort.edit);
    const [all] = await ask<CodeAction[]>('codeAction', {
      range: { start: at, end: at },
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    const [change] = all?.edit?.documentChanges ?? [];
    assert.deepEqual(change && 'edits' in change ? change.edits.map((edit) => 'newText' in edit && edit.newText) : [], [
      'opened_at',
    ]);
  });

  it('fixes all in a sources file', async () => {
    const text = 'version: 1\ndataSources:\n  a: { kind: csv, pth: x.csv, timeZone: Europe/Berln }\n';
    const sources = await client.open(`${sample.folder}/more/entity-sources.yaml`, text);
    const at = { line: 0, character: 0 };
    const [all] = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: sources },
      range: { start: at, end: at },
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    const [change] = all?.edit?.documentChanges ?? [];
    const edits = change && 'edits' in change ? (change.edits as TextEdit[]) : [];
    assert.equal(
      TextDocument.applyEdits(TextDocument.create(sources, '', 1, text), edits),
      'version: 1\ndataSources:\n  a: { kind: csv, path: x.csv, timeZone: Europe/Berlin }\n',
    );
  });

  it('finds elements and rules in all files of the folder', async () => {
    const found = await client.connection.sendRequest<SymbolInformation[]>('workspace/symbol', { query: 'open' });
    assert.deepEqual(
      found.map(({ name, containerName }) => [name, containerName]),
      [
        ['Open Incident', 'Incident management'],
        ['Few incidents are reopened', 'Incident management'],
      ],
    );
  });
});
