import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  type DocumentSymbol,
  type Hover,
  LSPErrorCodes,
} from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const sources = "version: 1\ndataSources:\n  files: { kind: csv, path: '*.csv' }\n";
const rows = 'id,placed_at\n1,2024-01-01 10:00:00\n';

/** A graph with so much SQL that validation ends after all other responses. */
const large = `version: 1\ndataSource: files\nelements:\n${Array.from(
  { length: 600 },
  (_, index) =>
    `  - activityName: Place Order ${index}\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n    where: id > ${index}\n`,
).join('')}`;

describe('language server: cancelled requests', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  beforeEach(async () => {
    folder = await folderWith({ 'entity-sources.yaml': sources, 'orders.csv': rows, 'large.entity.yaml': large });
    const capabilities = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };
    const answers = { 'workspace/diagnostic/refresh': () => null };
    client = await startLspClient({ folder, capabilities, answers });
    uri = await client.open(`${folder}/large.entity.yaml`, large);
  });
  afterEach(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const isCancelled = (error: unknown): boolean =>
    typeof error === 'object' && error !== null && 'code' in error && error.code === LSPErrorCodes.RequestCancelled;
  const position = { line: 4, character: 18 };

  for (const [method, params] of [
    ['completion', { position }],
    ['hover', { position }],
    ['diagnostic', {}],
    ['semanticTokens/full', {}],
    ['codeAction', { range: { start: position, end: position }, context: { diagnostics: [] } }],
  ] as const) {
    it(`ends ${method} when cancelled while queued, and answers other requests`, async () => {
      const source = new CancellationTokenSource();
      const asked = client.connection.sendRequest(
        `textDocument/${method}`,
        { textDocument: { uri }, ...params },
        source.token,
      );
      source.cancel();
      await assert.rejects(asked, isCancelled);
      const hover: Hover | null = await client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position: { line: 3, character: 8 },
      });
      assert.match(JSON.stringify(hover?.contents), /name of the activity/);
    });
  }

  it('stops waiting for the SQL validator', async () => {
    // A client that cannot be asked to refresh gets the complete result, however slow the machine is.
    await client.close();
    client = await startLspClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
    uri = await client.open(`${folder}/large.entity.yaml`, large);
    const source = new CancellationTokenSource();
    const asked = client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } }, source.token);
    const rejected = assert.rejects(asked, isCancelled);
    // Later requests are answered during validation, so the first one is in progress.
    const symbols: DocumentSymbol[] = await client.connection.sendRequest('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    assert.equal(symbols[0]?.children?.length, 600);
    const other = client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
    source.cancel();
    // An uncancelled request waits until all SQL is validated.
    assert.equal(await Promise.race([rejected.then(() => 'cancelled'), other.then(() => 'answered')]), 'cancelled');
    await other;
  });
});
