import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  DocumentDiagnosticReport,
  PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, messageOf, startLspClient } from './lsp-client.ts';

const sources = `version: 1
dataSources:
  files: { kind: csv, path: '*.csv' }
`;
const graph = `version: 1
name: Orders
dataSource: files
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed_at
`;
const rows = 'id,placed_at\n1,2024-01-01 10:00:00\n2,2024-01-02 10:00:00\n';

const codes = (diagnostics: readonly { readonly code?: string | number }[]): readonly unknown[] =>
  diagnostics.map(({ code }) => code);

/** The next pushed problems of a document, which reflect all changes around it. */
async function whatIsPushedNext(client: LspClient, uri: string): Promise<PublishDiagnosticsParams['diagnostics']> {
  const method = 'textDocument/publishDiagnostics';
  const pushed = (): readonly PublishDiagnosticsParams[] =>
    client.received<PublishDiagnosticsParams>(method).filter((params) => params.uri === uri);
  const before = pushed().length;
  await client.notification(method, () => pushed().length > before);
  return pushed()[before]?.diagnostics ?? [];
}

describe('language server: diagnostics', () => {
  let folder: string;
  let client: LspClient | undefined;

  beforeEach(async () => {
    folder = await folderWith({ 'entity-sources.yaml': sources, 'orders.csv': rows, 'orders.entity.yaml': graph });
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await removeFolder(folder);
  });

  it('reports no problem in a valid file once its columns are known', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph);
    await client.edit(uri, 'placed_at', 'placed_att');
    const [problem, ...others] = await client.diagnostics(uri, (found) => found.length > 0);
    assert.deepEqual(others, []);
    assert.match(messageOf(problem), /placed_att/);
    assert.match(messageOf(problem), /placed_at\b/);
    assert.deepEqual(problem?.range, { start: { line: 8, character: 20 }, end: { line: 8, character: 30 } });
    await client.edit(uri, 'placed_att', 'placed_at');
    await client.diagnostics(uri, (found) => found.length === 0);
  });

  it('reports invalid YAML at its position', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, `${graph}  : [`);
    const found = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    assert.deepEqual([...new Set(codes(found))], ['yaml-syntax']);
    assert.ok(found.every(({ source, severity }) => source === 'entity-graph' && severity === 1));
  });

  it('accepts an empty document', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, '');
    await client.diagnostics(uri, () => true);
  });

  it('validates sources files', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/entity-sources.yaml`, sources);
    await client.edit(uri, "kind: csv, path: '*.csv'", 'kind: postgresql, host: h, database: d, user: u, password: p');
    const found = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    assert.deepEqual(codes(found), ['literal-secret']);
  });

  it('offers to send the client of an OAuth login in the other way', async () => {
    client = await startLspClient({ folder });
    const text =
      'version: 1\ndataSources:\n  api:\n    kind: rest\n    baseUrl: https://api.example\n    auth:\n      kind: oauth2\n      grant: client_credentials\n      clientId: me\n      clientSecret: "${secret:api}"\n      tokenUrl: https://api.example/token\n    endpoints: [{ name: orders, path: /orders }]\n';
    const uri = await client.open(`${folder}/entity-sources.yaml`, text);
    const { connection } = client;
    const actionsAt = (line: number): Promise<CodeAction[]> =>
      connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: { line, character: 8 }, end: { line, character: 8 } },
        context: { diagnostics: [] },
      });
    const [action, ...others] = await actionsAt(8);
    assert.deepEqual([action?.kind, others.length], ['quickfix', 0]);
    assert.match(JSON.stringify(action?.edit), /clientAuthentication: basic/);
    assert.deepEqual(await actionsAt(4), []);
  });

  it('validates graphs again when the sources file changes in the editor or on disk', async () => {
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    const answers = { 'client/registerCapability': () => null };
    client = await startLspClient({ folder, capabilities, answers });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph);
    await client.diagnostics(uri, (found) => found.length === 0);
    const sourcesUri = await client.open(`${folder}/entity-sources.yaml`, sources);
    await client.edit(sourcesUri, 'files:', 'archive:');
    assert.deepEqual(codes(await client.diagnostics(uri, (found) => found.length > 0)), ['unknown-data-source']);
    // Closing it discards the edit: the file on disk counts again.
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: sourcesUri } });
    await client.diagnostics(uri, (found) => found.length === 0);

    await writeFile(`${folder}/entity-sources.yaml`, sources.replace('files:', 'other:'));
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: sourcesUri, type: 2 }],
    });
    assert.deepEqual(codes(await client.diagnostics(uri, (found) => found.length > 0)), ['unknown-data-source']);
  });

  it('keeps problems that depend on the sources file while it is being edited', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph.replace('key: id', 'key: idd'));
    await client.diagnostics(uri, (found) => codes(found).includes('unknown-column'));
    const sourcesUri = await client.open(`${folder}/entity-sources.yaml`, sources);
    await whatIsPushedNext(client, uri);
    await client.edit(sourcesUri, 'dataSources:\n', 'dataSources:\n  more: { kind: \n');
    const sent = await whatIsPushedNext(client, uri);
    assert.deepEqual(codes(sent), ['unknown-column']);
    // Also of a graph opened now, from the disk.
    const other = await client.open(`${folder}/other.entity.yaml`, graph.replace('key: id', 'key: idd'));
    await client.diagnostics(other, (found) => codes(found).join() === 'unknown-column');
    await client.edit(sourcesUri, '  more: { kind: \n', '  more: { kind: csv, path: "*.csv" }\n');
    await client.edit(sourcesUri, 'files:', 'archive:');
    await client.diagnostics(uri, (found) => codes(found).join() === 'unknown-data-source');
  });

  it('notices changed columns of a file on disk', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph.replace('key: id', 'key: number'));
    await client.diagnostics(uri, (found) => codes(found).includes('unknown-column'));
    await writeFile(`${folder}/orders.csv`, rows.replace('id', 'number'));
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: pathToFileURL(`${folder}/orders.csv`).href, type: 2 }],
    });
    await client.diagnostics(uri, (found) => found.length === 0);
  });

  it('explains why names are not validated when a source cannot be read', async () => {
    await writeFile(`${folder}/entity-sources.yaml`, sources.replace('*.csv', 'nowhere/*.csv'));
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph);
    const [found] = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    assert.deepEqual(
      [found?.code, found?.severity, found?.range.start],
      ['catalog-unknown', 3, { line: 2, character: 12 }],
    );
    assert.match(messageOf(found), /^Names and types are not checked: .*nowhere/);
  });

  it('contacts no source in an untrusted workspace until it is trusted', async () => {
    client = await startLspClient({ folder, initializationOptions: { trusted: false } });
    const wrong = graph.replace('startTimestamp: placed_at', 'startTimestamp: nothing_like_it');
    const uri = await client.open(`${folder}/orders.entity.yaml`, wrong);
    const [untrusted, ...none] = await client.diagnostics(uri, (found) => found.length > 0);
    assert.deepEqual([untrusted?.code, untrusted?.severity, none], ['catalog-unknown', 3, []]);
    assert.match(messageOf(untrusted), /not trusted\. Trust it to read the tables of "files"/);
    const target = { kind: 'element', name: 'Place Order' };
    const refused = ['testQuery', 'showQuery', 'refreshCatalog', 'eventGraph', 'graphDiff', 'delete'];
    for (const method of refused.map((name) => `entityGraph/${name}`)) {
      const params = { uri, target, question: 'overview', params: {}, dropTables: true };
      const outcome: { error?: { code: string } } = await client.connection.sendRequest(method, params);
      assert.equal(outcome.error?.code, 'workspace-untrusted', method);
    }
    await client.connection.sendNotification('entityGraph/trustChanged', { trusted: true });
    await client.diagnostics(uri, (found) => found.length === 1 && messageOf(found[0]).includes('nothing_like_it'));
  });

  it('answers pull requests, and asks clients to refresh', async () => {
    let refreshed: (() => void) | undefined;
    const asksAgain = new Promise<void>((resolve) => (refreshed = resolve));
    client = await startLspClient({
      folder,
      capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
      answers: { 'workspace/diagnostic/refresh': () => (refreshed?.(), null) },
    });
    assert.deepEqual(client.initialized.capabilities.diagnosticProvider, {
      identifier: 'entity-graph',
      interFileDependencies: true,
      workspaceDiagnostics: false,
    });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph.replace('key: id', 'key: idd'));
    await asksAgain;
    for (;;) {
      const report: DocumentDiagnosticReport = await client.connection.sendRequest('textDocument/diagnostic', {
        textDocument: { uri },
      });
      assert.equal(report.kind, 'full');
      if (report.kind === 'full' && report.items.length > 0) {
        assert.match(messageOf(report.items[0]), /idd/);
        break;
      }
    }
  });

  it('a pull request overtaken by typing is answered with the problems after the pause', async () => {
    client = await startLspClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph);
    const ask = async (): Promise<readonly unknown[]> => {
      const params = { textDocument: { uri } };
      const report = await client?.connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', params);
      return report?.kind === 'full' ? codes(report.items) : ['no full report'];
    };
    assert.deepEqual(await ask(), []);
    const written = [client.edit(uri, 'key: id', 'key: [id'), ask(), client.edit(uri, 'key: [id', 'keyy: id'), ask()];
    const [first, last] = (await Promise.all(written)).filter(Boolean);
    assert.deepEqual(last, ['schema-unknown-property']);
    // On a busy machine the server may answer the first request before it reads the second edit.
    if (JSON.stringify(first) !== '["yaml-syntax"]') assert.deepEqual(first, ['schema-unknown-property']);
    await client.edit(uri, 'keyy: id', 'key: id');
    assert.deepEqual(await ask(), []);
  });

  it('clears the problems of a closed document', async () => {
    client = await startLspClient({ folder });
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph.replace('version: 1', 'version: ['));
    await client.diagnostics(uri, (found) => found.length > 0);
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await client.notification<{ uri: string; version?: number; diagnostics: unknown[] }>(
      'textDocument/publishDiagnostics',
      (params) => params.uri === uri && params.version === undefined && params.diagnostics.length === 0,
    );
  });

  it('ignores documents of other languages', async () => {
    client = await startLspClient({ folder });
    await client.open(`${folder}/other.yaml`, 'a: [');
    const uri = pathToFileURL(`${folder}/other.yaml`).href;
    const symbols = await client.connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri } });
    assert.deepEqual(symbols, []);
  });
});
